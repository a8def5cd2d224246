import type { MostradorEvent } from "../../sdk/src/index.ts";
import { bogotaZone } from "../taxes/bogota-time.ts";
import type { Forwarded } from "./forward.ts";
import { isDelivered } from "./forward.ts";

const clockTime = new Intl.DateTimeFormat("es-CO", {
  hourCycle: "h23",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  timeZone: bogotaZone,
});

/** One event on one line: time, type, id, and what it is about. */
export function eventLine({ created_at, type, id, data }: MostradorEvent): string {
  const time = clockTime.format(new Date(created_at));
  return `${time}  ${type.padEnd(26)}  ${id}  ${about({ ...data.object })}`.trimEnd();
}

export function resultText(result: Forwarded): string {
  if ("failure" in result) return `✗ ${result.failure}; se reintenta`;
  return `${isDelivered(result) ? "✓" : "✗"} ${result.status} (${result.ms} ms)`;
}

export const pesos = new Intl.NumberFormat("es-CO", { maximumFractionDigits: 0 });

/** What people recognize the record by. */
function about(object: Record<string, unknown>): string {
  if (typeof object.total === "number") return `$${pesos.format(object.total)}`;
  if (typeof object.name === "string") return object.name;
  if (typeof object.quantity === "number") return `${String(object.type)} ${object.quantity}`;
  return typeof object.register_name === "string" ? object.register_name : "";
}
