import { purchases } from "../../business/purchases/resource.ts";
import type { Purchase, PurchaseLine } from "../../business/purchases/schema.ts";
import { purchaseStates } from "../../business/purchases/states.ts";
import { suppliers } from "../../business/suppliers/resource.ts";
import type { Supplier } from "../../business/suppliers/schema.ts";
import { loadMany } from "../../engine/resources/read-one.ts";
import { readLookAt } from "../../fiscal/profile/look.ts";
import { readProfile } from "../../fiscal/profile/profile.ts";
import { grouped, instantText, money, rateText } from "../../taxes/words.ts";
import type { Fact, Paper, PaperLine, Total } from "../paper.ts";
import { taxTable } from "./goods.ts";
import { letterhead } from "./letterhead.ts";
import type { PaperDeps } from "./read-document.ts";

/** The order that a supplier gets. Undefined when the account has no such purchase. */
export async function purchasePaper(
  { pool, config }: PaperDeps,
  accountId: string,
  id: string,
): Promise<Paper | undefined> {
  const purchase = (await loadMany(pool, purchases, accountId, [id])).get(id)?.body;
  if (!purchase) return undefined;
  const [look, profile, from] = await Promise.all([
    readLookAt(pool, accountId, purchase.location_id),
    readProfile(pool, config.secretKeys, accountId),
    loadMany(pool, suppliers, accountId, [purchase.supplier_id]),
  ]);
  const name = `Orden de compra ${purchase.number}`;
  return {
    fileName: `orden-de-compra-${purchase.number}`,
    title: `${name} · ${look.printed_name}`,
    color: look.color,
    foot: `${name} · ${look.printed_name}`,
    at: purchase.updated_at,
    blocks: [
      letterhead(look, profile, "ORDEN DE COMPRA", `${purchase.number}`),
      ...noticeOf(purchase),
      { kind: "facts", facts: factsOf(purchase, from.get(purchase.supplier_id)?.body) },
      { kind: "lines", lines: purchase.lines.map(paperLine) },
      ...taxTable(purchase.tax_breakdown),
      { kind: "totals", totals: totalsOf(purchase) },
      ...(purchase.notes ? [{ kind: "text", text: purchase.notes } as const] : []),
      { kind: "text", text: "Esta orden no es una factura. Escriba su número en la factura.", isCentered: true },
      ...(look.footer ? [{ kind: "text", text: look.footer, isCentered: true } as const] : []),
    ],
  };
}

function noticeOf({ status }: Purchase): Paper["blocks"] {
  if (status === "draft") return [{ kind: "notice", text: "BORRADOR: todavía no se ha pedido." }];
  if (status === "cancelled") return [{ kind: "notice", text: "CANCELADA: no despachar." }];
  return [];
}

function factsOf(purchase: Purchase, supplier: Supplier | undefined): Fact[] {
  const { document_type, document_number = null, contact_name = null, phone = null } = supplier ?? {};
  return [
    ["Fecha", instantText(purchase.ordered_at ?? purchase.created_at)],
    ["Estado", purchaseStates[purchase.status].spanish],
    ["Proveedor", purchase.supplier_name],
    ...(document_number === null ? [] : [["Documento", `${document_type} ${document_number}`] as Fact]),
    ...(contact_name === null ? [] : [["Atención", contact_name] as Fact]),
    ...(phone === null ? [] : [["Teléfono", phone] as Fact]),
  ];
}

function paperLine({
  description,
  supplier_code,
  unit,
  quantity,
  unit_cost,
  taxes,
  subtotal,
}: PurchaseLine): PaperLine {
  return {
    description: supplier_code === null ? description : `${supplier_code} · ${description}`,
    quantity: `${grouped(quantity)} ${unit}`,
    price: money(Math.round(unit_cost)),
    tax: taxes.map(({ code, rate }) => rateText({ code, rate, per_unit: null })).join(", ") || "Sin impuesto",
    total: money(subtotal),
  };
}

function totalsOf({ subtotal, discount, tax, charges, rounding, total }: Purchase): Total[] {
  const billed = charges.filter(({ in_invoice }) => in_invoice);
  return [
    ...(discount > 0 ? [{ label: "Descuento (ya restado)", value: money(-discount) }] : []),
    { label: "Subtotal sin impuestos", value: money(subtotal) },
    ...(tax > 0 ? [{ label: "Impuestos", value: money(tax) }] : []),
    ...billed.map((charge) => ({ label: charge.description, value: money(charge.amount + charge.tax) })),
    ...(rounding === 0 ? [] : [{ label: "Ajuste al peso", value: money(rounding) }]),
    { label: "TOTAL", value: money(total), isGrand: true },
  ];
}
