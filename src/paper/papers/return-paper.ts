import { invoices } from "../../business/invoices/resource.ts";
import type { Invoice } from "../../business/invoices/schema.ts";
import { returns } from "../../business/returns/resource.ts";
import type { Return } from "../../business/returns/schema.ts";
import { sales } from "../../business/sales/resource.ts";
import { ownDocument } from "../../business/sales/summary.ts";
import { loadMany } from "../../engine/resources/read-one.ts";
import { fullNumber, shortName, standingNotice } from "../../fiscal/content/document-words.ts";
import { readLookAt } from "../../fiscal/profile/look.ts";
import { readProfile } from "../../fiscal/profile/profile.ts";
import { paymentName } from "../../taxes/means.ts";
import { instantText, money } from "../../taxes/words.ts";
import type { Block, Fact, Paper, Total } from "../paper.ts";
import { publishedLine, taxTable } from "./goods.ts";
import { letterhead } from "./letterhead.ts";
import type { PaperDeps } from "./read-document.ts";

/** What the customer takes along who brought something back. Undefined when the account has no such return. */
export async function returnPaper(deps: PaperDeps, accountId: string, id: string): Promise<Paper | undefined> {
  const { pool, config } = deps;
  const returned = (await loadMany(pool, returns, accountId, [id])).get(id)?.body;
  if (!returned) return undefined;
  const { invoice_id, sale_id } = returned;
  const [look, profile, found, soldBy] = await Promise.all([
    readLookAt(pool, accountId, returned.location_id),
    readProfile(pool, config.secretKey, accountId),
    invoice_id === null ? undefined : loadMany(pool, invoices, accountId, [invoice_id]),
    loadMany(pool, sales, accountId, [sale_id]),
  ]);
  const note = found?.get(invoice_id ?? "")?.body;
  const sale = soldBy.get(sale_id)?.body;
  const original = sale && ownDocument(sale);
  const noteNumber = note && note.number > 0 ? fullNumber(note) : null;
  const name = `Devolución ${noteNumber ?? ""}`.trim();
  return {
    fileName: `devolucion-${noteNumber ?? id.slice(0, 8)}`,
    title: `${name} · ${look.printed_name}`,
    color: look.color,
    foot: `${name} · ${look.printed_name}`,
    at: returned.updated_at,
    blocks: [
      letterhead(look, profile, "COMPROBANTE DE DEVOLUCIÓN", noteNumber),
      ...noticeBlocks(note),
      {
        kind: "facts",
        facts: [
          ["Fecha", instantText(returned.occurred_at)],
          ["Devuelto en", paymentName(returned.payment_method)],
          ...(original ? [["Documento de la venta", `${shortName(original)} ${fullNumber(original)}`] as Fact] : []),
          ...(noteNumber ? [["Nota electrónica", noteNumber] as Fact] : []),
          ...(returned.reason ? [["Motivo", returned.reason] as Fact] : []),
        ],
      },
      { kind: "lines", lines: returned.lines.map(publishedLine) },
      ...taxTable(returned.tax_breakdown ?? []),
      { kind: "totals", totals: totalsOf(returned) },
      {
        kind: "text",
        text: "El documento fiscal es la nota electrónica; este comprobante la acompaña.",
        isCentered: true,
      },
      ...(look.footer ? [{ kind: "text", text: look.footer, isCentered: true } as const] : []),
    ],
  };
}

/** The note waits for the sale's own document, and then for the authority. */
function noticeBlocks(note: Invoice | undefined): Block[] {
  if (!note) return [{ kind: "notice", text: "La nota se emite cuando la DIAN acepte el documento de la venta." }];
  const text = standingNotice({
    status: note.status,
    message: note.dian_message,
    isElectronic: true,
    isContingency: false,
    annulledBy: null,
  });
  return text === undefined ? [] : [{ kind: "notice", text }];
}

function totalsOf({ subtotal, discount, tax, tip_amount, total }: Return): Total[] {
  return [
    { label: "Suma", value: money(subtotal) },
    ...(discount > 0 ? [{ label: "Descuento de la venta", value: money(-discount) }] : []),
    { label: "Impuestos incluidos", value: money(tax) },
    ...(tip_amount > 0 ? [{ label: "Propina", value: money(tip_amount) }] : []),
    { label: "TOTAL DEVUELTO", value: money(total), isGrand: true },
  ];
}
