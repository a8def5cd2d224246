import type { CounterAct } from "../../../business/counter/counter-acts.ts";
import { listOf } from "./list.ts";
import { actTitles } from "./words.ts";

/** What happened at the counters and is no sale. */
export const actList = listOf<CounterAct>()({
  title: "Actos de caja",
  path: "/counter-acts",
  right: "shifts:read",
  filters: {
    kind: { name: "tipo", label: "Qué", kind: "choice", options: actTitles },
    only: { name: "permiso", label: "Permiso", kind: "choice", options: { unauthorized: "Sin permiso" } },
    since: { name: "desde", label: "Desde", kind: "since" },
    until: { name: "hasta", label: "Hasta", kind: "until" },
  },
  columns: {
    kind: { title: "Qué", type: "text", value: ({ kind }) => actTitles[kind] },
    occurred_at: { title: "Cuándo", type: "moment", value: ({ occurred_at }) => occurred_at },
    people: { title: "Quién", type: "text", value: actPeople },
    amount: { title: "Valor", type: "pesos", value: ({ amount }) => amount, none: "—" },
    detail: { title: "Detalle", type: "text", value: ({ detail }) => detail },
    register: { title: "Caja", type: "text", value: ({ register }) => register },
  },
  page: ["kind", "occurred_at", "people", "amount", "detail", "register"],
});

/** Who did it, and whether somebody else allowed it. */
export function actPeople({
  kind,
  cashier,
  authorized_by,
  is_allowed,
}: Pick<CounterAct, "kind" | "cashier" | "authorized_by" | "is_allowed">): string {
  const who = cashier ?? "Sin nombre";
  if (kind === "wrong_pins") return `Alguien, con el nombre de ${who}`;
  if (authorized_by) return `${who}, autorizó ${authorized_by}`;
  return is_allowed ? who : `${who}, sin permiso`;
}
