import { type PaymentPart, paymentParts } from "../../../business/sale-totals/definition.ts";
import type { Sale } from "../../../business/sales/schema.ts";
import { type Finding, finding, type ToldKind } from "../../../fiscal/findings/finding.ts";
import { meansOf, paymentNames } from "../../../taxes/means.ts";
import { grouped } from "../../../taxes/words.ts";
import { tellsActs } from "./capabilities.ts";
import { misnamedLines } from "./misnamed-lines.ts";
import type { Incoming } from "./read-record.ts";
import type { WorkingSet } from "./working-set.ts";
import { wrongTaxes } from "./wrong-taxes.ts";

/** What adds up, and hides what was sold or who has the money. */
export const oddKinds = [
  "misnamed_line",
  "large_tip",
  "nameless_credit",
  "wrong_tax",
] as const satisfies readonly ToldKind[];

/**
 * Flags what is odd about charged sales of a counter, whoever made them: each kind is told by a finding of its own, and the sale stands.
 * Registers of others may know neither customers nor the names of products, and ask nobody about a tip.
 */
export async function flagOddSales(batch: WorkingSet, records: readonly Incoming[]): Promise<void> {
  if (!tellsActs(batch)) return;
  const charged = records.flatMap((record) => {
    const sale = record.type === "sale" ? batch.recordSets.sales.get(record.id) : undefined;
    return sale?.body.status === "completed" ? [{ record, sale }] : [];
  });
  const misnamed = await misnamedLines(batch, charged);
  const taxed = await wrongTaxes(batch, charged);
  for (const { record, sale } of charged) {
    const { body, payments, order_id = null } = sale;
    const found = [...(misnamed.get(record) ?? []), ...(taxed.get(record) ?? []), ...largeTip(body)];
    // Of an order it is known who made it.
    if (order_id === null) found.push(...namelessCredit(body, paymentParts(body, payments)));
    if (found.length === 0) continue;
    const others = batch.flags.get(record).filter(({ kind }) => !oddKinds.some((one) => one === kind));
    batch.flags.set(record, [...others, ...found]);
  }
}

function largeTip({ tip_amount, total }: Sale): Finding[] {
  const sold = Math.max(0, total - tip_amount);
  if (tip_amount <= sold) return [];
  const message = `Una venta de $${grouped(sold)} tiene una propina de $${grouped(tip_amount)}.`;
  return [{ ...finding("tip_amount", sold, tip_amount, message), kind: "large_tip" }];
}

function namelessCredit({ customer_id }: Sale, parts: readonly PaymentPart[]): Finding[] {
  const owed = parts.filter(({ payment_method, amount }) => meansOf(payment_method).isCredit && amount > 0);
  if (owed.length === 0 || customer_id !== null) return [];
  const sum = owed.reduce((all, { amount }) => all + amount, 0);
  const message = `Quedaron debiendo $${grouped(sum)} (${paymentNames(owed)}) y la venta no dice quién.`;
  return [{ ...finding("customer_id", null, null, message), kind: "nameless_credit" }];
}
