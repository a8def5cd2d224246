import type { Product } from "../../../business/products/schema.ts";
import { grouped } from "../../../taxes/words.ts";
import { tellsActs } from "./capabilities.ts";
import type { Incoming } from "./read-record.ts";
import type { WorkingSet } from "./working-set.ts";

/** What one of the articles of a product costs; the product's own key is its name. */
function pricesOf({ name, final_price, variants, barcodes }: Product): Map<string, number> {
  return new Map([
    [name, final_price],
    ...variants.map((one) => [`${name} · ${one.label}`, one.final_price] as const),
    ...(barcodes ?? []).flatMap(({ code, price }) =>
      price === null ? [] : [[`${name}, código ${code}`, price] as const],
    ),
  ]);
}

/** A register that changes what the shop asks for a product does what takes the right to change prices. */
export function noteRepricing(batch: WorkingSet, record: Incoming, before: Product, after: Product): void {
  if (!tellsActs(batch) || before.deleted_at || after.deleted_at) return;
  const former = pricesOf({ ...before, name: after.name });
  const changes = Array.from(pricesOf(after)).flatMap(([name, price]) => {
    const was = former.get(name);
    return was === undefined || was === price ? [] : [{ name, was, price }];
  });
  const [first] = changes;
  if (!first) return;
  const more = changes.length > 1 ? ` Y ${changes.length - 1} más.` : "";
  batch.repriced.set(record.deviceSeq, {
    right: "price",
    at: record.editedAt,
    amount: first.was - first.price,
    part: `${first.was} ${first.price}`,
    label: after.name,
    what: `«${first.name}» pasó de $${grouped(first.was)} a $${grouped(first.price)} en el catálogo.${more}`,
  });
}
