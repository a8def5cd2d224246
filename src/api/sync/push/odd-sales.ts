import { leastPrice } from "../../../business/counter/least-price.ts";
import { type PaymentPart, paymentParts } from "../../../business/sale-totals/definition.ts";
import type { Sale } from "../../../business/sales/schema.ts";
import { sql } from "../../../db/sql.ts";
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
 * Registers of others may know neither customers nor the names of products, and ask nobody about a tip; where there are no cashiers,
 * whoever stands at the register does as she likes.
 */
export async function flagOddSales(batch: WorkingSet, records: readonly Incoming[]): Promise<void> {
  if (!tellsActs(batch)) return;
  const charged = records.flatMap((record) => {
    const sale = record.type === "sale" ? batch.recordSets.sales.get(record.id) : undefined;
    return sale?.body.status === "completed" ? [{ record, sale }] : [];
  });
  const own = new Map(charged.map(({ record, sale }) => [record, oddIn(batch, sale)]));
  const isEmpty = [...own.values()].every((found) => found.length === 0);
  const [misnamed, taxed] = [await misnamedLines(batch, charged), await wrongTaxes(batch, charged)];
  const isStaffed = !isEmpty && (await hasCashiers(batch));
  for (const { record } of charged) {
    const ofLines = [...(misnamed.get(record) ?? []), ...(taxed.get(record) ?? [])];
    const found = [...ofLines, ...((isStaffed && own.get(record)) || [])];
    if (found.length === 0) continue;
    const others = batch.flags.get(record).filter(({ kind }) => !oddKinds.some((one) => one === kind));
    batch.flags.set(record, [...others, ...found]);
  }
}

interface Charged {
  body: Sale;
  payments?: string | null | undefined;
  order_id?: string | null | undefined;
}

/** Of an order it is known who made it. */
function oddIn(batch: WorkingSet, { body, payments, order_id = null }: Charged): Finding[] {
  const owed = order_id === null ? namelessCredit(body, paymentParts(body, payments)) : [];
  return [...largeTip(batch, body), ...owed];
}

async function hasCashiers({ write }: WorkingSet): Promise<boolean> {
  const { rows } = await write.client.query(sql`
    select 1 from cashiers where account_id = ${write.accountId} and deleted_at is null limit 1`);
  return rows.length > 0;
}

/** Whoever was invited to a coffee may thank for it: what it would have cost counts, as far as the catalogue says. */
function largeTip({ recordSets }: WorkingSet, { tip_amount, total, subtotal, items }: Sale): Finding[] {
  const sold = Math.max(0, total - tip_amount);
  if (tip_amount <= Math.max(sold, subtotal)) return [];
  const listed = items.reduce((sum, { product_id, variant_id, quantity }) => {
    const product = recordSets.products.get(product_id ?? "")?.body;
    return sum + (product ? leastPrice(product, variant_id) * quantity : 0);
  }, 0);
  if (tip_amount <= listed) return [];
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
