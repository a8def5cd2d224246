import { isSold, mainPart, type PaymentPart, paymentParts } from "../../business/sale-totals/definition.ts";
import type { CountedLine } from "../../business/sale-totals/totals-of.ts";
import type { Books, Correction } from "../../business/sales/correction.ts";
import type { SaleColumns } from "../../business/sales/resource.ts";
import type { Sale } from "../../business/sales/schema.ts";
import type { Stored } from "../../engine/resources/resource.ts";
import { uuidv7 } from "../../lib/ids.ts";
import type { TaxTotal } from "../../taxes/tax.ts";
import { ratesOf, sumRates } from "./rates.ts";

const amountNames = ["subtotal", "discount", "tax", "tip_amount", "total"] as const;

/** All that is summed of a sale anywhere. */
interface Worth extends Record<(typeof amountNames)[number], number> {
  taxes: readonly TaxTotal[];
  rates: readonly TaxTotal[];
  parts: readonly PaymentPart[];
  lines: readonly CountedLine[];
}

/** When and where the register made the change. */
export interface ChangeOrigin {
  at: Date;
  device_id: string | null;
  cash_session_id: string | null;
}

/**
 * What the books still have of a sale beyond what it is worth as its register has it now, as the correction that takes it back.
 * Undefined when that is nothing.
 */
export function correctionOf(
  { counted, corrections }: Books,
  now: Stored<Sale, SaleColumns>,
  { at, device_id, cash_session_id }: ChangeOrigin,
): Correction | undefined {
  const taken = [
    ...corrections.map(worthOfCorrection),
    ...(isSold({ ...now.body, settled: now.settled }) ? [worthOf(now)] : []),
  ];
  const { taxes, rates, parts, lines, ...amounts } = without(worthOf(counted), taken);
  const isNothing = [taxes, rates, parts, lines].every((list) => list.length === 0);
  if (isNothing && amountNames.every((name) => amounts[name] === 0)) return undefined;
  const { payment_method } = parts[mainPart(parts, now.body.payment_method)] ?? now.body;
  return {
    id: uuidv7(at),
    sale_id: counted.sale_id,
    device_id,
    payments: parts.length === 0 ? null : JSON.stringify(parts),
    body: {
      occurred_at: at.toISOString(),
      cash_session_id,
      payment_method,
      ...amounts,
      tax_breakdown: [...taxes],
      lines,
      rates,
      ...(now.body.location_id && { location_id: now.body.location_id }),
    },
  };
}

function worthOf({ body, payments }: Pick<Stored<Sale, SaleColumns>, "body" | "payments">): Worth {
  return {
    ...amountsOf(body),
    taxes: body.tax_breakdown ?? [],
    rates: ratesOf(body),
    parts: paymentParts(body, payments),
    lines: body.items.map(({ product_id, quantity, subtotal, tax_class }) => ({
      product_id,
      quantity,
      subtotal,
      tax_class,
    })),
  };
}

function worthOfCorrection({ body, payments }: Correction): Worth {
  const { tax_breakdown, rates, lines } = body;
  return { ...amountsOf(body), taxes: tax_breakdown, rates, parts: paymentParts(body, payments), lines };
}

function amountsOf(of: Pick<Worth, (typeof amountNames)[number]>) {
  const { subtotal, discount, tax, tip_amount, total } = of;
  return { subtotal, discount, tax, tip_amount, total };
}

function without(whole: Worth, taken: readonly Worth[]): Worth {
  const left = amountsOf(whole);
  for (const one of taken) for (const name of amountNames) left[name] -= one[name];
  const taxes = (name: "taxes" | "rates") =>
    sumRates([...whole[name], ...taken.flatMap((one) => one[name].map(negatedTax))]);
  return {
    ...left,
    taxes: taxes("taxes"),
    rates: taxes("rates"),
    parts: addedParts([...whole.parts, ...taken.flatMap(({ parts }) => parts.map(negatedPart))]),
    lines: unlike([...whole.lines, ...taken.flatMap(({ lines }) => lines.map(negatedLine))]),
  };
}

const negatedTax = (row: TaxTotal): TaxTotal => ({ ...row, base: -row.base, amount: -row.amount });
const negatedPart = (part: PaymentPart): PaymentPart => ({ ...part, amount: -part.amount });
const negatedLine = (line: CountedLine): CountedLine => ({
  ...line,
  quantity: -line.quantity,
  subtotal: -line.subtotal,
});

function addedParts(parts: readonly PaymentPart[]): PaymentPart[] {
  const amounts = new Map<string, number>();
  for (const { payment_method, amount } of parts)
    amounts.set(payment_method, (amounts.get(payment_method) ?? 0) + amount);
  return [...amounts].flatMap(([payment_method, amount]) => (amount === 0 ? [] : [{ payment_method, amount }]));
}

/** Without the pairs of which one takes back the other. Nothing is added up, so that no quantity is rounded. */
function unlike(lines: readonly CountedLine[]): CountedLine[] {
  const left = new Map<string, CountedLine[]>();
  for (const line of lines) {
    const opposite = left.get(keyOf(negatedLine(line)));
    if (opposite?.length) opposite.pop();
    else left.set(keyOf(line), [...(left.get(keyOf(line)) ?? []), line]);
  }
  return [...left.values()].flat();
}

/** Adding 0 makes 0 of −0. */
const keyOf = ({ product_id, tax_class, quantity, subtotal }: CountedLine) =>
  JSON.stringify([product_id, tax_class, quantity + 0, subtotal + 0]);
