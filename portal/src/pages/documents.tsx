import { SegmentedControl } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { documentList, unissuedList } from "../../../src/api/portal/lists/documents.ts";
import { useFilters } from "../lib/address.ts";
import type { Answer } from "../lib/answers.ts";
import { number, pesos, plural } from "../lib/format.ts";
import { isNote } from "../lib/record-words.ts";
import type { AskedText } from "../lists/list-filters.ts";
import { ListPage, useTotals } from "../lists/list-page.tsx";
import { useSedeColumn } from "../lists/sede-column.tsx";
import { ExportMenu } from "../ui/export-menu.tsx";
import { Figure, Figures } from "../ui/figure.tsx";
import { Heading } from "../ui/parts.tsx";
import { Unissued } from "./unissued-documents.tsx";

/** The place of those that need attention among the states; it is no state of a document. */
const toAttend = "por-atender";
const heading = { lead: "Facturas, documentos POS y notas, con lo que dijo la DIAN de cada uno." };

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
      <Heading title={documentList.title} {...heading}>
        <ExportMenu href={(format) => `${unissuedList.file}.${format}`} />
      </Heading>
      {choice}
      <Unissued />
    </>
  );
}

function All({ choice }: { choice: ReactNode }) {
  return (
    <ListPage
      list={documentList}
      heading={heading}
      top={() => choice}
      besides={useSedeColumn()}
      cells={{ total: (document) => `${isNote(document) ? "− " : ""}${pesos(document.total)}` }}
      href={({ id }) => `/documentos/${id}`}
      totals={(asked) => <Totals asked={asked} />}
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
  );
}

function Totals({ asked }: { asked: AskedText }) {
  const { data } = useTotals<Answer<"GET /invoices/totals">>("/invoices", asked);
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
