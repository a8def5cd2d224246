import { SegmentedControl } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { useFilters } from "../lib/address.ts";
import type { Answer, DocumentRow } from "../lib/answers.ts";
import { get, query } from "../lib/api.ts";
import { endOf, number, pesos, plural, startOf } from "../lib/format.ts";
import { useList } from "../lib/queries.ts";
import { documentKindOptions, documentName, documentStates, isNote } from "../lib/record-words.ts";
import { documentTitle } from "../lib/words.ts";
import { CustomerFilter } from "../ui/customer-select.tsx";
import { ExportMenu } from "../ui/export-menu.tsx";
import { Figure, Figures } from "../ui/figure.tsx";
import { type Filter, FilterBar, useFilterBar } from "../ui/filter-bar.tsx";
import { Heading, StateBadge, Time } from "../ui/parts.tsx";
import { RecordList } from "../ui/record-list.tsx";
import type { Column } from "../ui/record-table.tsx";
import { Unissued } from "./unissued-documents.tsx";

/** The place of those that need attention among the states; it is no state of a document. */
const toAttend = "por-atender";

export default function Documents() {
  const [{ estado }, setFilters] = useFilters(["estado"]);
  const isToAttend = estado === toAttend;
  const choice = (
    <SegmentedControl
      mb="md"
      aria-label="Qué documentos"
      value={isToAttend ? toAttend : ""}
      onChange={(value) => setFilters({ estado: value || null })}
      data={[
        { value: "", label: "Todos" },
        { value: toAttend, label: "Por atender" },
      ]}
    />
  );
  if (!isToAttend) return <All choice={choice} />;
  return (
    <>
      <Top href={(format) => `/tables/unissued.${format}`} />
      {choice}
      <Unissued />
    </>
  );
}

function Top({ href }: Pick<Parameters<typeof ExportMenu>[0], "href">) {
  return (
    <Heading title="Documentos" lead="Facturas, documentos POS y notas, con lo que dijo la DIAN de cada uno.">
      <ExportMenu href={href} />
    </Heading>
  );
}

const filters = [
  { name: "desde", label: "Desde", kind: "date" },
  { name: "hasta", label: "Hasta", kind: "date" },
  {
    name: "estado",
    label: "Estado",
    kind: "choice",
    options: Object.entries(documentStates).map(([value, { title }]) => ({ value, label: title })),
  },
  { name: "clase", label: "Clase", kind: "choice", placeholder: "Todas", options: documentKindOptions },
  { name: "numero", label: "Número", kind: "text", placeholder: "EPOS 1024" },
  { name: "comprador", label: "Comprador", kind: "own", input: CustomerFilter },
] as const satisfies Filter[];

const columns: Column<DocumentRow>[] = [
  { title: "Documento", cell: (document) => documentName(document) },
  { title: "Clase", cell: ({ document_type }) => documentTitle(document_type) },
  { title: "Estado", cell: ({ status }) => <StateBadge {...documentStates[status]} /> },
  { title: "Fecha", cell: ({ issued_at }) => <Time at={issued_at} /> },
  { title: "Comprador", cell: ({ buyer }) => buyer?.name ?? "Consumidor final" },
  {
    title: "Total",
    isNumber: true,
    cell: (document) => `${isNote(document) ? "− " : ""}${pesos(document.total)}`,
  },
];

function All({ choice }: { choice: ReactNode }) {
  const { values, clear, bar } = useFilterBar(filters);
  const asked = {
    issued_since: startOf(values.desde),
    issued_until: endOf(values.hasta),
    status: values.estado,
    document_type: values.clase,
    number: values.numero,
    customer_id: values.comprador,
  };
  const list = useList<DocumentRow>("/invoices", asked);
  return (
    <>
      <Top href={(format) => `/tables/invoices.${format}${query(asked)}`} />
      {choice}
      <FilterBar bar={bar} />
      <RecordList
        label="Documentos"
        list={list}
        columns={columns}
        href={({ id }) => `/documentos/${id}`}
        totals={<Totals filters={asked} />}
        onClearFilters={clear}
        words={{
          icon: "receipt",
          none: "Todavía no hay documentos",
          noMatch: "Ningún documento coincide",
          hint: (
            <>
              Cada venta completada tiene el suyo cuando el negocio registra sus datos en{" "}
              <Link href="/ajustes/facturacion">Facturación</Link>.
            </>
          ),
        }}
      />
    </>
  );
}

function Totals({ filters: asked }: { filters: Record<string, string | undefined> }) {
  const { data } = useQuery({
    queryKey: ["document-totals", asked],
    queryFn: ({ signal }) => get<Answer<"GET /invoices/totals">>(`/invoices/totals${query(asked)}`, signal),
    refetchInterval: 15_000,
    placeholderData: (before) => before,
  });
  if (!data || data.count + data.notes.count === 0) return null;
  const { count, total, tax, notes } = data;
  return (
    <Figures label="Totales de lo filtrado">
      <Figure
        isMain
        label="En documentos"
        value={pesos(total)}
        note={`${plural(count, "documento", "documentos")} · impuestos ${pesos(tax)}`}
      />
      {notes.count > 0 && (
        <Figure label="En notas" value={`− ${pesos(notes.total)}`} note={plural(notes.count, "nota", "notas")} />
      )}
      <Figure label="Documentos y notas" value={number(count + notes.count)} />
    </Figures>
  );
}
