import type { Quote } from "../../../business/quotes/schema.ts";
import { listOf } from "./list.ts";
import { sedeFilter } from "./sedes.ts";
import { documentName, quoteStates } from "./words.ts";

/** A quote in a list; the file of the list has nothing else. */
export type ListedQuote = Omit<Quote, "object" | "items" | "created_at"> & { created_at: Date };

export const quoteList = listOf<ListedQuote>()({
  title: "Cotizaciones",
  path: "/quotes",
  file: "/tables/quotes",
  right: "sales:read",
  isPlaced: true,
  filters: {
    ...sedeFilter,
    q: { name: "q", label: "Buscar", kind: "search", least: 2, placeholder: "Número o cliente" },
    status: { name: "estado", label: "Estado", kind: "choice", placeholder: "Todas", options: quoteStates },
    customer_id: { name: "cliente", label: "Cliente", kind: "customer" },
    created_since: { name: "desde", label: "Desde", kind: "since" },
    created_until: { name: "hasta", label: "Hasta", kind: "until" },
  },
  columns: {
    issued_at: { title: "Fecha", type: "moment", value: ({ issued_at }) => issued_at },
    name: { title: "Cotización", type: "text", value: documentName, none: "Sin número" },
    status: { title: "Estado", type: "state", value: ({ status }) => quoteStates[status] },
    customer: { title: "Cliente", type: "text", value: ({ customer_name }) => customer_name, none: "Sin nombre" },
    subtotal: { title: "Subtotal", type: "pesos", value: ({ subtotal }) => subtotal },
    discount: { title: "Descuento", type: "pesos", value: ({ discount }) => discount },
    tax: { title: "Impuestos", type: "pesos", value: ({ tax }) => tax },
    total: { title: "Total", type: "pesos", value: ({ total }) => total },
    expires_at: {
      title: "Vence",
      type: "date",
      value: ({ expires_at }) => expires_at,
      none: "No vence",
      isExtra: true,
    },
    notes: { title: "Notas", type: "text", value: ({ notes }) => notes },
  },
  page: ["name", "customer", "issued_at", "expires_at", "status", "total"],
});
