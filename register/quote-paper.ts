import type { BusinessInfo } from "./business.ts";
import { moment, pesos, quantity } from "./format.ts";
import { type Block, footing, heading, row, rule, taxLines } from "./paper.ts";
import { numberOf, type Quote, stateOf } from "./quote.ts";

/** A quote as it is printed or shared. */
export function quotePaper(quote: Quote, business: BusinessInfo, now: Date): Block[] {
  const state = stateOf(quote, now);
  return [
    ...heading(business),
    rule,
    { kind: "strong", text: `COTIZACIÓN ${numberOf(quote)}` },
    row("Fecha", moment(quote.issued_at)),
    ...(quote.expires_at ? [row("Válida hasta", moment(quote.expires_at))] : []),
    ...(quote.customer_name ? [row("Cliente", quote.customer_name)] : []),
    ...(state === "expired" ? [{ kind: "strong", text: "VENCIDA" } as const] : []),
    ...(state === "converted" ? [{ kind: "strong", text: "VENDIDA" } as const] : []),
    rule,
    ...quote.items.flatMap((item): Block[] => [
      { kind: "text", text: item.description ?? "Producto" },
      row(`  ${quantity(item.quantity)} × ${pesos(item.unit_price)}`, pesos(item.subtotal)),
    ]),
    rule,
    ...(quote.discount > 0 ? [row("Subtotal", pesos(quote.subtotal)), row("Descuento", pesos(-quote.discount))] : []),
    { kind: "total", left: "TOTAL", right: pesos(quote.total) },
    ...taxLines(quote.tax_breakdown ?? []),
    ...(quote.notes ? [rule, { kind: "text", text: quote.notes } as const] : []),
    rule,
    { kind: "center", text: "Esta cotización no es una factura ni un documento equivalente." },
    ...footing(business),
  ];
}

/** A paper as plain text, for a message. */
export function paperText(blocks: readonly Block[]): string {
  const lines = blocks.map((block) => {
    if (block.kind === "rule") return "";
    if ("left" in block) return `${block.left.trim()}: ${block.right}`;
    return block.text;
  });
  return lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
