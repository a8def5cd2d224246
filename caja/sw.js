// Keeps the app on the device: after the first visit it opens without a network. It stores only the app's own files, which the
// build lists here; what the register records is in IndexedDB, and /sync/v1 is never answered from a cache.
const version = "__VERSION__";
const files = __FILES__;
const page = "/caja/";
const name = `caja-${version}`;

self.addEventListener("install", (event) => {
  // What the register sends and asks for is none of this worker's business. Woken for each of those requests it would never
  // rest, and a browser may put off the next version while the worker before it has something to do.
  event.addRoutes?.({ condition: { urlPattern: { pathname: "/sync/*" } }, source: "network" }).catch(() => {});
  event.waitUntil(
    caches
      .open(name)
      .then((cache) => cache.addAll([page, ...files].map((url) => new Request(url, { cache: "reload" })))),
  );
});

// A new version waits until the app says that nobody is at the counter.
self.addEventListener("message", (event) => {
  if (event.data === "activate") void self.skipWaiting();
});

self.addEventListener("activate", (event) => {
  const removeOthers = async () => {
    const names = await caches.keys();
    await Promise.all(names.filter((one) => one.startsWith("caja-") && one !== name).map((one) => caches.delete(one)));
    await self.clients.claim();
  };
  event.waitUntil(removeOthers());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin || !url.pathname.startsWith(page)) return;
  event.respondWith(answer(request, request.mode === "navigate" ? page : url.pathname));
});

async function answer(request, path) {
  const cache = await caches.open(name);
  return (await cache.match(path)) ?? fetch(request);
}
