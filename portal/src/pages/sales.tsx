import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useFilters } from "../lib/address.ts";
import type { Answer, SaleRow } from "../lib/answers.ts";
import { get, query } from "../lib/api.ts";
import { endOf, number, pesos, plural, startOf } from "../lib/format.ts";
import { useList } from "../lib/queries.ts";
import { documentName, saleKinds } from "../lib/record-words.ts";
import { paymentTitle, saleState } from "../lib/words.ts";
import { CustomerFilter } from "../ui/customer-select.tsx";
import { ExportMenu } from "../ui/export-menu.tsx";
import { Figure, Figures } from "../ui/figure.tsx";
import { type Filter, FilterBar, useFilterBar } from "../ui/filter-bar.tsx";
import { Heading, StateBadge, Time } from "../ui/parts.tsx";
import { RecordList } from "../ui/record-list.tsx";
import type { Column } from "../ui/record-table.tsx";

export const saleTableColumns: Column<SaleRow>[] = [
  { title: "Cuándo", cell: ({ occurred_at }) => <Time at={occurred_at} /> },
  { title: "Documento", cell: ({ documents }) => <DocumentsOf documents={documents} /> },
  { title: "Cliente", cell: ({ customer }) => customer?.name ?? "Consumidor final" },
  { title: "Caja", isExtra: true, cell: ({ register }) => register ?? "–" },
  { title: "Medio", cell: ({ payment_method }) => paymentTitle(payment_method) },
  { title: "Estado", cell: ({ status }) => <StateBadge {...saleState(status)} /> },
  { title: "Total", isNumber: true, cell: ({ total }) => pesos(total) },
];

export default function Sales() {
  const filters = useSaleFilters();
  const { values, clear, bar } = useFilterBar(filters);
  const [{ turno }, setShift] = useFilters(["turno"]);
  const asked = {
    occurred_since: startOf(values.desde),
    occurred_until: endOf(values.hasta),
    register: values.caja,
    status: values.estado,
    payment_method: values.medio,
    document_kind: values.tipo,
    customer_id: values.cliente,
    number: values.documento,
    total_min: values.minimo,
    total_max: values.maximo,
    cash_session_id: turno,
  };
  const list = useList<SaleRow>("/sales", asked);
  return (
    <>
      <Heading title="Ventas" lead="Lo que registraron sus cajas, con su documento, su medio de pago y su total.">
        <ExportMenu href={(format) => `/tables/sales.${format}${query(asked)}`} />
      </Heading>
      <FilterBar bar={bar} />
      {turno && (
        <Text mb="md">
          Solo las ventas de <Link href={`/turnos/${turno}`}>un turno</Link>.{" "}
          <button type="button" className="as-link" onClick={() => setShift({ turno: null })}>
            Ver las de todos
          </button>
        </Text>
      )}
      <RecordList
        label="Ventas"
        list={list}
        columns={saleTableColumns}
        href={({ id }) => `/ventas/${id}`}
        totals={<Totals filters={asked} />}
        onClearFilters={clear ?? (turno ? () => setShift({ turno: null }) : undefined)}
        words={{
          icon: "sale",
          none: "Todavía no hay ventas",
          noMatch: "Ninguna venta coincide",
          hint: (
            <>
              Llegan solas cuando una caja sincroniza. <Link href="/cajas">Vincule una caja</Link> para empezar.
            </>
          ),
        }}
      />
    </>
  );
}

function useSaleFilters() {
  const { data: choices } = useQuery({
    queryKey: ["sale-choices"],
    queryFn: ({ signal }) => get<Answer<"GET /sales/choices">>("/sales/choices", signal),
    staleTime: 60_000,
  });
  const options = (values: readonly string[] | undefined, title: (value: string) => string) =>
    (values ?? []).map((value) => ({ value, label: title(value) }));
  return [
    { name: "desde", label: "Desde", kind: "date" },
    { name: "hasta", label: "Hasta", kind: "date" },
    {
      name: "caja",
      label: "Caja",
      kind: "choice",
      placeholder: "Todas",
      options: options(choices?.registers, (name) => name),
    },
    { name: "medio", label: "Medio de pago", kind: "choice", options: options(choices?.payment_methods, paymentTitle) },
    {
      name: "estado",
      label: "Estado",
      kind: "choice",
      options: options(choices?.statuses, (status) => saleState(status).title),
    },
    {
      name: "tipo",
      label: "Documento pedido",
      kind: "choice",
      options: Object.entries(saleKinds).map(([value, label]) => ({ value, label })),
    },
    { name: "documento", label: "Número de documento", kind: "text", placeholder: "EPOS 1024" },
    { name: "cliente", label: "Cliente", kind: "own", input: CustomerFilter },
    { name: "minimo", label: "Total desde", kind: "amount", placeholder: "$" },
    { name: "maximo", label: "Total hasta", kind: "amount", placeholder: "$" },
  ] as const satisfies Filter[];
}

/** What all the filtered sales add up to, not only those on screen. */
function Totals({ filters }: { filters: Record<string, string | undefined> }) {
  const { data } = useQuery({
    queryKey: ["sale-totals", filters],
    queryFn: ({ signal }) => get<Answer<"GET /sales/totals">>(`/sales/totals${query(filters)}`, signal),
    refetchInterval: 15_000,
    placeholderData: (before) => before,
  });
  if (!data || (data.count === 0 && data.cancelled.count === 0)) return null;
  return <SaleFigures totals={data} isOfCancelled={filters.status === "cancelled"} />;
}

export function SaleFigures({
  totals: { count, total, tax, tip_amount, cancelled },
  isOfCancelled = false,
  label = "Vendido",
}: {
  totals: Answer<"GET /sales/totals">;
  isOfCancelled?: boolean;
  label?: string;
}) {
  const left = !isOfCancelled && cancelled.count > 0;
  return (
    <Figures label="Totales de lo filtrado">
      <Figure
        isMain
        label={isOfCancelled ? "Anulado" : label}
        value={pesos(total)}
        {...(left && { note: `sin ${plural(cancelled.count, "anulada", "anuladas")} por ${pesos(cancelled.total)}` })}
      />
      <Figure label="Ventas" value={number(count)} />
      <Figure label="Venta promedio" value={pesos(count === 0 ? 0 : Math.round(total / count))} />
      <Figure label="Impuestos" value={pesos(tax)} />
      {tip_amount > 0 && <Figure label="Propinas" value={pesos(tip_amount)} />}
    </Figures>
  );
}

function DocumentsOf({ documents }: Pick<SaleRow, "documents">) {
  if (documents.length === 0) return <>Sin documento</>;
  return <>{documents.map((document) => documentName(document)).join(", ")}</>;
}
