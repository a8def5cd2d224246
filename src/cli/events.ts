import { resolve } from "node:path";
import { type Command, UsageError, word } from "./command.ts";
import { eventLine, resultText } from "./event-line.ts";
import { forward, isDelivered, readForwardTo } from "./forward.ts";
import { connectionOf, connectionOptions, readTypes, toUsageError } from "./integrator.ts";
import { noStateFile, stateFile } from "./listen-state.ts";

export const eventsList: Command = {
  name: "events list",
  summary: "Muestra los últimos eventos de la bitácora",
  usage: "[--events sale.completed] [--limit 20]",
  options: {
    ...connectionOptions,
    events: "Tipos separados por comas; por omisión, todos",
    limit: "Cuántos, de 1 a 1000 (20)",
  },
  async run(invocation) {
    const { client } = connectionOf(invocation);
    const types = readTypes(invocation.options.events);
    const max = Number(invocation.options.limit ?? 20);
    if (!(max >= 1 && max <= 1000)) throw new UsageError("--limit debe ser un número entre 1 y 1000.");
    const filter = types.length > 0 ? { type: types } : {};
    const events = await client.events
      .list({ ...filter, pageSize: Math.min(100, max) })
      .toArray(max)
      .catch((error: unknown) => Promise.reject(toUsageError(error)));
    const lines = events.map(eventLine).join("\n");
    invocation.out.result(
      { events },
      lines || "No hay eventos. Provoque uno con: npx mostrador trigger customer.created",
    );
  },
};

export const eventsResend: Command = {
  name: "events resend",
  summary: "Envía otra vez un evento de la bitácora a su programa, firmado",
  usage: "<id> --forward-to http://127.0.0.1:4242/webhooks --secret whsec_…   (o --state listen.json)",
  takes: 1,
  options: {
    ...connectionOptions,
    "forward-to": "Dirección de su programa",
    secret: "Secreto whsec_… con que se firma",
    state: "Archivo de listen del que tomar la dirección y el secreto",
  },
  async run(invocation) {
    const { options, out } = invocation;
    const id = word(invocation, 0, "el id del evento");
    const kept = (typeof options.state === "string" ? stateFile(resolve(options.state)) : noStateFile).read();
    const url = readForwardTo(options["forward-to"]) ?? kept?.forward_to;
    const secret = options.secret ?? kept?.secret;
    if (!url || !secret) throw new UsageError("Faltan --forward-to y --secret, o --state con el archivo de listen.");
    const { client } = connectionOf(invocation);
    const event = await client.events.get(id).catch((error: unknown) => Promise.reject(toUsageError(error)));
    const result = await forward(event, { url, secret: String(secret) });
    const isDone = isDelivered(result);
    out.result(
      { id, type: event.type, ...result },
      `${eventLine(event)}  →  ${resultText(result).replace("; se reintenta", "")}`,
    );
    if (!isDone) process.exitCode = 1;
  },
};
