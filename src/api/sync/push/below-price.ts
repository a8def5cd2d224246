import { leastPrice } from "../../../business/counter/least-price.ts";
import { chargedLines, isSameArticle, type Line, linesIn, offeredPrice, openBeyond } from "./offers.ts";
import { type Fields, fieldIn, type Incoming } from "./read-record.ts";
import type { WorkingSet } from "./working-set.ts";

/** A line that costs less than the catalogue says. */
export interface Below {
  item: Fields;
  line: Line;
  product: NonNullable<ReturnType<WorkingSet["recordSets"]["products"]["get"]>>;
  /** What one would have cost at least. */
  least: number;
  /** What it costs less, in all. */
  amount: number;
  /** What its quote offered one for, if it did. */
  offered: number | undefined;
  /** A part of something that is sold by the piece. */
  isPart: boolean;
}

export const saysPrice = ({ beside }: Incoming): boolean =>
  beside?.acts.some(({ right }) => right === "price" || right === "discount") ?? false;

/** Those of a sale, but for what its quote offered and what it said before; or those of a quote that it did not offer before. */
export function linesBelow({ recordSets, offers }: WorkingSet, record: Incoming): Below[] {
  const { type, data } = record;
  if (type !== "sale" && type !== "quote") return [];
  const offer = type === "sale" ? offers.of(record) : undefined;
  const said = type === "sale" ? offers.before(record) : undefined;
  const [beyond, news] = [openBeyond(offer), openBeyond(said)];
  const charged = chargedLines(data);
  const items = fieldIn<Fields[]>(data, "items", []);
  return linesIn(data).flatMap((line, i) => {
    const product = recordSets.products.get(line.product_id ?? "");
    const item = items[i];
    if (!product || !item) return [];
    const least = leastPrice(product.body, line.variant_id);
    const one = charged[i] ?? line;
    const price = one.unit_price;
    const isSplit = !product.body.sold_by_weight && line.quantity > 0 && line.quantity % 1 !== 0 && least > 0;
    const isPart = isSplit && !said?.lines.some((known) => isSamePart(known, one));
    const quantity = price < least ? Math.min(beyond(line), news(one)) : 0;
    if (quantity <= 0 && !isPart) return [];
    const amount = Math.round(
      isPart ? least * Math.ceil(line.quantity) - price * line.quantity : (least - price) * quantity,
    );
    return [{ item, line, product, least, amount, offered: offeredPrice(offer, line), isPart }];
  });
}

const isSamePart = (known: Line, line: Line) =>
  isSameArticle(known, line) && known.quantity === line.quantity && known.unit_price <= line.unit_price;

/** What all of it costs less, where the register says that somebody gave a price. */
export function sumBelow(batch: WorkingSet, record: Incoming): number {
  return linesBelow(batch, record).reduce((sum, { amount }) => sum + amount, 0);
}
