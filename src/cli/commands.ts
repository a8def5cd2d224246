import { completionCommand } from "./completion.ts";
import { everyCommand, type Groups } from "./groups.ts";
import { integratorGroups } from "./integrator-commands.ts";

/**
 * Every group of commands, in the order of the help. Each is loaded on use: `start` imports the whole service, which takes
 * ten times as long as any other command.
 */
export const groups: Groups = {
  start: () => import("./start.ts"),
  migrate: () => import("./migrate.ts"),
  verify: () => import("./verify.ts"),
  installation: () => import("./installation.ts"),
  secrets: () => import("./secrets.ts"),
  reindex: () => import("./reindex.ts"),
  recount: () => import("./recount.ts"),
  account: async () => ({ ...(await import("./account.ts")), ...(await import("./account-end.ts")) }),
  person: () => import("./person.ts"),
  key: () => import("./key.ts"),
  device: () => import("./device.ts"),
  "set-aside": () => import("./set-aside.ts"),
  fiscal: async () => ({ ...(await import("./fiscal.ts")), ...(await import("./fiscal-papers.ts")) }),
  demo: () => import("./demo.ts"),
  simulate: () => import("./simulate.ts"),
  receive: () => import("./receive.ts"),
  ...integratorGroups,
  completion: async () => ({ completion: completionCommand(() => everyCommand(groups)) }),
};
