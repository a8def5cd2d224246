import type { Command } from "./command.ts";
import { completionCommand } from "./completion.ts";

/**
 * Every group of commands, in the order of the help. Each is loaded on use: `start` imports the whole service, which takes
 * ten times as long as any other command.
 */
const groups: Readonly<Record<string, () => Promise<object>>> = {
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
  clock: () => import("./clock.ts"),
  receive: () => import("./receive.ts"),
  listen: () => import("./listen.ts"),
  trigger: () => import("./trigger.ts"),
  events: () => import("./events.ts"),
  keys: () => import("./keys.ts"),
  mcp: () => import("./mcp.ts"),
  "verify-signature": () => import("./verify-signature.ts"),
  completion: async () => ({ completion: completionCommand(allCommands) }),
};

/** The commands that begin with this word. */
export async function commandsOf(firstWord: string | undefined): Promise<Command[]> {
  if (firstWord === undefined || !Object.hasOwn(groups, firstWord)) return [];
  return Object.values(await groups[firstWord]!()).filter(isCommand);
}

export async function allCommands(): Promise<Command[]> {
  return (await Promise.all(Object.keys(groups).map(commandsOf))).flat();
}

function isCommand(exported: unknown): exported is Command {
  return typeof exported === "object" && exported !== null && "run" in exported && "summary" in exported;
}
