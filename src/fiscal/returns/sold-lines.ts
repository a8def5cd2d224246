import type { Return, ReturnLine } from "../../business/returns/schema.ts";
import type { Sale, SaleItem } from "../../business/sales/schema.ts";
import { must } from "../../lib/must.ts";
import { sum } from "../../taxes/exact.ts";
import type { LineParts } from "../../taxes/part-of-line.ts";
import type { LineTax } from "../../taxes/tax.ts";
import { lineExtensions } from "../content/line-extensions.ts";

/** What of a sale its returns are computed from: a register keeps no more of it. */
export type Returnable = Pick<
  Sale,
  "status" | "subtotal" | "discount" | "tax" | "tip_amount" | "total" | "tax_breakdown"
> & { items: readonly ReturnableItem[] };
type ReturnableItem = Pick<
  SaleItem,
  "id" | "product_id" | "variant_id" | "description" | "quantity" | "unit_price" | "subtotal" | "tax_class" | "taxes"
>;
export type EarlierReturn = Pick<Return, "lines" | "tip_amount">;

/** A line of a sale: what it was worth, and what was taken back of it. Quantities are in millionths. */
export interface SoldLine {
  item: ReturnableItem;
  sold: bigint;
  left: bigint;
  whole: LineParts;
  discount: bigint;
  returned: LineParts & { discount: bigint };
}

const million = 1_000_000;

export function toMicro(quantity: number): bigint {
  return BigInt(Math.round(quantity * million));
}

export function fromMicro(quantity: bigint): number {
  return Number(quantity) / million;
}

/** The lines of a sale by id, with what is left to return. A line without a positive quantity has nothing to return. */
export function soldLines(sale: Returnable, earlier: readonly EarlierReturn[]): Map<string, SoldLine> {
  const extensions = lineExtensions(sale.items, sale.total - sale.tax - sale.tip_amount);
  const taken = Map.groupBy(
    earlier.flatMap(({ lines }) => lines),
    ({ item_id }) => item_id,
  );
  return new Map(
    sale.items.map((item, i): [string, SoldLine] => {
      const taxes = item.taxes ?? [];
      const whole = {
        base: BigInt(must(extensions[i], "There is one extension for each line")),
        taxes: percentages(taxes).map(({ amount }) => BigInt(amount)),
      };
      const sold = item.quantity > 0 ? toMicro(item.quantity) : 0n;
      const lines = taken.get(item.id) ?? [];
      const discount = BigInt(item.subtotal - perUnitOf(taxes)) - whole.base - sum(whole.taxes);
      const left = sold - sum(lines.map(({ quantity }) => toMicro(quantity)));
      const line = { item, sold, left: left > 0n ? left : 0n, whole, discount };
      return [item.id, { ...line, returned: takenBack(lines, whole.taxes.length) }];
    }),
  );
}

export function percentages(taxes: readonly LineTax[]): LineTax[] {
  return taxes.filter(({ rate }) => rate !== null);
}

function takenBack(lines: readonly ReturnLine[], taxCount: number): SoldLine["returned"] {
  const total = (value: (line: ReturnLine) => number) => sum(lines.map((line) => BigInt(value(line))));
  return {
    base: total(extensionOf),
    taxes: Array.from({ length: taxCount }, (_, i) => total((line) => percentages(line.taxes ?? [])[i]?.amount ?? 0)),
    discount: total((line) => line.discount),
  };
}

/** The value of a returned line before taxes. */
export function extensionOf({ total, taxes }: Pick<ReturnLine, "total" | "taxes">): number {
  return (taxes ?? []).reduce((value, { amount }) => value - amount, total);
}

function perUnitOf(taxes: readonly LineTax[]): number {
  return taxes.reduce((total, { rate, amount }) => (rate === null ? total + amount : total), 0);
}

/** Whether the lines sum up to the sale: only then can a part of it be told. */
export function addsUp(sale: Returnable, lines: Iterable<SoldLine>): boolean {
  let total = 0n;
  for (const { item, whole, discount } of lines) {
    if ([whole.base, ...whole.taxes, discount].some((value) => value < 0n) || item.quantity < 0) return false;
    total += BigInt(item.subtotal) - discount;
  }
  return total === BigInt(sale.total - sale.tip_amount);
}
