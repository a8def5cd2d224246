import { paymentName } from "../../../taxes/means.ts";
import type { Column } from "../tables/table.ts";
import { documentKindWords, documentName, saleMovementWords, saleStateWords } from "../tables/words.ts";
import type { SaleRow } from "./read-sales.ts";

export const saleColumns: readonly Column<SaleRow>[] = [
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
  {
    title: "Medio de pago",
    type: "text",
    value: ({ payment_method }) => paymentName(payment_method),
  },
  { title: "Líneas", type: "number", value: ({ lines }) => lines },
  { title: "Descuento", type: "pesos", value: ({ discount }) => discount },
  { title: "Impuestos", type: "pesos", value: ({ tax }) => tax },
  { title: "Propina", type: "pesos", value: ({ tip_amount }) => tip_amount },
  { title: "Total", type: "pesos", value: ({ total }) => total },
  { title: "Ventas netas", type: "pesos", value: ({ counts, net }) => (counts ? net : 0) },
  { title: "Identificador", type: "text", value: ({ sale_id }) => sale_id },
];
