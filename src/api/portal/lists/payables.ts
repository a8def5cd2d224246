import type { Purchase } from "../../../business/purchases/schema.ts";
import { listOf } from "./list.ts";
import { sedeFilter } from "./sedes.ts";
import { type PayableStanding, payableWords } from "./words.ts";

/** A purchase that is not paid, or paid too much. */
export interface ListedPayable
  extends Pick<
    Purchase,
    "id" | "number" | "supplier_id" | "supplier_name" | "invoice_number" | "due_date" | "owed" | "paid" | "location_id"
  > {
  balance: number;
  standing: PayableStanding;
}

/** What is owed, to whom and when: what is due first stands first. */
export const payableList = listOf<ListedPayable>()({
  title: "Por pagar",
  path: "/payables",
  file: "/tables/payables",
  right: "purchases:read",
  isPlaced: true,
  filters: {
    ...sedeFilter,
    q: { name: "q", label: "Buscar", kind: "search", least: 2, placeholder: "Proveedor, factura o compra" },
    supplier_id: { name: "proveedor", kind: "id" },
  },
  columns: {
    supplier: { title: "Proveedor", type: "text", value: ({ supplier_name }) => supplier_name },
    number: { title: "Compra", type: "text", value: ({ number }) => `${number}` },
    invoice_number: {
      title: "Factura",
      type: "text",
      value: ({ invoice_number }) => invoice_number,
      none: "Sin factura",
    },
    due_date: { title: "Vence", type: "text", value: ({ due_date }) => due_date },
    standing: { title: "Estado", type: "state", value: ({ standing }) => payableWords[standing] },
    owed: { title: "Recibido", type: "pesos", value: ({ owed }) => owed },
    paid: { title: "Pagado", type: "pesos", value: ({ paid }) => paid },
    balance: { title: "Por pagar", type: "pesos", value: ({ balance }) => balance },
  },
  page: ["supplier", "number", "invoice_number", "due_date", "standing", "balance"],
});
