import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { EventType, MostradorEvent } from "../../sdk/src/index.ts";
import { newSecret } from "../webhooks/signature.ts";
import { type Command, type Invocation, UsageError } from "./command.ts";
import { eventLine, outcomeText } from "./event-line.ts";
import { forward, isDelivered } from "./forward.ts";
import {
  type Connection,
  connectionHelp,
  connectionOf,
  connectionOptions,
  explained,
  readTypes,
} from "./integrator.ts";
import { type ListenState, type StateFile, stateFile } from "./listen-state.ts";

const pollMs = 500;
const longestWaitMs = 15_000;
/** A receiver that answers badly this often is left behind with a word on how to send it again. */
const mostAnswers = 5;

export const listenCommand: Command = {
  name: "listen",
  summary: "Sigue los eventos y los reenvía, firmados, a su programa",
  usage: "--forward-to http://127.0.0.1:4242/webhooks [--events sale.completed,invoice.issued] [--state listen.json]",
  options: {
    ...connectionOptions,
    "forward-to": { type: "string" },
    events: { type: "string" },
    secret: { type: "string" },
    state: { type: "string" },
    since: { type: "string" },
  },
  help: {
    ...connectionHelp,
    "forward-to": "Dirección http(s) de su programa; sin ella, los eventos solo se muestran",
    events: "Tipos separados por comas; por omisión, todos",
    secret: "Secreto whsec_… con que se firma; por omisión se crea uno y se muestra",
    state: "Archivo donde guarda por dónde va: al volver a empezar sigue ahí, sin perder ningún evento",
    since: "Instante ISO 8601 desde el cual empezar; por omisión, desde ahora",
  },
  async run(invocation) {
    try {
      await listen(invocation);
    } catch (error) {
      throw explained(error);
    }
  },
};

async function listen(invocation: Invocation): Promise<void> {
  const connection = connectionOf(invocation);
  const file = stateFile(typeof invocation.options.state === "string" ? resolve(invocation.options.state) : undefined);
  const state = await openState(invocation, connection, file);
  greet(invocation, connection, state);
  const { client } = connection;
  const pages = client.events.follow({
    ...(state.types.length > 0 && { type: state.types as EventType[] }),
    ...(state.created_since !== null && { createdSince: state.created_since }),
    ...(state.cursor !== null && { cursor: state.cursor }),
    everyMs: pollMs,
  });
  for await (const { events, cursor } of pages) {
    for (const event of events) {
      if (isBefore(event, state) || state.done.includes(event.id)) continue;
      await deliver(invocation, event, state);
      // Only now: a kill before this line repeats the event, none loses it.
      state.done.push(event.id);
      file.write(state);
    }
    state.cursor = cursor;
    state.done = [];
    file.write(state);
  }
}

/** A place that was kept, or a new one at the end of the log. */
async function openState(invocation: Invocation, { client }: Connection, file: StateFile): Promise<ListenState> {
  const { options } = invocation;
  const types = readTypes(options.events);
  const kept = file.read();
  if (kept && kept.types.join() !== types.join()) {
    throw new UsageError(
      `--state guarda el lugar de otros eventos (${kept.types.join(",") || "todos"}). Use los mismos --events o otro archivo.`,
    );
  }
  const secret = String(options.secret ?? kept?.secret ?? newSecret(randomBytes));
  if (!secret.startsWith("whsec_")) throw new UsageError("--secret debe empezar por whsec_.");
  const forward_to = readForwardTo(options["forward-to"]) ?? kept?.forward_to ?? null;
  const place = kept ?? (await startingPlace(options.since, client));
  const state: ListenState = { ...place, types, secret, forward_to };
  file.write(state);
  return state;
}

async function startingPlace(since: unknown, client: Connection["client"]) {
  const start = { cursor: null, done: [], skip_to: null };
  if (since !== undefined) return { ...start, created_since: String(since) };
  // By the log and not by the clock: that of the service may have been moved ahead.
  const [newest] = await client.events.list({ pageSize: 1 }).toArray(1);
  return { ...start, created_since: newest?.created_at ?? null, skip_to: newest?.id ?? null };
}

function isBefore({ created_at, id }: MostradorEvent, { created_since, skip_to }: ListenState): boolean {
  return skip_to !== null && created_at === created_since && id <= skip_to;
}

function readForwardTo(text: unknown): string | undefined {
  if (text === undefined) return undefined;
  const url = /^https?:\/\//.test(String(text)) ? String(text) : `http://${text}`;
  if (!URL.canParse(url))
    throw new UsageError(
      `--forward-to ${text} no es una dirección. Escriba por ejemplo http://127.0.0.1:4242/webhooks`,
    );
  return url;
}

/** A receiver that is not there is waited for; one that refuses is asked again a few times. */
async function deliver({ out }: Invocation, event: MostradorEvent, { forward_to, secret }: ListenState): Promise<void> {
  if (forward_to === null) {
    out.result(event, eventLine(event));
    return;
  }
  for (let attempt = 1, answers = 0; ; attempt++) {
    const outcome = await forward(event, { url: forward_to, secret });
    const report = { id: event.id, type: event.type, attempt, ...outcome };
    out.result(report, `${eventLine(event)}  →  ${outcomeText(outcome)}`);
    if (isDelivered(outcome)) return;
    if ("status" in outcome && ++answers >= mostAnswers) {
      out.note(`  Se deja atrás tras ${answers} respuestas. Reenvíelo con: npx mostrador events resend ${event.id}`);
      return;
    }
    await delay(Math.min(longestWaitMs, 250 * 2 ** Math.min(attempt, 6)));
  }
}

function greet(
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
