import { formatNit } from "../src/taxes/nit.ts";
import type { BusinessInfo } from "./business.ts";
import type { SaleDocument } from "./counter.ts";
import { methodName, moment, pesos, quantity } from "./format.ts";
import type { KeptSale } from "./sale.ts";
import { difference, expectedCash, moved, type Shift } from "./shift.ts";

/** A piece of a printed ticket. The screen, the browser's print and a receipt printer all draw from these. */
export type Block =
  | { kind: "title" | "center" | "text" | "strong" | "code"; text: string }
  | { kind: "row" | "total"; left: string; right: string }
  | { kind: "qr"; text: string }
  | { kind: "rule" };

export const rule: Block = { kind: "rule" };
export const row = (left: string, right: string): Block => ({ kind: "row", left, right });

export interface TicketPaper {
  sale: KeptSale;
  business: BusinessInfo;
  documents: readonly SaleDocument[];
  registerName: string;
}

export function ticketPaper({ sale, business, documents, registerName }: TicketPaper): Block[] {
  const { data, charge } = sale;
  const isCancelled = data.status === "cancelled";
  return [
    ...heading(business),
    rule,
    row(`${registerName} · tiquete ${sale.number}`, moment(data.occurred_at)),
    ...(sale.cashier_name ? [row("Atendió", sale.cashier_name)] : []),
    ...(sale.customer_name ? [row("Cliente", sale.customer_name)] : []),
    ...(sale.customer_document ? [row("Documento", sale.customer_document)] : []),
    ...(data.table_label ? [row("Mesa", data.table_label)] : []),
    ...(isCancelled ? [{ kind: "strong", text: "VENTA ANULADA" } as const] : []),
    rule,
    ...data.items.flatMap((item): Block[] => [
      { kind: "text", text: item.description },
      row(`  ${quantity(item.quantity)} × ${pesos(item.unit_price)}`, pesos(item.subtotal)),
    ]),
    rule,
    ...(data.discount > 0 || data.tip_amount > 0 ? [row("Subtotal", pesos(data.subtotal))] : []),
    ...(data.discount > 0 ? [row("Descuento", pesos(-data.discount))] : []),
    ...(data.tip_amount > 0 ? [row("Propina voluntaria", pesos(data.tip_amount))] : []),
    { kind: "total", left: "TOTAL", right: pesos(data.total) },
    ...charge.payments.map(({ payment_method, amount }) => row(methodName(payment_method), pesos(amount))),
    ...(charge.cash_rounding !== 0 ? [row("Redondeo del efectivo", pesos(charge.cash_rounding))] : []),
    ...(charge.tendered > 0 ? [row("Recibido", pesos(charge.tendered)), row("Cambio", pesos(charge.change))] : []),
    ...taxLines(data.tax_breakdown),
    ...returnLines(sale),
    ...(data.notes ? [rule, { kind: "text", text: data.notes } as const] : []),
    rule,
    ...documentLines(documents, business),
    ...footing(business),
  ];
}

export function heading({ name, nit, ticket_header }: BusinessInfo): Block[] {
  return [
    { kind: "title", text: name || "Mostrador" },
    ...(nit ? [{ kind: "center", text: `NIT ${nit.includes("-") ? nit : formatNit(nit)}` } as const] : []),
    ...centered(ticket_header),
  ];
}

export function footing({ ticket_footer }: BusinessInfo): Block[] {
  return centered(ticket_footer);
}

function centered(text: string | null): Block[] {
  return (text ?? "")
    .split("\n")
    .flatMap((line): Block[] => (line.trim() ? [{ kind: "center", text: line.trim() }] : []));
}

function returnLines({ returns = [] }: KeptSale): Block[] {
  return returns.flatMap(({ lines, total, payment_method, occurred_at }): Block[] => [
    rule,
    row("DEVOLUCIÓN", moment(occurred_at)),
    ...lines.map((line) => row(`  ${quantity(line.quantity)} ${line.description ?? ""}`, pesos(-line.total))),
    row(`Devuelto · ${methodName(payment_method)}`, pesos(-total)),
  ]);
}

const taxNames: Record<string, string> = { "01": "IVA", "03": "ICA", "04": "INC", "22": "INC bolsas" };

export function taxLines(taxes: KeptSale["data"]["tax_breakdown"]): Block[] {
  if (taxes.length === 0) return [];
  return [
    rule,
    ...taxes.map(({ code, rate, per_unit, base, amount }): Block => {
      const name = taxNames[code] ?? `Impuesto ${code}`;
      return rate === null
        ? row(`${name}: ${base} × ${pesos(per_unit ?? 0)}`, pesos(amount))
        : row(`${name} ${rate} % sobre ${pesos(base)}`, pesos(amount));
    }),
  ];
}

const documentNames: Record<string, string> = {
  electronic_invoice: "Factura electrónica de venta",
  pos_document: "Documento equivalente POS electrónico",
  pos_adjustment_note: "Nota de ajuste",
  internal_invoice: "Documento interno",
};

/** A verdict may take a while: the ticket says so, and can be printed again once the document has come down. */
function documentLines(documents: readonly SaleDocument[], { nit, contingency }: BusinessInfo): Block[] {
  if (documents.length === 0) {
    const text = nit === null ? "Comprobante de venta" : "El documento electrónico está en camino.";
    return [{ kind: "center", text }];
  }
  return documents.flatMap((one): Block[] => [
    { kind: "center", text: documentNames[one.document_type] ?? "Documento" },
    ...(one.number ? [{ kind: "center", text: `${one.prefix ?? ""}${one.number}` } as const] : []),
    ...statusLine(one, contingency),
    ...(one.cufe ? [{ kind: "code", text: `${isInvoice(one) ? "CUFE" : "CUDE"} ${one.cufe}` } as const] : []),
    ...(one.qr && one.status === "issued" ? [{ kind: "qr", text: one.qr } as const] : []),
  ]);
}

const isInvoice = ({ document_type }: SaleDocument) => document_type === "electronic_invoice";

function statusLine({ status, dian_message }: SaleDocument, contingency: string | null): Block[] {
  const texts: Record<string, string> = {
    pending: contingency ?? "La DIAN todavía no ha respondido: puede volver a imprimir este tiquete más tarde.",
    rejected: `Rechazado por la DIAN. ${dian_message ?? ""}`.trim(),
    emission_failed: `No se pudo emitir. ${dian_message ?? "Avise a quien administra el negocio."}`,
    annulled: "Anulado.",
  };
  return texts[status] ? [{ kind: "center", text: texts[status] }] : [];
}

/** The report of a shift: X while it is open, Z once it is closed. */
export function shiftPaper(shift: Shift, business: BusinessInfo): Block[] {
  const isClosed = shift.closed_at !== null;
  const gap = difference(shift);
  return [
    ...heading(business),
    rule,
    { kind: "strong", text: isClosed ? "CIERRE DE TURNO (Z)" : "INFORME DEL TURNO (X)" },
    row("Caja", shift.register_name),
    row("Abrió", [moment(shift.opened_at), shift.opened_by].filter(Boolean).join(" · ")),
    ...(shift.closed_at ? [row("Cerró", [moment(shift.closed_at), shift.closed_by].filter(Boolean).join(" · "))] : []),
    rule,
    row("Ventas", String(shift.sales_count)),
    { kind: "total", left: "Total vendido", right: pesos(shift.sales_total) },
    ...shift.payments.map(({ payment_method, count, amount }) =>
      row(`${methodName(payment_method)} (${count})`, pesos(amount)),
    ),
    rule,
    row("Base", pesos(shift.opening_amount)),
    row("Ventas en efectivo", pesos(shift.cash_sales)),
    ...(shift.refunded ? [row("Devoluciones en efectivo", pesos(-shift.refunded))] : []),
    row("Entradas", pesos(moved(shift, "in"))),
    row("Salidas", pesos(-moved(shift, "out"))),
    ...shift.movements.map(({ type, amount, reason }) =>
      row(`  ${reason ?? (type === "in" ? "Entrada" : "Salida")}`, pesos(type === "in" ? amount : -amount)),
    ),
    { kind: "total", left: "Efectivo esperado", right: pesos(expectedCash(shift)) },
    ...(shift.counted_amount === null ? [] : [row("Contado", pesos(shift.counted_amount))]),
    ...(gap === null ? [] : [row(gap === 0 ? "Diferencia" : gap > 0 ? "Sobra" : "Falta", pesos(gap))]),
  ];
}
