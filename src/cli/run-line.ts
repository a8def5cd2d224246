import { writeSync } from "node:fs";
import { isatty } from "node:tty";
import { parseArgs } from "node:util";
import type { Config } from "../config.ts";
import { type Command, type Here, type Output, UsageError } from "./command.ts";
import { commandsIn, everyCommand, type Groups } from "./groups.ts";
import { commandHelp, generalHelp } from "./help.ts";
import { Interruption } from "./stop-signal.ts";

/** What answers a command line: the service with all its commands, or those for integrators alone. */
export interface Program {
  groups: Groups;
  version: string;
  /** How people call it, where its texts say "npx mostrador". */
  called: string;
  /** What the general help says before the commands, and after them. */
  about: string;
  remarks: string;
  readConfig: () => Config;
  here: Here | undefined;
  /** Errors that are told in one line, without a stack. */
  expected: readonly (new (
    ...args: never[]
  ) => Error)[];
  /** The command whose last word is read by whatever reads its log. */
  logs?: string;
}

/** Runs one command line; returns the exit code. */
export async function runLine(program: Program, argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const { groups, called } = program;
  try {
    const words = argv.filter((argument) => !argument.startsWith("-"));
    if (argv[0] === "--version" || argv[0] === "-v") {
      process.stdout.write(`${program.version}\n`);
      return 0;
    }
    const command = await findCommand(groups, words);
    const wantsHelp = argv.includes("--help") || argv.includes("-h") || words[0] === "help";
    if (wantsHelp || argv.length === 0) {
      const topic = words[0] === "help" ? await findCommand(groups, words.slice(1)) : command;
      const text = topic ? commandHelp(topic) : generalHelp(await everyCommand(groups), program);
      process.stdout.write(asCalled(text, called));
      return 0;
    }
    if (!command) throw new UsageError(await unknownCommand(groups, words));
    const { values, positionals } = parse(command, argv);
    const given = positionals.slice(command.name.split(" ").length);
    refuseSurplus(command, given);
    let config: Config | undefined;
    await command.run({
      get config() {
        config ??= program.readConfig();
        return config;
      },
      here: program.here,
      words: given,
      options: values,
      out: output(values.json === true, called),
      env,
    });
    return process.exitCode === undefined ? 0 : Number(process.exitCode);
  } catch (error) {
    if (error instanceof Interruption) return 130;
    const text = asCalled(explain(error, program, env), called);
    const isForPeople = argv[0] !== program.logs || error instanceof UsageError || isatty(2);
    writeSync(2, `${isForPeople ? text : JSON.stringify({ level: 60, time: Date.now(), msg: text })}\n`);
    return 1;
  }
}

async function findCommand(groups: Groups, words: readonly string[]): Promise<Command | undefined> {
  const group = await commandsIn(groups, words[0]);
  return group.find(({ name }) => name.split(" ").every((part, i) => words[i] === part));
}

async function unknownCommand(groups: Groups, words: readonly string[]): Promise<string> {
  const group = await commandsIn(groups, words[0]);
  return group.length > 0
    ? `Complete el comando: ${group.map(({ name }) => name).join(", ")}.`
    : `El comando "${words.join(" ")}" no existe. Vea los que hay con: npx mostrador help`;
}

/** Otherwise somebody who passes two keys to revoke would believe that both were revoked. */
function refuseSurplus({ name, takes = 0 }: Command, words: readonly string[]): void {
  if (words.length > takes)
    throw new UsageError(`Sobra "${words[takes]}". Vea cómo se escribe con: npx mostrador ${name} --help`);
}

function parse(command: Command, argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        ...mapped(command.options, { type: "string" }),
        ...mapped(command.flags, { type: "boolean" }),
        json: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    const [, option] = /'(--?[^' ]+)/.exec((error as Error).message) ?? [];
    const hint = `Vea las opciones con: npx mostrador ${command.name} --help`;
    throw new UsageError(
      option ? `La opción ${option} no existe o le falta un valor. ${hint}` : `No se entendió el comando. ${hint}`,
    );
  }
}

function mapped<T>(names: Record<string, string> = {}, value: T): Record<string, T> {
  return Object.fromEntries(Object.keys(names).map((name) => [name, value]));
}

/** Where it is installed with a command of its own, people are told that one: npx would take other settings. */
function asCalled(text: string, called: string): string {
  return text.replaceAll("npx mostrador", called);
}

function output(json: boolean, called: string): Output {
  return {
    json,
    result: (value, text) => void process.stdout.write(`${json ? JSON.stringify(value) : asCalled(text, called)}\n`),
    note: (text) => void (json || process.stderr.write(`${asCalled(text, called)}\n`)),
  };
}

/** One clear line. An unexpected error shows its stack only with LOG_LEVEL=debug. */
function explain(error: unknown, { expected }: Program, env: NodeJS.ProcessEnv): string {
  const { message, stack } = error as Error;
  if ([UsageError, ...expected].some((kind) => error instanceof kind)) return message;
  return env.LOG_LEVEL === "debug" && stack ? stack : message.split("\n")[0]!;
}
