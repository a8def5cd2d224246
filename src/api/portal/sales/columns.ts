import { keyOf } from "../../../business/sale-totals/move-totals.ts";
import { allMeans, otherMeans, paymentName, paymentNames } from "../../../taxes/means.ts";
import { documentKindWords, documentName, saleMovementWords, saleStateWords } from "../lists/words.ts";
import type { Column } from "../tables/table.ts";
import type { SaleRow } from "./read-sales.ts";

/**
 * The columns of the file of sales, with one for each of these means of payment. Its amounts add up to what the page says of the
 * same filters, so what does not count has none in them.
 */
export function saleColumns(means: readonly string[]): Column<SaleRow>[] {
  return [...identity, ...amounts, ...meansColumns(means), ...remarks];
}

const identity: readonly Column<SaleRow>[] = [
  { title: "Fecha", type: "moment", value: ({ occurred_at }) => occurred_at },
  { title: "Movimiento", type: "text", value: ({ kind }) => saleMovementWords[kind] },
  { title: "Estado", type: "text", value: ({ state }) => saleStateWords[state] ?? state },
  {
    title: "Documento",
    type: "text",
    value: ({ documents }) => documents.map(documentName).filter(Boolean).join(", "),
  },
  { title: "Tipo", type: "text", value: ({ document_kind }) => documentKindWords[document_kind] },
  { title: "Cliente", type: "text", value: ({ customer }) => customer?.name },
  { title: "Caja", type: "text", value: ({ register }) => register },
  { title: "Cajero", type: "text", value: ({ cashier }) => cashier },
  { title: "Medio de pago", type: "text", value: ({ parts }) => paymentNames(parts) },
  { title: "Líneas", type: "number", value: ({ lines }) => lines },
];

const amount = (title: string, value: (row: SaleRow) => number): Column<SaleRow> => ({
  title,
  type: "pesos",
  value: (row) => (row.counts ? value(row) : 0),
});

const amounts: readonly Column<SaleRow>[] = [
  amount("Descuento", ({ discount }) => discount),
  amount("Impuestos", ({ tax }) => tax),
  amount("Propina", ({ tip_amount }) => tip_amount),
  amount("Total", ({ total }) => total),
  amount("Ventas netas", ({ net }) => net),
  amount("Para terceros", ({ total, tip_amount, net }) => total - tip_amount - net),
];

const remarks: readonly Column<SaleRow>[] = [
  { title: "Cuenta en las sumas", type: "text", value: countsText },
  { title: "Total que no cuenta", type: "pesos", value: ({ counts, total }) => (counts ? 0 : total) },
  { title: "Identificador", type: "text", value: ({ sale_id }) => sale_id },
];

function countsText({ counts, status }: SaleRow): string {
  if (counts) return "Sí";
  return status === "cancelled" ? "No: se anuló antes de cobrarla" : "No: no se ha cobrado";
}

/** More would be no table to read. */
const maxMeans = 30;

/** What came by each means, in the order in which people choose. What has no column of its own is in the last one, with the other means. */
function meansColumns(means: readonly string[]): Column<SaleRow>[] {
  const other = paymentName(otherMeans);
  const used = new Set(means);
  const own = [...allMeans.filter((code) => used.has(code)), ...means].map(paymentName);
  const names = [...new Set(own)].filter((name) => name !== other).slice(0, maxMeans);
  const columnOf = (code: string) => {
    const name = paymentName(keyOf(code));
    return names.includes(name) ? name : other;
  };
  return [...names, other].map((name) =>
    amount(`Recibido: ${name}`, ({ parts }) =>
      parts.reduce((sum, part) => (columnOf(part.payment_method) === name ? sum + part.amount : sum), 0),
    ),
  );
}
