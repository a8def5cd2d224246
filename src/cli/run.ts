import { parseArgs } from "node:util";
import { type Config, ConfigError, readConfig } from "../config.ts";
import { EmbeddedPostgresError } from "../db/embedded/problem.ts";
import { version } from "../lib/version.ts";
import { StartError } from "../start/start.ts";
import { accountCreate, accountList, accountSet } from "./account.ts";
import { clockAdvance, clockShow } from "./clock.ts";
import { type Command, type Output, UsageError } from "./command.ts";
import { completionCommand } from "./completion.ts";
import { demo } from "./demo.ts";
import { deviceEnrol, deviceList, deviceReload, deviceRevoke } from "./device.ts";
import { eventsList, eventsResend } from "./events.ts";
import { fiscalRange, fiscalResend, fiscalSet, fiscalShow } from "./fiscal.ts";
import { commandHelp, generalHelp } from "./help.ts";
import { keyCreate, keyList, keyRevoke } from "./key.ts";
import { keysCheck } from "./keys.ts";
import { listenCommand } from "./listen.ts";
import { migrateCommand } from "./migrate.ts";
import { receiveCommand } from "./receive.ts";
import { simulateCommand } from "./simulate.ts";
import { startCommand } from "./start.ts";
import { Interruption } from "./stop-signal.ts";
import { triggerCommand } from "./trigger.ts";
import { verifyCommand } from "./verify.ts";
import { verifySignatureCommand } from "./verify-signature.ts";

/** Every command of `mostrador`, in the order the help shows them. */
export const commands: readonly Command[] = [
  startCommand,
  migrateCommand,
  verifyCommand,
  accountCreate,
  accountSet,
  accountList,
  keyCreate,
  keyRevoke,
  keyList,
  deviceEnrol,
  deviceRevoke,
  deviceList,
  deviceReload,
  fiscalSet,
  fiscalRange,
  fiscalShow,
  fiscalResend,
  demo,
  simulateCommand,
  clockAdvance,
  clockShow,
  receiveCommand,
  listenCommand,
  triggerCommand,
  eventsList,
  eventsResend,
  keysCheck,
  verifySignatureCommand,
  completionCommand(() => commands),
];

/** Runs one command line; returns the exit code. */
export async function runCli(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  try {
    const asked = argv.filter((argument) => !argument.startsWith("-"));
    if (argv[0] === "--version" || argv[0] === "-v") {
      process.stdout.write(`${version}\n`);
      return 0;
    }
    const command = findCommand(asked);
    const wantsHelp = argv.includes("--help") || argv.includes("-h") || asked[0] === "help";
    if (wantsHelp || argv.length === 0) {
      const topic = asked[0] === "help" ? findCommand(asked.slice(1)) : command;
      process.stdout.write(topic ? commandHelp(topic) : generalHelp(commands));
      return 0;
    }
    if (!command) throw new UsageError(unknownCommand(asked));
    const { values, positionals } = parse(command, argv);
    const out = output(values.json === true);
    const words = positionals.slice(command.name.split(" ").length);
    refuseSurplus(command, words);
    let config: Config | undefined;
    await command.run({
      get config() {
        config ??= readConfig(env);
        return config;
      },
      words,
      options: values,
      out,
      env,
    });
    return process.exitCode === undefined ? 0 : Number(process.exitCode);
  } catch (error) {
    if (error instanceof Interruption) return 130;
    process.stderr.write(`${explain(error, env)}\n`);
    return 1;
  }
}

function findCommand(words: readonly string[]): Command | undefined {
  return commands.find(({ name }) => name.split(" ").every((part, i) => words[i] === part));
}

function unknownCommand(words: readonly string[]): string {
  const family = commands.filter(({ name }) => name.startsWith(`${words[0]} `)).map(({ name }) => name);
  return family.length > 0
    ? `Complete el comando: ${family.join(", ")}.`
    : `El comando "${words.join(" ")}" no existe. Vea los que hay con: npx mostrador help`;
}

/** Whoever revokes two keys in one line must not believe that both are. */
function refuseSurplus({ name, takes = 0 }: Command, words: readonly string[]): void {
  if (words.length > takes)
    throw new UsageError(`Sobra "${words[takes]}". Vea cómo se escribe con: npx mostrador ${name} --help`);
}

function parse(command: Command, argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: { ...command.options, json: { type: "boolean" }, help: { type: "boolean", short: "h" } },
    });
  } catch (error) {
    const [, option] = /'(--?[^' ]+)/.exec((error as Error).message) ?? [];
    const hint = `Vea las opciones con: npx mostrador ${command.name} --help`;
    throw new UsageError(
      option ? `La opción ${option} no existe o le falta un valor. ${hint}` : `No se entendió el comando. ${hint}`,
    );
  }
}

function output(json: boolean): Output {
  return {
    json,
    result: (value, sentence) => void process.stdout.write(`${json ? JSON.stringify(value) : sentence}\n`),
    note: (sentence) => void (json || process.stderr.write(`${sentence}\n`)),
  };
}

/** One clear line. Only a fault of ours shows where it happened, and only when asked for. */
function explain(error: unknown, env: NodeJS.ProcessEnv): string {
  const expected = [UsageError, ConfigError, StartError, EmbeddedPostgresError].some((kind) => error instanceof kind);
  const { message, stack } = error as Error;
  if (expected) return message;
  return env.LOG_LEVEL === "debug" && stack ? stack : message.split("\n")[0]!;
}
