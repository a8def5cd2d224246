import { homedir } from "node:os";
import { join } from "node:path";
import type { EventType } from "../../sdk/src/index.ts";
import { Mostrador, MostradorError } from "../../sdk/src/index.ts";
import { eventTypes } from "../engine/events/event-types.ts";
import { type Invocation, UsageError } from "./command.ts";

/** Options of every command for integrators. These commands use only HTTP, so they work from any machine. */
export const connectionOptions = {
  key: "Clave de API de pruebas; por omisión MOSTRADOR_API_KEY, o la del negocio de demostración de esta instalación",
  url: "Dirección del servicio; por omisión MOSTRADOR_URL, o la de la instalación de la que viene este programa",
};

export interface Connection {
  url: string;
  key: string;
  client: Mostrador;
}

export function connectionOf(invocation: Invocation): Connection {
  const { options, env, here } = invocation;
  const given = options.url ?? env.MOSTRADOR_URL ?? here?.url ?? env.MOSTRADOR_FROM;
  if (given === undefined)
    throw new UsageError("Falta --url, o MOSTRADOR_URL: la dirección del servicio, por ejemplo http://127.0.0.1:3000");
  const url = String(given).replace(/\/+$/, "");
  if (!/^https?:\/\//.test(url))
    throw new UsageError(`--url ${url} no es válida: escriba por ejemplo http://127.0.0.1:3000`);
  if (String(options.key).startsWith("mst_live_")) {
    throw new UsageError(
      "Una clave de producción no se escribe en la línea de comandos, porque otros pueden verla. Póngala en la variable MOSTRADOR_API_KEY.",
    );
  }
  const key = options.key ?? env.MOSTRADOR_API_KEY ?? here?.demoKey();
  if (key === undefined) throw new UsageError("Falta --key, o MOSTRADOR_API_KEY: una clave de API del portal.");
  return { url, key: String(key), client: new Mostrador({ apiKey: String(key), baseUrl: url }) };
}

/** Where commands for integrators keep state between runs. */
export function ownFolder({ env }: Invocation): string {
  return env.MOSTRADOR_HOME ?? join(homedir(), ".mostrador");
}

/** `--events a,b`: the requested types; empty means all. */
export function readTypes(text: unknown): EventType[] {
  if (text === undefined) return [];
  const types = String(text)
    .split(",")
    .map((type) => type.trim());
  const unknown = types.find((type) => !(eventTypes as readonly string[]).includes(type));
  if (unknown !== undefined) {
    throw new UsageError(`El evento "${unknown}" no existe. Use: ${eventTypes.join(", ")}.`);
  }
  return types as EventType[];
}

/** Turns an API error into one line for the user. */
export function toUsageError(error: unknown): unknown {
  if (!(error instanceof MostradorError)) return error;
  if (error.status === 0) return new UsageError(`${error.message} Revise --url y que el servicio esté encendido.`);
  const request = error.requestId ? ` [${error.requestId}]` : "";
  return new UsageError(`${error.code}: ${error.message}${request}`);
}
