import type { Groups } from "./groups.ts";

/** What reaches a service over HTTP alone. The package `@mostrador/cli` has these and no others. */
export const integratorGroups: Groups = {
  listen: () => import("./listen.ts"),
  trigger: () => import("./trigger.ts"),
  events: () => import("./events.ts"),
  orders: () => import("./orders.ts"),
  keys: () => import("./keys.ts"),
  mcp: () => import("./mcp.ts"),
  "verify-signature": () => import("./verify-signature.ts"),
  clock: () => import("./clock.ts"),
};
