import type { SealedDocument } from "../../../content/document-content.ts";
import { distance, fromCents, toleranceCents } from "../../amounts.ts";
import { group, leaf, type Xml } from "../xml/write-xml.ts";
import { centsOf } from "./amounts.ts";
import { tipCharge } from "./codes.ts";

interface Charge {
  isCharge: boolean;
  code?: string;
  reason: string;
  amountCents: bigint;
  baseCents: bigint;
}

/** A charge or a discount; no part of a document has more than one. */
export function charge({ isCharge, code, reason, amountCents, baseCents }: Charge): Xml {
  const { percent, base } = shareOf(amountCents, baseCents);
  return group(
    "cac:AllowanceCharge",
    leaf("cbc:ID", "1"),
    leaf("cbc:ChargeIndicator", String(isCharge)),
    leaf("cbc:AllowanceChargeReasonCode", code),
    leaf("cbc:AllowanceChargeReason", reason),
    leaf("cbc:MultiplierFactorNumeric", fromCents(percent)),
    centsOf("cbc:Amount", amountCents),
    centsOf("cbc:BaseAmount", base),
  );
}

/** Part of the total, but of no tax base. */
export function tip({ tip_amount, subtotal }: SealedDocument): Xml | undefined {
  if (tip_amount === 0) return undefined;
  const [amountCents, baseCents] = [BigInt(tip_amount) * 100n, BigInt(subtotal) * 100n];
  return charge({ isCharge: true, code: tipCharge, reason: "Propina", amountCents, baseCents });
}

/** In hundredths of a percent. Where two decimals of it would miss the amount, the amount is its own base. */
function shareOf(amountCents: bigint, baseCents: bigint): { percent: bigint; base: bigint } {
  const percent = baseCents > 0n ? (amountCents * 10_000n + baseCents / 2n) / baseCents : 0n;
  const isExact = distance((baseCents * percent) / 10_000n, amountCents) <= toleranceCents;
  return isExact ? { percent, base: baseCents } : { percent: 10_000n, base: amountCents };
}
