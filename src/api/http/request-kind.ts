/** What a request costs and who waits for it: by this it is timed, and given up when there is too much to do. */
export const requestKinds = ["export", "list", "read", "page", "write", "pull", "push"] as const;
export type RequestKind = (typeof requestKinds)[number];

/** The kind of a route, by the address it was declared with. */
export function kindOfRoute(method: string, url: string): RequestKind {
  if (url.startsWith("/sync/")) return url.endsWith("/changes") ? "pull" : "push";
  if (!url.startsWith("/public/") && !url.startsWith("/portal/api/")) return "page";
  if (url.includes("/exports/")) return "export";
  if (method !== "GET" && method !== "HEAD") return "write";
  return /\/:\w+$/.test(url) ? "read" : "list";
}
