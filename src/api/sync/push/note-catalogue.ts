import type { Product } from "../../../business/products/schema.ts";
import { taxClassWords } from "../../../taxes/tax-class-words.ts";
import { grouped } from "../../../taxes/words.ts";
import { tellsActs } from "./capabilities.ts";
import type { Taken } from "./judge-rights.ts";
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

/** A register that makes a product of the shop, or another of one, does what takes a right: its name, its tax, its prices. */
export function noteCatalogue(
  batch: WorkingSet,
  record: Incoming,
  before: Product | undefined,
  after: Product | undefined,
): void {
  if (!tellsActs(batch) || !after || before?.deleted_at || after.deleted_at) return;
  const taken = before
    ? [...renamed(record, before, after), ...reclassed(record, before, after), ...repriced(record, before, after)]
    : [made(record, after)];
  if (taken.length > 0) batch.catalogued.set(record.deviceSeq, taken);
}

const made = ({ editedAt }: Incoming, { name, final_price }: Product): Taken => ({
  ...{ right: "create_product", at: editedAt, amount: final_price, part: "made", label: name },
  what: `«${name}» entró al catálogo a $${grouped(final_price)}.`,
});

function renamed({ editedAt }: Incoming, before: Product, after: Product): Taken[] {
  if (before.name === after.name) return [];
  const what = `«${before.name}» pasó a llamarse «${after.name}» en el catálogo.`;
  const part = `name ${before.name} ${after.name}`;
  return [{ right: "create_product", at: editedAt, amount: null, part, label: after.name, what }];
}

function reclassed({ editedAt }: Incoming, before: Product, after: Product): Taken[] {
  const [from, to] = [before.tax_class, after.tax_class];
  if (from === to) return [];
  const what = `«${after.name}» pasó de «${taxClassWords[from] ?? from}» a «${taxClassWords[to] ?? to}» en sus impuestos.`;
  const part = `tax ${from} ${to}`;
  return [{ right: "create_product", at: editedAt, amount: null, part, label: after.name, what }];
}

function repriced({ editedAt }: Incoming, before: Product, after: Product): Taken[] {
  const former = pricesOf({ ...before, name: after.name });
  const changes = Array.from(pricesOf(after)).flatMap(([name, price]) => {
    const was = former.get(name);
    return was === undefined || was === price ? [] : [{ name, was, price }];
  });
  const [first] = changes;
  if (!first) return [];
  const more = changes.length > 1 ? ` Y ${changes.length - 1} más.` : "";
  return [
    {
      right: "price",
      at: editedAt,
      amount: first.was - first.price,
      part: `${first.was} ${first.price}`,
      label: after.name,
      what: `«${first.name}» pasó de $${grouped(first.was)} a $${grouped(first.price)} en el catálogo.${more}`,
    },
  ];
}
