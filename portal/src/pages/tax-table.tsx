import type { TaxReport } from "../lib/answers.ts";
import { pesos, quantity } from "../lib/format.ts";
import { Figure, Figures } from "../ui/figure.tsx";
import { Empty, Section } from "../ui/parts.tsx";
import { type Column, RecordTable } from "../ui/record-table.tsx";

type Row = TaxReport["rows"][number];

const leads: Record<TaxReport["by"], string> = {
  sale: "Lo vendido cada día, menos lo que ese día se devolvió o anuló: la suma de los informes Z.",
  document: "Los documentos electrónicos aceptados, por su propia fecha; las notas restan en la suya.",
};

/** Taxes by rate, with what bears none. Bags are counted, not added to the pesos. */
export function TaxTable({ report: { by, rows, totals }, title }: { report: TaxReport; title: string }) {
  if (rows.length === 0) {
    return (
      <Section title={title} lead={leads[by]}>
        <Empty
          icon="chart"
          title={by === "sale" ? "No hubo ventas en este periodo" : "No hubo documentos electrónicos"}
        >
          Elija otros días arriba.
        </Empty>
      </Section>
    );
  }
  const columns: Column<Row>[] = [
    { title: "Impuesto", cell: ({ name }) => name },
    { title: "Tarifa", isNumber: true, cell: rateWords },
    {
      title: "Base",
      isNumber: true,
      cell: ({ base, units }) => (units === null ? pesos(base) : `${quantity(units)} und`),
      total: pesos(totals.base),
    },
    { title: "Impuesto cobrado", isNumber: true, cell: ({ amount }) => pesos(amount), total: pesos(totals.amount) },
  ];
  return (
    <>
      <Figures label="Totales del periodo">
        <Figure isMain label="Impuestos" value={pesos(totals.amount)} />
        <Figure label="Base" value={pesos(totals.base)} note="sin los impuestos" />
      </Figures>
      <Section title={title} lead={leads[by]}>
        <RecordTable
          label={title}
          rows={rows}
          rowKey={({ code, rate, per_unit }) => `${code} ${rate} ${per_unit}`}
          columns={columns}
        />
      </Section>
    </>
  );
}

function rateWords({ rate, per_unit }: Row): string {
  if (per_unit !== null) return `${pesos(per_unit)} por unidad`;
  return rate === null ? "–" : `${quantity(rate)} %`;
}
