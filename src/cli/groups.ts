import type { Command } from "./command.ts";

/** Commands by their first word, in the order of the help, each group loaded on use. */
export type Groups = Readonly<Record<string, () => Promise<object>>>;

/** The commands that begin with this word. */
export async function commandsIn(groups: Groups, firstWord: string | undefined): Promise<Command[]> {
  if (firstWord === undefined || !Object.hasOwn(groups, firstWord)) return [];
  return Object.values(await groups[firstWord]!()).filter(isCommand);
}

export async function everyCommand(groups: Groups): Promise<Command[]> {
  return (await Promise.all(Object.keys(groups).map((word) => commandsIn(groups, word)))).flat();
}

function isCommand(exported: unknown): exported is Command {
  return typeof exported === "object" && exported !== null && "run" in exported && "summary" in exported;
}
