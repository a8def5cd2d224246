import { Text } from "@mantine/core";
import { Link } from "wouter";
import type { CounterAct } from "../lib/answers.ts";
import { endOf, number, pesos, startOf } from "../lib/format.ts";
import { useList } from "../lib/queries.ts";
import { actOptions, actPeople, actTitles } from "../lib/record-words.ts";
import { FilterBar, useFilterBar } from "../ui/filter-bar.tsx";
import { Heading, StateBadge, Time } from "../ui/parts.tsx";
import { RecordList } from "../ui/record-list.tsx";
import type { Column } from "../ui/record-table.tsx";

/** What happened at the counters and is no sale. */
export default function CounterActs() {
  const { values, clear, bar } = useFilterBar([
    { name: "tipo", label: "Qué", kind: "choice", options: actOptions },
    { name: "permiso", label: "Permiso", kind: "choice", options: [{ value: "unauthorized", label: "Sin permiso" }] },
    { name: "desde", label: "Desde", kind: "date" },
    { name: "hasta", label: "Hasta", kind: "date" },
  ]);
  const list = useList<CounterAct>("/counter-acts", {
    kind: values.tipo,
    only: values.permiso,
    since: startOf(values.desde),
    until: endOf(values.hasta),
  });
  return (
    <>
      <Heading
        title="Actos de caja"
        lead="Lo que se quitó o se botó, lo que autorizó un supervisor y lo que se hizo sin permiso. Quién puede qué se decide en Ajustes → Mostrador."
      />
      <FilterBar bar={bar} />
      <RecordList
        label="Actos de caja"
        list={list}
        columns={columns}
        onClearFilters={clear}
        words={{
          icon: "shield",
          none: "Todavía no hay actos",
          noMatch: "Ningún acto coincide",
          hint: "Aparecen cuando en una caja se bota un tiquete, se quita lo que estuvo en espera o alguien autoriza algo.",
        }}
      />
    </>
  );
}

const columns: Column<CounterAct>[] = [
  {
    title: "Qué",
    cell: ({ kind, is_allowed }) => (
      <span>
        {actTitles[kind]} {!is_allowed && <StateBadge title="Sin permiso" color="red" />}
      </span>
    ),
  },
  { title: "Cuándo", cell: ({ occurred_at }) => <Time at={occurred_at} /> },
  { title: "Quién", cell: actPeople },
  {
    title: "Valor",
    isNumber: true,
    cell: ({ kind, amount }) => (amount === null ? "—" : kind === "wrong_pins" ? number(amount) : pesos(amount)),
  },
  {
    title: "Detalle",
    cell: ({ sale_id, label, detail }) => (
      <div style={{ overflowWrap: "anywhere" }}>
        {sale_id === null ? label : <Link href={`/ventas/${sale_id}`}>{label ?? "Venta"}</Link>}
        {detail && (
          <Text size="sm" c="dimmed" component="div">
            {detail}
          </Text>
        )}
        {!label && !detail && sale_id === null && "—"}
      </div>
    ),
  },
  {
    title: "Caja",
    cell: ({ register, device_id }) => <Link href={`/cajas/${device_id}`}>{register ?? "Retirada"}</Link>,
  },
];
