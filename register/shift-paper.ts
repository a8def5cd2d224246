import { paymentName } from "../src/taxes/means.ts";
import type { BusinessInfo } from "./business.ts";
import { moment, pesos } from "./format.ts";
import { type Block, documentNames, heading, row, rule, taxLines } from "./paper.ts";
import { difference, expectedCash, moved, portalCash, refundedCash, type Shift } from "./shift.ts";
import type { ShiftReport } from "./shift-report.ts";
import type { ShiftSums } from "./shift-sums.ts";

/** The report of a shift: X while it is open, Z once it is closed. */
export function shiftPaper(shift: Shift, business: BusinessInfo, report: ShiftReport): Block[] {
  const isClosed = shift.closed_at !== null;
  return [
    ...heading(business),
    rule,
    { kind: "strong", text: isClosed ? "CIERRE DE TURNO (Z)" : "INFORME DEL TURNO (X)" },
    row("Caja", shift.register_name),
    row("Abrió", [moment(shift.opened_at), shift.opened_by].filter(Boolean).join(" · ")),
    ...(shift.closed_at ? [row("Cerró", [moment(shift.closed_at), shift.closed_by].filter(Boolean).join(" · "))] : []),
    rule,
    ...sumLines(report.sums),
    rule,
    { kind: "text", text: "Ventas por medio de pago" },
    ...report.payments.map(({ payment_method, count, amount }) =>
      ofDrawer(row(`${paymentName(payment_method)} (${count})`, pesos(amount))),
    ),
    ...taxLines(report.taxes, "Ventas por tarifa"),
    ...figureLines(report),
    ...cashierLines(report),
    ...documentLines(report),
    ...drawerLines(shift),
  ];
}

/** With the others and the base it says what should be in the drawer. */
const ofDrawer = (block: Block): Block => ({ ...block, isOfDrawer: true }) as Block;

/** Word for word what the portal's Z of the shift says. */
function sumLines({ tickets, gross, reversals, returned, net, tip, passthrough, received }: ShiftSums): Block[] {
  return [
    row("Ventas", String(tickets)),
    { kind: "total", left: "Ventas brutas", right: pesos(gross) },
    row(`Devoluciones y anulaciones (${reversals})`, pesos(-returned)),
    { kind: "total", left: "Ventas netas", right: pesos(net) },
    row("Propinas", pesos(tip)),
    ...(passthrough === 0 ? [] : [row("Recaudos para terceros", pesos(passthrough))]),
    ...(received === net ? [] : [row("Recibido", pesos(received))]),
  ];
}

function figureLines({ sums, line_discount, cancelled, returns }: ShiftReport): Block[] {
  return [
    rule,
    row("Descuentos", pesos(-sums.discount)),
    ...(line_discount > 0 ? [row("Rebajas en líneas", pesos(-line_discount))] : []),
    row(`Anuladas (${cancelled.count})`, pesos(cancelled.total)),
    ...(returns.length === 0 ? [row("Devoluciones (0)", pesos(0))] : []),
    ...returns.flatMap(({ payment_method, count, amount, portal }) => [
      row(`Devuelto en ${paymentName(payment_method)} (${count})`, pesos(-amount)),
      ...(portal ? [row(`  Devuelto desde el portal (${portal.count})`, pesos(-portal.amount))] : []),
    ]),
  ];
}

/** A shop without cashiers has nobody to tell apart. */
function cashierLines({ cashiers }: ShiftReport): Block[] {
  if (!cashiers.some(({ name }) => name !== null)) return [];
  return [rule, ...cashiers.map(({ name, count, total }) => row(`${name ?? "Sin nombre"} (${count})`, pesos(total)))];
}

function documentLines({ documents, unconfirmed }: ShiftReport): Block[] {
  if (documents.length === 0 && unconfirmed === 0) return [];
  return [
    rule,
    ...documents.flatMap(({ document_type, prefix, first, last, count }): Block[] => [
      row(documentNames[document_type] ?? "Documento", String(count)),
      row("  Números", first === last ? `${prefix}${first}` : `${prefix}${first} a ${prefix}${last}`),
    ]),
    ...(unconfirmed > 0 ? [row("Documentos por confirmar", String(unconfirmed))] : []),
  ];
}

function drawerLines(shift: Shift): Block[] {
  const gap = difference(shift);
  const refunded = refundedCash(shift);
  const fromPortal = portalCash(shift);
  return [
    rule,
    row("Base", pesos(shift.opening_amount)),
    ofDrawer(row("Ventas en efectivo", pesos(shift.cash_sales))),
    ...(refunded > 0 ? [row("Devoluciones en efectivo", pesos(-refunded))] : []),
    ...(fromPortal > 0 ? [row("  Devuelto desde el portal", pesos(-fromPortal))] : []),
    row("Entradas", pesos(moved(shift, "in"))),
    row("Salidas", pesos(-moved(shift, "out"))),
    ...shift.movements.map(({ type, amount, reason }) =>
      row(`  ${reason ?? (type === "in" ? "Entrada" : "Salida")}`, pesos(type === "in" ? amount : -amount)),
    ),
    ofDrawer({ kind: "total", left: "Efectivo esperado", right: pesos(expectedCash(shift)) }),
    ...(shift.counted_amount === null ? [] : [row("Contado", pesos(shift.counted_amount))]),
    ...(gap === null ? [] : [ofDrawer(row(gap === 0 ? "Diferencia" : gap > 0 ? "Sobra" : "Falta", pesos(gap)))]),
  ];
}
