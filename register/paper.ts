import { paymentName } from "../src/taxes/means.ts";
import { formatNit } from "../src/taxes/nit.ts";
import type { BusinessInfo } from "./business.ts";
import { moment, pesos, quantity } from "./format.ts";
import type { KeptSale } from "./sale.ts";
import type { SaleDocument } from "./sale-document.ts";
import { placeName } from "./ticket-name.ts";

/** A piece of a printed ticket. The screen, the browser's print and a receipt printer all draw from these. */
export type Block =
  | { kind: "title" | "center" | "text" | "strong" | "item" | "code"; text: string }
  /** What would tell the expected cash may be kept from the screen: the paper is the owner's. */
  | { kind: "row" | "total"; left: string; right: string; isOfDrawer?: true }
  /** `says` is what somebody hears who does not see it. */
  | { kind: "qr"; text: string; says: string }
  | { kind: "rule" };

export const rule: Block = { kind: "rule" };
export const row = (left: string, right: string): Block => ({ kind: "row", left, right });

export interface TicketPaper {
  sale: KeptSale;
  business: BusinessInfo;
  documents: readonly SaleDocument[];
  registerName: string;
  /** Where the buyer sees the document. */
  link?: string | undefined;
  /** It was printed before: two tickets are not two sales. */
  isCopy?: boolean;
}

export function ticketPaper({ sale, business, documents, registerName, link, isCopy = false }: TicketPaper): Block[] {
  const { data, charge } = sale;
  const isCancelled = data.status === "cancelled";
  return [
    ...heading(business),
    ...(isCopy ? [{ kind: "strong", text: "COPIA" } as const] : []),
    rule,
    row(whereOf(sale, registerName), moment(data.occurred_at)),
    ...(sale.number > 0 ? [row("Venta del turno", String(sale.number))] : []),
    ...(sale.cashier_name ? [row("Atendió", sale.cashier_name)] : []),
    ...(sale.customer_name ? [row("Cliente", sale.customer_name)] : []),
    ...(sale.customer_document ? [row("Documento", sale.customer_document)] : []),
    ...(data.table_label ? [row("Para", placeName(data.table_label))] : []),
    ...(isCancelled ? [{ kind: "strong", text: "VENTA ANULADA" } as const] : []),
    rule,
    ...data.items.flatMap((item): Block[] => [
      { kind: "text", text: item.description },
      row(`  ${quantity(item.quantity)} × ${pesos(shownPrice(item))}`, pesos(item.subtotal)),
      ...bagLine(item),
    ]),
    rule,
    ...(data.discount > 0 || data.tip_amount > 0 ? [row("Subtotal", pesos(data.subtotal))] : []),
    ...(data.discount > 0 ? [row("Descuento", pesos(-data.discount))] : []),
    ...(data.tip_amount > 0 ? [row("Propina voluntaria", pesos(data.tip_amount))] : []),
    { kind: "total", left: "TOTAL", right: pesos(data.total) },
    ...charge.payments.flatMap(({ payment_method, amount, reference }): Block[] => [
      row(paymentName(payment_method), pesos(amount)),
      ...(reference ? [row("  Referencia", reference)] : []),
    ]),
    ...(charge.cash_rounding !== 0 ? [row("Redondeo del efectivo", pesos(charge.cash_rounding))] : []),
    ...(charge.tendered > 0 ? [row("Recibido", pesos(charge.tendered)), row("Cambio", pesos(charge.change))] : []),
    ...taxLines(data.tax_breakdown),
    ...returnLines(sale),
    ...correctionLines(sale, documents),
    ...(data.notes ? [rule, { kind: "text", text: data.notes } as const] : []),
    rule,
    ...documentLines(documents, business),
    ...(isCancelled ? [] : whereToSeeIt(documents, business, link)),
    ...footing(business),
  ];
}

/** What a plastic bag costs besides its price, and why a free one costs something. */
function bagLine({ unit_price, taxes }: KeptSale["data"]["items"][number]): Block[] {
  const amount = bagTaxOf(taxes);
  if (amount === 0) return [];
  const text = unit_price === 0 ? "  es el impuesto a las bolsas" : `  más ${pesos(amount)} de impuesto a las bolsas`;
  return [{ kind: "text", text }];
}

/** The part of a line that is a tax for each unit, which its price does not show. */
export function bagTaxOf(taxes: readonly { per_unit: number | null; amount: number }[] | null): number {
  return (taxes ?? []).reduce((sum, { per_unit, amount }) => (per_unit === null ? sum : sum + amount), 0);
}

/** A bag's tax is its price. */
function shownPrice({ unit_price, subtotal, quantity: units }: KeptSale["data"]["items"][number]): number {
  return unit_price === 0 ? Math.round(subtotal / units) : unit_price;
}

/** The register that sold, which may be another one. */
function whereOf({ elsewhere }: KeptSale, registerName: string): string {
  return elsewhere ? (elsewhere.register ?? "Otra caja") : registerName;
}

export function heading({ name, nit, ticket_header, location }: BusinessInfo): Block[] {
  return [
    { kind: "title", text: name || "Mostrador" },
    ...(nit ? [{ kind: "center", text: `NIT ${nit.includes("-") ? nit : formatNit(nit)}` } as const] : []),
    ...(location ? [location.name, location.address, location.phone] : []).flatMap(centered),
    ...centered(location?.ticket_header ?? ticket_header),
  ];
}

export function footing({ ticket_footer, location }: BusinessInfo): Block[] {
  return centered(location?.ticket_footer ?? ticket_footer);
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
    row(`Devuelto · ${paymentName(payment_method)}`, pesos(-total)),
  ]);
}

/** An issued document keeps the means it was issued with. */
function correctionLines({ corrections = [] }: KeptSale, documents: readonly SaleDocument[]): Block[] {
  if (corrections.length === 0) return [];
  const isIssued = documents.some(({ status }) => status === "issued");
  return [
    rule,
    ...corrections.map(({ from, to, amount }) =>
      row(`Medio corregido: ${paymentName(from)} por ${paymentName(to)}`, pesos(amount)),
    ),
    ...(isIssued
      ? [{ kind: "text", text: "El documento electrónico conserva el medio con que se emitió." } as const]
      : []),
  ];
}

const taxNames: Record<string, string> = { "01": "IVA", "03": "ICA", "04": "INC", "22": "INC bolsas" };

export function taxLines(taxes: KeptSale["data"]["tax_breakdown"], title?: string): Block[] {
  if (taxes.length === 0) return [];
  return [
    rule,
    ...(title ? [{ kind: "text", text: title } as const] : []),
    ...taxes.map(({ code, rate, per_unit, base, amount }): Block => {
      const name = taxNames[code] ?? `Impuesto ${code}`;
      return rate === null
        ? row(`${name}: ${base} × ${pesos(per_unit ?? 0)}`, pesos(amount))
        : row(`${name} ${rate} % sobre ${pesos(base)}`, pesos(amount));
    }),
  ];
}

export const documentNames: Record<string, string> = {
  electronic_invoice: "Factura electrónica de venta",
  pos_document: "Documento equivalente POS electrónico",
  pos_adjustment_note: "Nota de ajuste",
  internal_invoice: "Documento interno",
};

/**
 * A verdict may take a while: the ticket says so, and can be printed again once the document has come down. It is the buyer's: what
 * the owner must do about a document stands in `documentProblems`.
 */
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
    ...(one.qr && one.status === "issued"
      ? [{ kind: "qr", text: one.qr, says: "Código QR del documento" } as const]
      : []),
  ]);
}

/** Until the authority has its own QR, the buyer's page: there the document appears by itself. */
function whereToSeeIt(documents: readonly SaleDocument[], { nit }: BusinessInfo, link: string | undefined): Block[] {
  const isAccepted = documents.some(({ status, qr }) => status === "issued" && qr);
  if (link === undefined || nit === null || isAccepted) return [];
  return [
    {
      kind: "center",
      text: "Este tiquete es un comprobante. Vea y descargue su documento electrónico con este código:",
    },
    { kind: "qr", text: link, says: "Código QR de la página del comprador" },
  ];
}

const isInvoice = ({ document_type }: SaleDocument) => document_type === "electronic_invoice";

const notYet = "Esta venta todavía no tiene documento electrónico. Este tiquete no es una factura.";

function statusLine({ status }: SaleDocument, contingency: string | null): Block[] {
  const texts: Record<string, string> = {
    pending: contingency ?? "La DIAN todavía no ha respondido: puede volver a imprimir este tiquete más tarde.",
    rejected: notYet,
    emission_failed: notYet,
    annulled: "Anulado.",
  };
  return texts[status] ? [{ kind: "center", text: texts[status] }] : [];
}

/** What stands in a document's way, for whoever runs the shop: on the screen, never on the buyer's paper. */
export function documentProblems(documents: readonly SaleDocument[]): string[] {
  return documents.flatMap(({ status, dian_message }) =>
    status === "rejected"
      ? [`La DIAN rechazó el documento. ${dian_message ?? ""}`.trim()]
      : status === "emission_failed"
        ? [`El documento no se pudo emitir. ${dian_message ?? "Avise a quien administra el negocio."}`]
        : [],
  );
}
