import type { CashSession } from "../../business/cash-sessions/schema.ts";
import { salesIn } from "../../business/sale-totals/definition.ts";
import type { Closing } from "../../fiscal/closing/closing.ts";
import type { DocumentFigure } from "../../fiscal/closing/documents.ts";
import type { Figures } from "../../fiscal/closing/figures.ts";
import { readLookAt } from "../../fiscal/profile/look.ts";
import { readProfile } from "../../fiscal/profile/profile.ts";
import { bogotaDate } from "../../taxes/bogota-time.ts";
import { paymentName } from "../../taxes/means.ts";
import { baseText, dayText, grouped, instantText, money, rateText } from "../../taxes/words.ts";
import type { Block, Fact, Paper, Total } from "../paper.ts";
import { letterhead } from "./letterhead.ts";
import type { PaperDeps } from "./read-document.ts";

const shiftTitles = { X: "INFORME X DEL TURNO ABIERTO", Z: "INFORME Z DE CIERRE DE TURNO" };

/** The Z of a shift or of a day; X while the shift is open. */
export async function closingPaper(
  { pool, config }: PaperDeps,
  accountId: string,
  closing: Closing,
  now: Date,
): Promise<Paper> {
  const [look, profile] = await Promise.all([
    readLookAt(pool, accountId, closing.location_id),
    readProfile(pool, config.secretKeys, accountId),
  ]);
  const [session] = closing.sessions;
  const isShift = closing.kind === "shift" && session !== undefined;
  const letter = isShift && session.status !== "closed" ? "X" : "Z";
  const what = isShift ? session.register_name : dayText(closing.date ?? "");
  const name = isShift ? `Informe ${letter} de ${what}` : `Informe Z del ${what}`;
  return {
    fileName: `${letter}-${isShift ? session.id.slice(0, 8) : closing.date}`,
    title: `${name} · ${look.printed_name}`,
    color: look.color,
    foot: `${name} · ${look.printed_name}`,
    at: now.toISOString(),
    blocks: [
      letterhead(look, profile, isShift ? shiftTitles[letter] : "INFORME Z DEL DÍA", what),
      {
        kind: "facts",
        facts: isShift ? shiftFacts(session, now) : [["Impreso", instantText(now)]],
      },
      documentTable(closing.documents, isShift ? letter === "X" : closing.date === bogotaDate(now)),
      ...figureBlocks("Ventas", closing.sales),
      ...(closing.returns.count > 0 ? figureBlocks("Devoluciones y anulaciones", closing.returns) : []),
      { kind: "totals", title: "En resumen", totals: netTotals(closing) },
      ...(isShift ? drawerBlocks(session, closing.from_portal) : [sessionTable(closing.sessions)]),
    ],
  };
}

function shiftFacts(session: CashSession, now: Date): Fact[] {
  return [
    ["Apertura", `${instantText(session.opened_at)}${session.opened_by ? `, ${session.opened_by}` : ""}`],
    [
      "Cierre",
      session.closed_at
        ? `${instantText(session.closed_at)}${session.closed_by ? `, ${session.closed_by}` : ""}`
        : "Turno abierto",
    ],
    ["Impreso", instantText(now)],
  ];
}

/** In the order of the paper; short, because a roll is narrow. */
const documentNames: Readonly<Record<string, string>> = {
  electronic_invoice: "Factura",
  pos_document: "POS",
  internal_invoice: "Interno",
  other: "Nota de factura",
  pos_adjustment_note: "Nota de ajuste",
};

/** What the authority has not accepted yet is said only while the day or the shift runs: a close stays as it was. */
function documentTable(documents: readonly DocumentFigure[], isRunning: boolean): Block {
  const title = "Documentos por numeración";
  if (documents.length === 0) return { kind: "facts", title, facts: [["Documentos", "Ninguno"]] };
  const place = ({ document_type }: DocumentFigure) => Object.keys(documentNames).indexOf(document_type);
  const rows = documents
    .toSorted((a, b) => place(a) - place(b))
    .map((one) => [
      `${documentNames[one.document_type] ?? "Documento"} ${one.prefix}`.trim() +
        standingOf(isRunning ? one : { ...one, pending: 0, rejected: 0 }),
      numberText(one.from),
      numberText(one.to),
      grouped(one.count),
      money(one.total),
    ]);
  return { kind: "table", title, head: ["Documentos", "Desde", "Hasta", "Cantidad", "Total"], rows };
}

const numberText = (number: number | null) => (number === null ? "–" : String(number));

/** What of them is not, or no longer, accepted: " (1 anulado, 2 pendientes)". */
function standingOf({ annulled, pending, rejected }: DocumentFigure): string {
  const parts = [
    [annulled, "anulado"] as const,
    [pending, "pendiente"] as const,
    [rejected, "sin aceptar"] as const,
  ].flatMap(([count, word]) => {
    if (count === 0) return [];
    return `${grouped(count)} ${count === 1 || word.includes(" ") ? word : `${word}s`}`;
  });
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

function figureBlocks(title: string, figures: Figures): Block[] {
  const { count, discount, tax, passthrough, rates, payments } = figures;
  return [
    {
      kind: "table",
      title: `${title} por tarifa`,
      head: ["Tarifa", "Base", "Impuesto"],
      rows: [
        ...rates.map((entry) => [rateText(entry), baseText(entry), money(entry.amount)]),
        ...(passthrough > 0 ? [["Recaudo para terceros", money(passthrough), money(0)]] : []),
      ],
    },
    {
      kind: "table",
      title: `${title} por medio de pago`,
      head: ["Medio", "Cantidad", "Valor"],
      rows: payments.map((one) => [paymentName(one.payment_method), grouped(one.count), money(one.amount)]),
    },
    {
      kind: "totals",
      totals: [
        ...(discount > 0 ? [{ label: "Descuentos (ya restados)", value: money(-discount) }] : []),
        { label: "Impuestos (ya incluidos)", value: money(tax) },
        {
          label: `${title === "Ventas" ? "Ventas brutas" : title} (${grouped(count)})`,
          value: money(salesIn(figures)),
          isGrand: true,
        },
        ...besides(figures, title === "Ventas" ? "Cobrado" : "Devuelto en dinero"),
      ],
    },
  ];
}

/** In the words of every page. */
function netTotals({ sums: { gross, returned, net, tip, passthrough, received } }: Closing): Total[] {
  return [
    { label: "Ventas brutas", value: money(gross) },
    { label: "Devoluciones y anulaciones", value: money(-returned) },
    { label: "VENTAS NETAS", value: money(net), isGrand: true },
    ...besides({ tip, passthrough, total: received }, "Recibido"),
  ];
}

/** What leads from sales to what the means of payment add up to, where that is another figure. */
function besides({ tip, passthrough, total }: Pick<Figures, "tip" | "passthrough" | "total">, label: string): Total[] {
  const isSame = tip === 0 && passthrough === 0;
  return [
    ...(tip === 0 ? [] : [{ label: "Propinas", value: money(tip) }]),
    ...(passthrough === 0 ? [] : [{ label: "Recaudos para terceros", value: money(passthrough) }]),
    ...(isSame ? [] : [{ label, value: money(total) }]),
  ];
}

function drawerBlocks(session: CashSession, portal: Closing["from_portal"]): Block[] {
  const { opening_amount, cash_sales, cash_refunds, cash_in, cash_out, expected_amount, counted_amount, difference } =
    session;
  return [
    {
      kind: "totals",
      title: "Arqueo del efectivo",
      totals: [
        { label: "Base de apertura", value: money(opening_amount) },
        { label: "Ventas en efectivo", value: money(cash_sales) },
        { label: "Devoluciones pagadas en efectivo", value: money(-cash_refunds) },
        ...(portal && portal.amount > 0
          ? [{ label: `De ellas, devuelto desde el portal (${portal.count})`, value: money(-portal.amount) }]
          : []),
        { label: "Entradas", value: money(cash_in) },
        { label: "Salidas", value: money(-cash_out) },
        { label: "Esperado", value: money(expected_amount) },
        { label: "Contado", value: counted_amount === null ? "Sin contar" : money(counted_amount) },
        { label: "DIFERENCIA", value: difference === null ? "Sin contar" : money(difference), isGrand: true },
      ],
    },
  ];
}

function sessionTable(sessions: readonly CashSession[]): Block {
  const title = "Turnos cerrados";
  if (sessions.length === 0) return { kind: "facts", title, facts: [["Turnos", "Ninguno"]] };
  const rows = sessions.map(({ register_name, opened_by, expected_amount, counted_amount, difference }) => [
    [register_name, opened_by].filter(Boolean).join(", "),
    money(expected_amount),
    counted_amount === null ? "Sin contar" : money(counted_amount),
    difference === null ? "Sin contar" : money(difference),
  ]);
  return { kind: "table", title, head: ["Turno", "Esperado", "Contado", "Diferencia"], rows };
}
