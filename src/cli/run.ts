import { writeSync } from "node:fs";
import { isatty } from "node:tty";
import { parseArgs } from "node:util";
import { type Config, readConfig } from "../config.ts";
import { EmbeddedPostgresError } from "../db/embedded/problem.ts";
import { ConfigError } from "../lib/setting-values.ts";
import { build } from "../lib/version.ts";
import { StartError } from "../operations/start/start-error.ts";
import { type Command, type Output, UsageError } from "./command.ts";
import { allCommands, commandsOf } from "./commands.ts";
import { commandHelp, generalHelp } from "./help.ts";
import { Interruption } from "./stop-signal.ts";

const startCommandName = "start";

/** Runs one command line; returns the exit code. */
export async function runCli(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  try {
    const words = argv.filter((argument) => !argument.startsWith("-"));
    if (argv[0] === "--version" || argv[0] === "-v") {
      process.stdout.write(`${build}\n`);
      return 0;
    }
    const command = await findCommand(words);
    const wantsHelp = argv.includes("--help") || argv.includes("-h") || words[0] === "help";
    if (wantsHelp || argv.length === 0) {
      const topic = words[0] === "help" ? await findCommand(words.slice(1)) : command;
      process.stdout.write(asCalled(topic ? commandHelp(topic) : generalHelp(await allCommands()), env));
      return 0;
    }
    if (!command) throw new UsageError(await unknownCommand(words));
    const { values, positionals } = parse(command, argv);
    const out = output(values.json === true, env);
    const given = positionals.slice(command.name.split(" ").length);
    refuseSurplus(command, given);
    let config: Config | undefined;
    await command.run({
      get config() {
        config ??= readConfig(env);
        return config;
      },
      words: given,
      options: values,
      out,
      env,
    });
    return process.exitCode === undefined ? 0 : Number(process.exitCode);
  } catch (error) {
    if (error instanceof Interruption) return 130;
    const text = asCalled(explain(error, env), env);
    // A service's last word is read by whatever reads its log.
    const isForPeople = argv[0] !== startCommandName || error instanceof UsageError || isatty(2);
    writeSync(2, `${isForPeople ? text : JSON.stringify({ level: 60, time: Date.now(), msg: text })}\n`);
    return 1;
  }
}

async function findCommand(words: readonly string[]): Promise<Command | undefined> {
  const group = await commandsOf(words[0]);
  return group.find(({ name }) => name.split(" ").every((part, i) => words[i] === part));
}

async function unknownCommand(words: readonly string[]): Promise<string> {
  const group = await commandsOf(words[0]);
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
function asCalled(text: string, env: NodeJS.ProcessEnv): string {
  return text.replaceAll("npx mostrador", env.MOSTRADOR_COMMAND ?? "npx mostrador");
}

function output(json: boolean, env: NodeJS.ProcessEnv): Output {
  return {
    json,
    result: (value, text) => void process.stdout.write(`${json ? JSON.stringify(value) : asCalled(text, env)}\n`),
    note: (text) => void (json || process.stderr.write(`${asCalled(text, env)}\n`)),
  };
}

/** One clear line. An unexpected error shows its stack only with LOG_LEVEL=debug. */
function explain(error: unknown, env: NodeJS.ProcessEnv): string {
  const expected = [UsageError, ConfigError, StartError, EmbeddedPostgresError].some((kind) => error instanceof kind);
  const { message, stack } = error as Error;
  if (expected) return message;
  return env.LOG_LEVEL === "debug" && stack ? stack : message.split("\n")[0]!;
}
