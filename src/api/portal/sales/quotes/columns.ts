import type { Quote } from "../../../../business/quotes/schema.ts";
import { documentName, quoteStatusWords } from "../../lists/words.ts";
import type { Column } from "../../tables/table.ts";

export const quoteColumns: readonly Column<Quote>[] = [
  { title: "Fecha", type: "moment", value: ({ issued_at }) => new Date(issued_at) },
  { title: "Cotización", type: "text", value: documentName },
  { title: "Estado", type: "text", value: ({ status }) => quoteStatusWords[status] },
  { title: "Cliente", type: "text", value: ({ customer_name }) => customer_name },
  { title: "Subtotal", type: "pesos", value: ({ subtotal }) => subtotal },
  { title: "Descuento", type: "pesos", value: ({ discount }) => discount },
  { title: "Impuestos", type: "pesos", value: ({ tax }) => tax },
  { title: "Total", type: "pesos", value: ({ total }) => total },
  {
    title: "Vence",
    type: "date",
    value: ({ expires_at }) => (expires_at === null ? null : new Date(expires_at)),
  },
  { title: "Notas", type: "text", value: ({ notes }) => notes },
];
