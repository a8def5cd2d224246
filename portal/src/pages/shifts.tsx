import { Text } from "@mantine/core";
import { Link } from "wouter";
import type { CashSession } from "../lib/answers.ts";
import { endOf, number, pesos, startOf } from "../lib/format.ts";
import { useRecords } from "../lib/queries.ts";
import { shiftStates } from "../lib/words.ts";
import { type Filter, FilterBar, useFilterBar } from "../ui/filter-bar.tsx";
import { Heading, StateBadge, Time } from "../ui/parts.tsx";
import { RecordList } from "../ui/record-list.tsx";
import type { Column } from "../ui/record-table.tsx";

const filters = [
  {
    name: "estado",
    label: "Estado",
    kind: "choice",
    options: Object.entries(shiftStates).map(([value, { title }]) => ({ value, label: title })),
  },
  { name: "desde", label: "Desde", kind: "date" },
  { name: "hasta", label: "Hasta", kind: "date" },
] as const satisfies Filter[];

const columns: Column<CashSession>[] = [
  { title: "Caja", cell: ({ register_name }) => register_name },
  { title: "Estado", cell: ({ status }) => <StateBadge {...shiftStates[status]!} /> },
  { title: "Abrió", cell: ({ opened_at, opened_by }) => <Opening at={opened_at} by={opened_by} /> },
  {
    title: "Cerró",
    isExtra: true,
    cell: ({ closed_at, closed_by }) => (closed_at ? <Opening at={closed_at} by={closed_by} /> : "–"),
  },
  { title: "Ventas", isNumber: true, isExtra: true, cell: ({ sales_count }) => number(sales_count) },
  { title: "Vendido", isNumber: true, cell: ({ sales_total }) => pesos(sales_total) },
  { title: "Efectivo esperado", isNumber: true, cell: ({ expected_amount }) => pesos(expected_amount) },
  {
    title: "Contado",
    isNumber: true,
    isExtra: true,
    cell: ({ counted_amount }) => (counted_amount === null ? "–" : pesos(counted_amount)),
  },
  { title: "Diferencia", isNumber: true, cell: ({ difference }) => <Difference value={difference} /> },
];

export default function Shifts() {
  const { values, clear, bar } = useFilterBar(filters);
  const list = useRecords<CashSession>("/cash-sessions", {
    status: values.estado,
    created_since: startOf(values.desde),
    created_until: endOf(values.hasta),
  });
  return (
    <>
      <Heading title="Turnos" lead="Cada turno de caja con lo que debía haber, lo que se contó y la diferencia." />
      <FilterBar bar={bar} />
      <RecordList
        label="Turnos"
        list={list}
        columns={columns}
        href={({ id }) => `/turnos/${id}`}
        onClearFilters={clear}
        words={{
          icon: "shift",
          none: "Todavía no hay turnos",
          noMatch: "Ningún turno coincide",
          hint: (
            <>
              Cada caja abre uno al empezar el día. <Link href="/cajas">Vincule una caja</Link> para empezar.
            </>
          ),
        }}
      />
    </>
  );
}

function Opening({ at, by }: { at: string; by: string | null }) {
  return (
    <span>
      <Time at={at} />
      {by && (
        <Text size="sm" c="dimmed" component="div">
          {by}
        </Text>
      )}
    </span>
  );
}

/** Missing and surplus money, in colour and in words. */
export function Difference({ value }: { value: number | null }) {
  if (value === null) return <>–</>;
  if (value === 0) return <>Cuadra</>;
  return (
    <span className={value < 0 ? "down" : "up"}>
      {value < 0 ? "Faltan" : "Sobran"} {pesos(Math.abs(value))}
    </span>
  );
}
