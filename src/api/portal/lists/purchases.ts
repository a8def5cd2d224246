import type { Purchase } from "../../../business/purchases/schema.ts";
import { listOf } from "./list.ts";
import { sedeFilter } from "./sedes.ts";
import { purchaseWords } from "./words.ts";

/** A purchase in a list; the file of the list has nothing else. */
export type ListedPurchase = Omit<Purchase, "object" | "lines" | "charges" | "receipts" | "created_at"> & {
  created_at: Date;
};

export const purchaseList = listOf<ListedPurchase>()({
  title: "Compras",
  path: "/purchases",
  file: "/tables/purchases",
  right: "purchases:read",
  isPlaced: true,
  filters: {
    ...sedeFilter,
    q: { name: "q", label: "Buscar", kind: "search", least: 2, placeholder: "Número, proveedor, factura o producto" },
    status: { name: "estado", label: "Estado", kind: "choice", placeholder: "Todos", options: purchaseWords },
    supplier_id: { name: "proveedor", kind: "id" },
    created_since: { name: "desde", label: "Desde", kind: "since" },
    created_until: { name: "hasta", label: "Hasta", kind: "until" },
  },
  columns: {
    number: { title: "Compra", type: "text", value: ({ number }) => `${number}` },
    created_at: { title: "Hecha", type: "moment", value: ({ created_at }) => created_at },
    supplier: { title: "Proveedor", type: "text", value: ({ supplier_name }) => supplier_name },
    status: { title: "Estado", type: "state", value: ({ status }) => purchaseWords[status] },
    invoice_number: {
      title: "Factura del proveedor",
      onPage: "Factura",
      type: "text",
      value: ({ invoice_number }) => invoice_number,
      none: "Sin factura",
    },
    invoice_date: { title: "Fecha de la factura", type: "text", value: ({ invoice_date }) => invoice_date },
    due_date: { title: "Vence", type: "text", value: ({ due_date }) => due_date },
    ordered_at: { title: "Pedida", type: "moment", value: ({ ordered_at }) => ordered_at },
    received_at: { title: "Recibida", type: "moment", value: ({ received_at }) => received_at },
    subtotal: { title: "Subtotal", type: "pesos", value: ({ subtotal }) => subtotal },
    tax: { title: "Impuestos", type: "pesos", value: ({ tax }) => tax },
    charges_total: { title: "Fletes y cargos", type: "pesos", value: ({ charges_total }) => charges_total },
    total: { title: "Total", type: "pesos", value: ({ total }) => total },
    owed: { title: "Recibido por valor de", type: "pesos", value: ({ owed }) => owed },
    paid: { title: "Pagado", type: "pesos", value: ({ paid }) => paid },
    balance: { title: "Por pagar", type: "pesos", value: ({ owed, paid }) => owed - paid },
    notes: { title: "Notas", type: "text", value: ({ notes }) => notes },
  },
  page: ["number", "supplier", "invoice_number", "created_at", "status", "total", "balance"],
});
