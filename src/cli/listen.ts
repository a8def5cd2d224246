import { randomBytes } from "node:crypto";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type EventType, MostradorError, type MostradorEvent } from "../../sdk/src/index.ts";
import { newSecret } from "../webhooks/endpoints/signature.ts";
import { type Command, type Invocation, UsageError } from "./command.ts";
import { eventLine, resultText } from "./event-line.ts";
import { forward, isDelivered, readForwardTo } from "./forward.ts";
import { type Connection, connectionOf, connectionOptions, readTypes, toUsageError } from "./integrator.ts";
import {
  ignoringWriteFailures,
  type ListenState,
  noStateFile,
  type StateFile,
  stateFile,
  stateFileName,
  stateFolder,
} from "./listen-state.ts";

const pollMs = 500;
const maxWaitMs = 15_000;
/** After this many failed responses an event is skipped, with a hint how to send it again. */
const maxFailedResponses = 5;

export const listenCommand: Command = {
  name: "listen",
  summary: "Sigue los eventos y los reenvía, firmados, a su programa",
  usage: "--forward-to http://127.0.0.1:4242/webhooks [--events sale.completed,invoice.issued] [--no-state]",
  options: {
    ...connectionOptions,
    "forward-to": "Dirección http(s) de su programa; sin ella, los eventos solo se muestran",
    events: "Tipos separados por comas; por omisión, todos",
    secret: "Secreto whsec_… con que se firma; por omisión se crea uno y se muestra",
    state: "Archivo donde guarda por dónde va; por omisión, uno por clave y dirección en su carpeta de estado",
    since: "Instante ISO 8601 desde el cual empezar; por omisión, donde iba o desde ahora",
  },
  flags: { "no-state": "No guarda por dónde va: cada vez empieza desde ahora" },
  async run(invocation) {
    try {
      await listen(invocation);
    } catch (error) {
      throw toUsageError(error);
    }
  },
};

async function listen(invocation: Invocation): Promise<void> {
  const connection = connectionOf(invocation);
  const file = stateFileOf(invocation, connection);
  const state = await openState(invocation, connection, file);
  printIntro(invocation, connection, state);
  for (;;) {
    try {
      await follow(invocation, connection, state, file);
    } catch (error) {
      if (!isAway(error)) throw error;
      await untilBack(invocation, connection);
    }
  }
}

/** A service that restarts, and every other failure that passes by itself. */
function isAway(error: unknown): boolean {
  return error instanceof MostradorError && (error.status === 0 || error.status >= 500);
}

/** The client has tried a few times by then: whoever reads is told once, and where it was it goes on. */
async function untilBack({ out }: Invocation, { client }: Connection): Promise<void> {
  out.note("El servicio no responde: sigo esperando (Ctrl+C para salir)");
  for (let attempt = 1; ; attempt++) {
    await delay(Math.min(maxWaitMs, 250 * 2 ** Math.min(attempt, 6)));
    try {
      await client.events.list({ pageSize: 1 }).toArray(1);
      out.note("El servicio responde de nuevo: sigo donde iba");
      return;
    } catch (error) {
      if (!isAway(error)) throw error;
    }
  }
}

/** Passes on what happens, without end. */
async function follow(
  invocation: Invocation,
  { client }: Connection,
  state: ListenState,
  file: StateFile,
): Promise<void> {
  const pages = client.events.follow({
    ...(state.types.length > 0 && { type: state.types as EventType[] }),
    ...(state.created_since !== null && { createdSince: state.created_since }),
    ...(state.cursor !== null && { cursor: state.cursor }),
    everyMs: pollMs,
  });
  for await (const { events, cursor } of explainingLostCursor(pages, file)) {
    for (const event of events) {
      if (isSkipped(event, state) || state.done.includes(event.id)) continue;
      await deliver(invocation, event, state);
      // Only after delivering: a kill before this line repeats the event, but never loses it.
      state.done.push(event.id);
      file.write(state);
    }
    state.cursor = cursor;
    state.done = [];
    file.write(state);
  }
}

/** The stored cursor may belong to a service that was installed anew since. */
async function* explainingLostCursor<T>(pages: AsyncIterable<T>, { path }: StateFile): AsyncGenerator<T> {
  try {
    yield* pages;
  } catch (error) {
    if (path === undefined || !(error instanceof MostradorError) || error.code !== "INVALID_CURSOR") throw error;
    throw new UsageError(`El lugar guardado ya no vale en este servicio. Borre ${path} para empezar desde ahora.`);
  }
}

/** The requested file, or one per key and address by default; none if events are only displayed. */
function stateFileOf(invocation: Invocation, { url, key }: Connection): StateFile {
  const { options, env, out } = invocation;
  if (options["no-state"]) {
    if (options.state !== undefined) throw new UsageError("--state y --no-state se contradicen: use uno de los dos.");
    return noStateFile;
  }
  if (typeof options.state === "string") return stateFile(resolve(options.state));
  const forwardTo = readForwardTo(options["forward-to"]);
  if (forwardTo === undefined) return noStateFile;
  const file = stateFile(join(stateFolder(env), stateFileName([url, key, forwardTo, ...readTypes(options.events)])));
  return ignoringWriteFailures(file, (problem) =>
    out.note(`No se puede guardar por dónde va (${problem}): al volver a empezar será desde ese momento.`),
  );
}

/** The stored position, or a new one at the end of the log. */
async function openState(invocation: Invocation, { client }: Connection, file: StateFile): Promise<ListenState> {
  const { options } = invocation;
  const types = readTypes(options.events);
  const stored = file.read();
  if (stored && stored.types.join() !== types.join()) {
    throw new UsageError(
      `--state guarda el lugar de otros eventos (${stored.types.join(",") || "todos"}). Use los mismos --events o otro archivo.`,
    );
  }
  const secret = String(options.secret ?? stored?.secret ?? newSecret(randomBytes));
  if (!secret.startsWith("whsec_")) throw new UsageError("--secret debe empezar por whsec_.");
  const forward_to = readForwardTo(options["forward-to"]) ?? stored?.forward_to ?? null;
  // --since wins over the default file, but not over a file given with --state.
  const isContinued = stored && (options.since === undefined || options.state !== undefined);
  const position = isContinued ? stored : await startingPosition(options.since, client);
  const state: ListenState = { ...position, types, secret, forward_to };
  file.write(state);
  return state;
}

async function startingPosition(since: unknown, client: Connection["client"]) {
  const start = { cursor: null, done: [], skip_to: null };
  if (since !== undefined) return { ...start, created_since: String(since) };
  // By the log instead of the clock, because the service's clock may have been moved ahead.
  const [newest] = await client.events.list({ pageSize: 1 }).toArray(1);
  return { ...start, created_since: newest?.created_at ?? null, skip_to: newest?.id ?? null };
}

function isSkipped({ created_at, id }: MostradorEvent, { created_since, skip_to }: ListenState): boolean {
  return skip_to !== null && created_at === created_since && id <= skip_to;
}

/** An unreachable receiver is retried for ever; one that responds with an error, a few times. */
async function deliver({ out }: Invocation, event: MostradorEvent, { forward_to, secret }: ListenState): Promise<void> {
  if (forward_to === null) {
    out.result(event, eventLine(event));
    return;
  }
  for (let attempt = 1, failedResponses = 0; ; attempt++) {
    const result = await forward(event, { url: forward_to, secret });
    const report = { id: event.id, type: event.type, attempt, ...result };
    out.result(report, `${eventLine(event)}  →  ${resultText(result)}`);
    if (isDelivered(result)) return;
    if ("status" in result && ++failedResponses >= maxFailedResponses) {
      out.note(
        `  Se deja atrás tras ${failedResponses} respuestas. Reenvíelo con: npx mostrador events resend ${event.id}`,
      );
      return;
    }
    await delay(Math.min(maxWaitMs, 250 * 2 ** Math.min(attempt, 6)));
  }
}

function printIntro(
  { out, options }: Invocation,
  { url }: Connection,
  { forward_to, secret, types, cursor }: ListenState,
): void {
  out.note(`Escuchando ${types.length > 0 ? types.join(", ") : "todos los eventos"} de ${url}`);
  if (forward_to !== null) {
    out.note(`Reenvío a ${forward_to}`);
    if (options.secret === undefined) out.note(`Secreto de firma: ${secret}`);
  }
  out.note(
    cursor === null ? "Listo: esperando eventos (Ctrl+C para salir)" : "Listo: sigo donde iba (Ctrl+C para salir)",
  );
}
