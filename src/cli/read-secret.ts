import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import type { ReadStream } from "node:tty";
import { type Invocation, UsageError } from "./command.ts";

type Terminal = Pick<ReadStream, "isTTY"> & NodeJS.ReadableStream;

/** Reads a secret option; undefined if it was not given. */
export type SecretReader = (name: string) => Promise<string | undefined>;

/**
 * `--pin -` reads the next line of standard input, or prompts without echo on a terminal. Secrets in the arguments are visible
 * to everybody on the machine and stay in the shell's history, so they are accepted only in the test environment.
 */
export function secretReader({ config, options }: Invocation, input: Terminal = process.stdin): SecretReader {
  let lines: Promise<string[]> | undefined;
  return async (name) => {
    const value = options[name];
    if (typeof value !== "string" || value === "") return undefined;
    if (value !== "-") {
      if (config.environment === "live") throw new UsageError(secretInArguments(name));
      return value;
    }
    if (input.isTTY) return promptHidden(`${name}: `, input);
    lines ??= readLines(input);
    const line = (await lines).shift();
    if (line) return line;
    throw new UsageError(`Falta el valor de --${name} en la entrada estándar: escriba uno por línea.`);
  };
}

export function secretInArguments(name: string): string {
  return `--${name} no se escribe en la línea de comandos en producción, porque otros pueden verlo. Escriba --${name} - y páselo por la entrada estándar.`;
}

/** Prompts on stderr, where what a command prints is not, and reads a line. */
export async function prompt(question: string): Promise<string> {
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  reader.on("SIGINT", () => process.exit(130));
  try {
    return await reader.question(question);
  } finally {
    reader.close();
  }
}

/** Prompts on stderr and reads a line without echo. */
export async function promptHidden(
  question: string,
  input: Terminal = process.stdin,
  output: NodeJS.WritableStream = process.stderr,
): Promise<string> {
  output.write(question);
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input, output: silence, terminal: true });
  // In raw mode the terminal sends no SIGINT.
  reader.on("SIGINT", () => process.exit(130));
  try {
    return await reader.question("");
  } finally {
    reader.close();
    output.write("\n");
  }
}

async function readLines(input: Terminal): Promise<string[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of input) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8").split(/\r?\n/);
}
