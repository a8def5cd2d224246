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
  if (!tellsActs(batch) || !after || before?.deleted_at || (after.deleted_at && !before)) return;
  if (after.deleted_at) return void batch.catalogued.set(record.deviceSeq, [removed(record, after.name)]);
  const taken = before
    ? [renamed, reclassed, switched, repriced, addedPrices].flatMap((changes) => changes(record, before, after))
    : [made(record, after)];
  if (taken.length > 0) batch.catalogued.set(record.deviceSeq, taken);
}

const made = ({ editedAt }: Incoming, { name, final_price }: Product): Taken => ({
  ...{ right: "create_product", at: editedAt, amount: final_price, part: "made", label: name },
  what: `«${name}» entró al catálogo a $${grouped(final_price)}.`,
});

const removed = ({ editedAt }: Incoming, name: string): Taken => ({
  ...{ right: "create_product", at: editedAt, amount: null, part: "removed", label: name },
  what: `«${name}» se eliminó del catálogo.`,
});

/** A variant that a register deletes by itself. */
export function noteRemovedVariant(batch: WorkingSet, record: Incoming, name: string): void {
  if (tellsActs(batch)) batch.catalogued.set(record.deviceSeq, [removed(record, name)]);
}

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

function switched({ editedAt }: Incoming, before: Product, after: Product): Taken[] {
  const said = [
    ...(before.active === after.active ? [] : [after.active ? "volvió a venderse" : "dejó de venderse"]),
    ...(before.sold_by_weight === after.sold_by_weight
      ? []
      : [after.sold_by_weight ? "se vende ahora por peso" : "se vende ahora por unidades"]),
  ];
  return said.map((what) => ({
    ...{ right: "create_product", at: editedAt, amount: null, part: what, label: after.name },
    what: `«${after.name}» ${what}.`,
  }));
}

/** A code or a variant with a price of its own is one more price that the product may be sold for. */
function addedPrices({ editedAt }: Incoming, before: Product, after: Product): Taken[] {
  const codes = new Set((before.barcodes ?? []).map(({ code }) => code));
  const variants = new Set(before.variants.map(({ id }) => id));
  const added = [
    ...(after.barcodes ?? []).flatMap(({ code, price, units }) =>
      price === null || codes.has(code) ? [] : [{ name: `código ${code}`, price, units }],
    ),
    ...after.variants.flatMap(({ id, label, final_price: price }) =>
      variants.has(id) ? [] : [{ name: label, price, units: 1 }],
    ),
  ];
  return added.map(({ name, price, units }) => ({
    ...{ right: "price", at: editedAt, part: `added ${name}`, label: after.name },
    amount: Math.round(after.final_price * units - price),
    what: `«${after.name}» se puede vender ahora por $${grouped(price)}${units === 1 ? "" : ` las ${grouped(units)} unidades`}: ${name}.`,
  }));
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
