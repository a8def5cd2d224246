import { customers } from "../../business/customers/resource.ts";
import { quotes } from "../../business/quotes/resource.ts";
import type { Quote } from "../../business/quotes/schema.ts";
import { loadMany } from "../../engine/resources/read-one.ts";
import { readLookAt } from "../../fiscal/profile/look.ts";
import { readProfile } from "../../fiscal/profile/profile.ts";
import { instantText, money } from "../../taxes/words.ts";
import type { Fact, Paper } from "../paper.ts";
import { publishedLine, taxTable } from "./goods.ts";
import { letterhead } from "./letterhead.ts";
import type { PaperDeps } from "./read-document.ts";

/** Undefined when the account has no such quote. */
export async function quotePaper(
  { pool, config }: PaperDeps,
  accountId: string,
  id: string,
  now: Date,
): Promise<Paper | undefined> {
  const stored = (await loadMany(pool, quotes, accountId, [id])).get(id);
  if (!stored || stored.deletedAt) return undefined;
  const quote = stored.body;
  const { customer_id } = quote;
  const [look, profile, buyers] = await Promise.all([
    readLookAt(pool, accountId, quote.location_id),
    readProfile(pool, config.secretKey, accountId),
    customer_id === null ? undefined : loadMany(pool, customers, accountId, [customer_id]),
  ]);
  const buyer = buyers?.get(customer_id ?? "")?.body;
  const number = quote.number === null ? null : `${quote.prefix ?? ""}${quote.number}`;
  const name = `Cotización ${number ?? ""}`.trim();
  const isExpired = quote.expires_at !== null && new Date(quote.expires_at) <= now && isOpen(quote);
  return {
    fileName: number ?? `cotizacion-${id.slice(0, 8)}`,
    title: `${name} · ${look.printed_name}`,
    color: look.color,
    foot: `${name} · ${look.printed_name}`,
    at: quote.updated_at,
    blocks: [
      letterhead(look, profile, "COTIZACIÓN", number),
      ...(isExpired
        ? [{ kind: "notice", text: "VENCIDA: confirme precios y existencias antes de comprar." } as const]
        : []),
      {
        kind: "facts",
        facts: [
          ["Fecha", instantText(quote.issued_at)],
          ...(quote.expires_at ? [["Válida hasta", instantText(quote.expires_at)] as Fact] : []),
          [
            "Cliente",
            buyer ? [buyer.name, buyer.last_name].filter(Boolean).join(" ") : (quote.customer_name ?? "Sin nombre"),
          ],
          ...(buyer?.document_number ? [["Documento", `${buyer.document_type} ${buyer.document_number}`] as Fact] : []),
          ...(buyer?.phone ? [["Teléfono", buyer.phone] as Fact] : []),
        ],
      },
      { kind: "lines", lines: quote.items.map(publishedLine) },
      ...taxTable(quote.tax_breakdown ?? []),
      {
        kind: "totals",
        totals: [
          { label: "Suma", value: money(quote.subtotal) },
          ...(quote.discount > 0 ? [{ label: "Descuento", value: money(-quote.discount) }] : []),
          { label: "Impuestos incluidos", value: money(quote.tax) },
          { label: "TOTAL", value: money(quote.total), isGrand: true },
        ],
      },
      ...(quote.notes ? [{ kind: "text", text: quote.notes } as const] : []),
      { kind: "text", text: "Esta cotización no es una factura ni un documento equivalente.", isCentered: true },
      ...(look.footer ? [{ kind: "text", text: look.footer, isCentered: true } as const] : []),
    ],
  };
}

function isOpen({ status }: Quote): boolean {
  return status === "draft" || status === "sent" || status === "expired";
}
