import type { LineTax, TaxTotal } from "../../../taxes/tax.ts";
import type { DocumentLine, SealedDocument } from "../../content/document-content.ts";
import { distance, fromCents, pesos, priceLine, toleranceCents } from "../amounts.ts";
import { otherReferencePrice, ownItemCode, taxIds, tipChargeType, unitIds } from "./ids.ts";

export function line(one: DocumentLine): object {
  const isFree = one.unit_price === 0 && one.extension === 0;
  const { priceCents, allowance } = isFree
    ? { priceCents: BigInt(one.reference_price ?? 0) * 100n, allowance: undefined }
    : priceLine(one);
  return {
    unit_measure_id: unitIds[one.unit ?? "und"],
    invoiced_quantity: String(one.quantity),
    line_extension_amount: pesos(one.extension),
    free_of_charge_indicator: isFree,
    ...(isFree && { reference_price_id: otherReferencePrice }),
    ...(allowance && {
      allowance_charges: [
        {
          charge_indicator: false,
          allowance_charge_reason: allowance.reason,
          ...amountOf(allowance.amountCents, allowance.baseCents),
        },
      ],
    }),
    tax_totals: one.taxes.map((tax) => taxTotal(tax, "line")),
    description: one.description,
    code: one.code,
    type_item_identification_id: ownItemCode,
    price_amount: fromCents(priceCents),
    base_quantity: String(one.quantity),
  };
}

/** Part of the total, but of no tax base. */
export function tip({ tip_amount, subtotal }: SealedDocument): object {
  return {
    type_discount_id: tipChargeType,
    charge_indicator: true,
    allowance_charge_reason: "Propina",
    ...amountOf(BigInt(tip_amount) * 100n, BigInt(subtotal) * 100n),
  };
}

/**
 * A charge or a discount. The provider prints amount ÷ base as a percentage with two decimals; where that percentage of
 * the base would miss the amount, the amount is its own base.
 */
function amountOf(amountCents: bigint, baseCents: bigint): object {
  const percent = baseCents > 0n ? (amountCents * 10_000n + baseCents / 2n) / baseCents : 0n;
  const isExact = distance((baseCents * percent) / 10_000n, amountCents) <= toleranceCents;
  return { amount: fromCents(amountCents), base_amount: fromCents(isExact ? baseCents : amountCents) };
}

/**
 * A tax of a line or of the whole document. A tax per bag has its units and its value per unit; its base is its amount
 * in the document and zero in the line, so that the lines' bases sum up to the document's.
 */
export function taxTotal({ code, rate, per_unit, base, amount }: TaxTotal | LineTax, of: "line" | "document"): object {
  const id = { tax_id: taxIds[code], tax_amount: pesos(amount) };
  if (per_unit === null) return { ...id, percent: (rate ?? 0).toFixed(2), taxable_amount: pesos(base) };
  return {
    ...id,
    percent: "0.00",
    taxable_amount: pesos(of === "line" ? 0 : amount),
    unit_measure_id: unitIds.und,
    per_unit_amount: pesos(per_unit),
    base_unit_measure: String(base),
  };
}
