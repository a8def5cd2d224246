import type { InvoiceSummary } from "../../../business/invoices/schema.ts";
import type { PaymentPart } from "../../../business/sale-totals/definition.ts";
import type { Sale } from "../../../business/sales/schema.ts";
import { paymentNames } from "../../../taxes/means.ts";
import { type AsRead, type ListColumn, listOf } from "./list.ts";
import { sedeFilter } from "./sedes.ts";
import { documentName, saleKinds, saleMovements, saleState } from "./words.ts";

/** A sale in a list, or what took one back; then its amounts are negative, and the rest is that of its sale. */
export interface SaleRow
  extends Pick<Sale, "status" | "payment_method" | "document_kind" | "total" | "tax" | "tip_amount" | "discount"> {
  id: string;
  kind: "sale" | "return" | "cancellation" | "correction";
  sale_id: string;
  occurred_at: Date;
  /** The status, unless something of the sale was returned. */
  state: string;
  /** The part of the total that is sales: neither a tip nor collected for third parties. */
  net: number;
  /** What was paid, or given back, with the means that was asked for; null if none was. */
  paid: number | null;
  /** By which means it was paid, or given back. They add up to the total. */
  parts: PaymentPart[];
  /** Whether it is in the sums: not a sale that is still open, or that was cancelled before it was sold. */
  counts: boolean;
  /** A sale as it was counted, which its register corrected afterwards. */
  is_corrected: boolean;
  customer: { id: string; name: string | null } | null;
  location_id: string;
  /** The register's name; null when there is neither a shift nor a device. */
  register: string | null;
  cashier: string | null;
  documents: InvoiceSummary[];
  lines: number;
}

type Row = AsRead<SaleRow>;
/** What was received by each means, as columns of the file. */
export type MeansColumns = Readonly<Record<`means ${string}`, ListColumn<Row>>>;

/** The file's amounts add up to what the page says of the same filters, so what does not count has none in them. */
export const countedAmount = (title: string, value: (row: Row) => number): ListColumn<Row> => ({
  title,
  type: "pesos",
  value: (row) => (row.counts ? value(row) : 0),
});

export const saleList = (means: MeansColumns = {}) =>
  listOf<SaleRow>()({
    title: "Ventas",
    path: "/sales",
    file: "/tables/sales",
    right: "sales:read",
    isPlaced: true,
    filters: {
      ...sedeFilter,
      occurred_since: { name: "desde", label: "Desde", kind: "since" },
      occurred_until: { name: "hasta", label: "Hasta", kind: "until" },
      movement: {
        name: "movimiento",
        label: "Movimiento",
        kind: "choice",
        options: { sales: "Ventas", returns: "Devoluciones, anulaciones y correcciones" },
      },
      register: { name: "caja", label: "Caja", kind: "text", most: 120, placeholder: "Todas" },
      payment_method: { name: "medio", label: "Medio de pago", kind: "text", most: 40 },
      // As the list shows it: a status, or that of a returned sale.
      state: { name: "estado", label: "Estado", kind: "text", most: 40 },
      document_kind: { name: "tipo", label: "Documento pedido", kind: "choice", options: saleKinds },
      // Of one of the sale's documents, with its prefix or without.
      number: { name: "documento", label: "Número de documento", kind: "text", most: 40, placeholder: "EPOS 1024" },
      customer_id: { name: "cliente", label: "Cliente", kind: "customer" },
      total_min: { name: "minimo", label: "Total desde", kind: "amount", placeholder: "$" },
      total_max: { name: "maximo", label: "Total hasta", kind: "amount", placeholder: "$" },
      cash_session_id: { name: "turno", kind: "id" },
      status: { kind: "text", most: 40 },
    },
    columns: {
      occurred_at: { title: "Fecha", onPage: "Cuándo", type: "moment", value: ({ occurred_at }) => occurred_at },
      kind: { title: "Movimiento", type: "text", value: ({ kind }) => movementTitle(kind) },
      state: { title: "Estado", type: "text", value: ({ state }) => saleState(state).title },
      documents: {
        title: "Documento",
        type: "text",
        value: ({ documents }) => documents.map(documentName).filter(Boolean).join(", "),
      },
      document_kind: {
        title: "Tipo",
        type: "text",
        value: ({ document_kind }) => (document_kind === "pos" ? "POS" : saleKinds[document_kind]),
      },
      customer: { title: "Cliente", type: "text", value: ({ customer }) => customer?.name, none: "Consumidor final" },
      register: { title: "Caja", type: "text", value: ({ register }) => register, isExtra: true },
      cashier: { title: "Cajero", type: "text", value: ({ cashier }) => cashier },
      means: { title: "Medio de pago", onPage: "Medio", type: "text", value: ({ parts }) => paymentNames(parts) },
      lines: { title: "Líneas", type: "number", value: ({ lines }) => lines },
      discount: countedAmount("Descuento", ({ discount }) => discount),
      tax: countedAmount("Impuestos", ({ tax }) => tax),
      tip: countedAmount("Propina", ({ tip_amount }) => tip_amount),
      total: countedAmount("Total", ({ total }) => total),
      net: countedAmount("Ventas netas", ({ net }) => net),
      passthrough: countedAmount("Para terceros", ({ total, tip_amount, net }) => total - tip_amount - net),
      ...means,
      counts: { title: "Cuenta en las sumas", type: "text", value: countsText },
      uncounted: { title: "Total que no cuenta", type: "pesos", value: ({ counts, total }) => (counts ? 0 : total) },
      sale_id: { title: "Identificador", type: "text", value: ({ sale_id }) => sale_id },
    },
    page: ["occurred_at", "documents", "customer", "register", "means", "state", "total"],
  });

const movementTitle = (kind: SaleRow["kind"]) => (kind === "sale" ? "Venta" : saleMovements[kind].title);

function countsText({ counts, status }: Row): string {
  if (counts) return "Sí";
  return status === "cancelled" ? "No: se anuló antes de cobrarla" : "No: no se ha cobrado";
}
