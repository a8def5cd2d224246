/** How long nobody must have touched the counter before a new version takes its place. */
const idleMs = 60_000;
const checkMs = 10_000;

/**
 * Installs the service worker, and lets a new version take over only when the counter is idle: an empty ticket, and nobody
 * who touched anything for a while.
 */
export function keepUpdated(isIdle: () => boolean): void {
  if (!("serviceWorker" in navigator)) return;
  let touchedAt = performance.now();
  for (const type of ["pointerdown", "keydown"])
    addEventListener(type, () => (touchedAt = performance.now()), { passive: true });
  let isReplaced = false;
  navigator.serviceWorker.addEventListener("controllerchange", () => {
    if (isReplaced) location.reload();
  });
  void navigator.serviceWorker.register("/caja/sw.js", { scope: "/caja/" }).then(
    (registration) => {
      setInterval(() => {
        if (!registration.waiting || !isIdle() || performance.now() - touchedAt < idleMs) return;
        isReplaced = true;
        registration.waiting.postMessage("activate");
      }, checkMs);
      setInterval(() => void registration.update().catch(() => {}), 30 * 60_000);
    },
    () => {},
  );
}

/** The screen stays on while the register is in front of somebody. */
export function keepAwake(): void {
  const request = () => {
    if (document.visibilityState === "visible") void navigator.wakeLock?.request("screen").catch(() => {});
  };
  document.addEventListener("visibilitychange", request);
  request();
}
