import type { CashSession } from "../../../business/cash-sessions/schema.ts";
import type { ShiftSums } from "../../../reports/shift-sums.ts";
import { listOf } from "./list.ts";
import { sedeFilter } from "./sedes.ts";
import { shiftStates } from "./words.ts";

/** A shift with what was sold in it; the page asks for that apart. */
type ListedShift = CashSession & { sums: Pick<ShiftSums, "tickets" | "net"> | undefined };

export const shiftList = listOf<ListedShift>()({
  title: "Turnos",
  path: "/records/cash-sessions",
  right: "shifts:read",
  filters: {
    ...sedeFilter,
    status: { name: "estado", label: "Estado", kind: "choice", options: shiftStates },
    created_since: { name: "desde", label: "Desde", kind: "since" },
    created_until: { name: "hasta", label: "Hasta", kind: "until" },
  },
  columns: {
    register: { title: "Caja", type: "text", value: ({ register_name }) => register_name },
    status: { title: "Estado", type: "state", value: ({ status }) => shiftStates[status] },
    opened_at: { title: "Abrió", type: "moment", value: ({ opened_at }) => opened_at },
    closed_at: { title: "Cerró", type: "moment", value: ({ closed_at }) => closed_at, isExtra: true },
    tickets: { title: "Ventas", type: "number", value: ({ sums }) => sums?.tickets, isExtra: true },
    net: { title: "Ventas netas", type: "pesos", value: ({ sums }) => sums?.net },
    expected: { title: "Efectivo esperado", type: "pesos", value: ({ expected_amount }) => expected_amount },
    counted: { title: "Contado", type: "pesos", value: ({ counted_amount }) => counted_amount, isExtra: true },
    difference: { title: "Diferencia", type: "pesos", value: ({ difference }) => difference },
  },
  page: ["register", "status", "opened_at", "closed_at", "tickets", "net", "expected", "counted", "difference"],
});
