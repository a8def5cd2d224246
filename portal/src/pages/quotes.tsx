import { useQuery } from "@tanstack/react-query";
import type { Answer, QuoteRow } from "../lib/answers.ts";
import { get, query } from "../lib/api.ts";
import { endOf, number, pesos, startOf } from "../lib/format.ts";
import { useList } from "../lib/queries.ts";
import { documentName, quoteStates } from "../lib/record-words.ts";
import { CustomerFilter } from "../ui/customer-select.tsx";
import { ExportMenu } from "../ui/export-menu.tsx";
import { Figure, Figures } from "../ui/figure.tsx";
import { type Filter, FilterBar, useFilterBar } from "../ui/filter-bar.tsx";
import { Heading, StateBadge, Time } from "../ui/parts.tsx";
import { RecordList } from "../ui/record-list.tsx";
import type { Column } from "../ui/record-table.tsx";

const filters = [
  { name: "q", label: "Buscar", kind: "text", placeholder: "Número o cliente" },
  {
    name: "estado",
    label: "Estado",
    kind: "choice",
    placeholder: "Todas",
    options: Object.entries(quoteStates).map(([value, { title }]) => ({ value, label: title })),
  },
  { name: "cliente", label: "Cliente", kind: "own", input: CustomerFilter },
  { name: "desde", label: "Desde", kind: "date" },
  { name: "hasta", label: "Hasta", kind: "date" },
] as const satisfies Filter[];

const columns: Column<QuoteRow>[] = [
  { title: "Cotización", cell: (quote) => documentName(quote) },
  { title: "Cliente", cell: ({ customer_name }) => customer_name ?? "Sin nombre" },
  { title: "Fecha", cell: ({ issued_at }) => <Time at={issued_at} /> },
  { title: "Vence", isExtra: true, cell: ({ expires_at }) => (expires_at ? <Time at={expires_at} /> : "No vence") },
  { title: "Estado", cell: ({ status }) => <StateBadge {...quoteStates[status]} /> },
  { title: "Total", isNumber: true, cell: ({ total }) => pesos(total) },
];

export default function Quotes() {
  const { values, clear, bar } = useFilterBar(filters);
  const q = values.q !== undefined && values.q.trim().length >= 2 ? values.q : undefined;
  const asked = {
    q,
    status: values.estado,
    customer_id: values.cliente,
    created_since: startOf(values.desde),
    created_until: endOf(values.hasta),
  };
  const list = useList<QuoteRow>("/quotes", asked);
  return (
    <>
      <Heading title="Cotizaciones" lead="Lo que se ofreció a un cliente, y qué pasó con cada oferta.">
        <ExportMenu href={(format) => `/tables/quotes.${format}${query(asked)}`} />
      </Heading>
      <FilterBar bar={bar} />
      <RecordList
        label="Cotizaciones"
        list={list}
        columns={columns}
        href={({ id }) => `/cotizaciones/${id}`}
        totals={<Totals filters={asked} />}
        onClearFilters={clear}
        words={{
          icon: "quote",
          none: "Todavía no hay cotizaciones",
          noMatch: "Ninguna cotización coincide",
          hint: "Se hacen en una caja y aparecen aquí cuando sincroniza.",
        }}
      />
    </>
  );
}

function Totals({ filters: asked }: { filters: Record<string, string | undefined> }) {
  const { data } = useQuery({
    queryKey: ["quote-totals", asked],
    queryFn: ({ signal }) => get<Answer<"GET /quotes/totals">>(`/quotes/totals${query(asked)}`, signal),
    refetchInterval: 15_000,
    placeholderData: (before) => before,
  });
  if (!data || data.count === 0) return null;
  return (
    <Figures label="Totales de lo filtrado">
      <Figure isMain label="Cotizado" value={pesos(data.total)} />
      <Figure label="Cotizaciones" value={number(data.count)} />
      <Figure label="Cotización promedio" value={pesos(Math.round(data.total / data.count))} />
    </Figures>
  );
}
