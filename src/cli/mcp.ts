import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Command } from "./command.ts";
import { type Connection, connectionOf, connectionOptions } from "./integrator.ts";
import { stopSignal } from "./stop-signal.ts";

/** The protocol's errors: what is not JSON, and what the service would not answer. */
const [parseError, serverError] = [-32700, -32000];
const timeoutMs = 60_000;

export const mcpCommand: Command = {
  name: "mcp",
  summary: "Conecta un asistente (MCP) con un negocio, por la entrada y la salida de este comando",
  usage: "[--url https://…]   con la clave en MOSTRADOR_API_KEY",
  options: connectionOptions,
  async run(invocation) {
    const connection = connectionOf(invocation);
    const stop = stopSignal();
    invocation.out.note(`Asistentes con ${connection.url}; termina con Ctrl+C.`);
    await passOn(connection, stop);
  },
};

/**
 * Every line of the input is a message for the service's own endpoint, and every answer a line of the output: what an assistant may do, and
 * what is written down of it, stands in one place.
 */
async function passOn(connection: Connection, stop: AbortSignal): Promise<void> {
  const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
  const pending = new Set<Promise<void>>();
  lines.on("line", (line) => {
    if (line.trim() === "") return;
    const answered = answerTo(connection, line, stop).then(write);
    pending.add(answered);
    void answered.finally(() => pending.delete(answered));
  });
  const stopped = new Promise<void>((resolve) => stop.addEventListener("abort", () => resolve(), { once: true }));
  await Promise.race([once(lines, "close"), stopped]);
  lines.close();
  if (!stop.aborted) await Promise.all(pending);
}

/** Undefined where the message wants no answer. */
async function answerTo({ url, key }: Connection, line: string, stop: AbortSignal): Promise<string | undefined> {
  let id: unknown = null;
  try {
    const message: unknown = JSON.parse(line);
    if (typeof message === "object" && message !== null && "id" in message) ({ id } = message);
    else if (isNotification(message)) id = undefined;
  } catch {
    return failure(null, parseError, "Esto no es JSON: cada mensaje va en una línea.");
  }
  try {
    const response = await fetch(`${url}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: line,
      signal: AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)]),
    });
    const text = await response.text();
    if (id === undefined || text === "") return undefined;
    return response.ok ? text : refusal(id, text, response.status);
  } catch (error) {
    if (id === undefined) return undefined;
    const { cause, message } = error as Error & { cause?: Error };
    return failure(
      id,
      serverError,
      `No se pudo hablar con ${url}: ${cause?.message ?? message}. Revise --url y que el servicio esté encendido.`,
    );
  }
}

function isNotification(message: unknown): boolean {
  return typeof message === "object" && message !== null && "method" in message;
}

/** What the service refused before it was a message of the protocol: the key, its limits, the size. */
function refusal(id: unknown, text: string, status: number): string {
  try {
    const { error } = JSON.parse(text) as { error: { code: string | number; message: string } };
    if (typeof error.code === "number") return failure(id, error.code, error.message);
    return failure(id, serverError, `${error.code}: ${error.message}`);
  } catch {
    return failure(id, serverError, `El servicio respondió ${status} y no se entiende qué. Revise --url.`);
  }
}

function failure(id: unknown, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } });
}

function write(line: string | undefined): void {
  if (line !== undefined) process.stdout.write(`${line}\n`);
}
