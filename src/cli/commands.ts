import type { Command } from "./command.ts";
import { completionCommand } from "./completion.ts";

/**
 * Every family of commands, in the order of the help. Each is loaded when it is called: `start` brings the whole service
 * along, which takes ten times as long to load as any other command needs.
 */
const families: Readonly<Record<string, () => Promise<object>>> = {
  start: () => import("./start.ts"),
  migrate: () => import("./migrate.ts"),
  verify: () => import("./verify.ts"),
  account: () => import("./account.ts"),
  key: () => import("./key.ts"),
  device: () => import("./device.ts"),
  fiscal: () => import("./fiscal.ts"),
  demo: () => import("./demo.ts"),
  simulate: () => import("./simulate.ts"),
  clock: () => import("./clock.ts"),
  receive: () => import("./receive.ts"),
  listen: () => import("./listen.ts"),
  trigger: () => import("./trigger.ts"),
  events: () => import("./events.ts"),
  keys: () => import("./keys.ts"),
  "verify-signature": () => import("./verify-signature.ts"),
  completion: async () => ({ completion: completionCommand(allCommands) }),
};

/** The commands that begin with this word; none for a word that begins no command. */
export async function commandsOf(firstWord: string | undefined): Promise<Command[]> {
  if (firstWord === undefined || !Object.hasOwn(families, firstWord)) return [];
  return Object.values(await families[firstWord]!()).filter(isCommand);
}

export async function allCommands(): Promise<Command[]> {
  return (await Promise.all(Object.keys(families).map(commandsOf))).flat();
}

function isCommand(exported: unknown): exported is Command {
  return typeof exported === "object" && exported !== null && "run" in exported && "summary" in exported;
}
