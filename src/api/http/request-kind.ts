/** Kinds of requests by cost and urgency: they are timed separately, and under overload shed in this order. */
export const requestKinds = ["export", "list", "read", "page", "write", "pull", "push"] as const;
export type RequestKind = (typeof requestKinds)[number];

/** The kind of a route, by its declared path. */
export function kindOfRoute(method: string, url: string): RequestKind {
  if (url.startsWith("/sync/")) return url.endsWith("/changes") ? "pull" : method === "POST" ? "push" : "list";
  if (url === "/mcp") return "list";
  if (!url.startsWith("/public/") && !url.startsWith("/portal/api/")) return "page";
  if (url.includes("/exports/")) return "export";
  if (method !== "GET" && method !== "HEAD") return "write";
  return /\/:\w+$/.test(url) ? "read" : "list";
}
