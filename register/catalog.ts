import type { Change } from "./protocol.ts";
import { isReadableCode } from "./readable.ts";
import { folded, type Searchable, type SearchIndex, searchIndex } from "./search.ts";
import type { Row } from "./store.ts";

// biome-ignore lint/suspicious/noExplicitAny: records as they were received
type Fields = any;

export interface CatalogVariant {
  id: string;
  label: string;
  sku?: string | null;
  /** With 0 the product's price counts. */
  final_price?: number;
  active?: boolean;
}

/** Another code of a product: of the same thing, or of a pack of it. */
export interface CatalogBarcode {
  code: string;
  units: number;
  name: string | null;
  /** Null for its units at the product's price. */
  price: number | null;
  variant_id: string | null;
}

export interface CatalogProduct {
  id: string;
  name: string;
  sku?: string | null;
  category_id?: string | null;
  kind?: string;
  base_price: number;
  final_price: number;
  tax_class: string;
  base_unit: string;
  sold_by_weight: boolean;
  active: boolean;
  sellable: boolean;
  variants: CatalogVariant[];
  /** Missing in what came down before this register knew of them. */
  barcodes?: CatalogBarcode[];
}

/** A record as it is stored: with the change that brought it. */
export interface CatalogRecord {
  type: string;
  id: string;
  seq: number;
  /** Null for a record that was deleted or dropped: only its seq counts. */
  fields: Fields;
}

/** What a code means: a product, with the variant or the pack that it names. */
export interface Coded {
  product: CatalogProduct;
  variant?: CatalogVariant;
  pack?: CatalogBarcode;
}

interface Found extends Searchable {
  product: CatalogProduct;
}

/** A register's copy of its shop: its own records, with the change feed applied to them in order. Kept in memory. */
export interface Catalog {
  /** Puts back what a store kept. */
  restore(records: readonly CatalogRecord[]): void;
  /** Applies a change of the feed; returns the row to store. */
  take(change: Change): Row;
  /** Stores a record that the register created or edited itself, before the feed returns it. */
  keep(type: string, id: string, fields: object): Row;
  /** Replaces the register's version of a record with the server's. */
  correct(type: string, id: string, data: unknown): void;
  drop(id: string): void;
  /** Forgets all but the register's own records that the feed has not returned yet, and these; returns the rows that stay. */
  keepOnly(ids: ReadonlySet<string>): Row[];
  all(type: string): Fields[];
  get(type: string, id: string): Fields | undefined;
  /** Those on sale. */
  products(): CatalogProduct[];
  /** The same by name; the same array until one of them changes. */
  productsByName(): readonly CatalogProduct[];
  search(query: string, limit?: number): CatalogProduct[];
  /** Every register finds the same, also where two products were given one code. */
  byCode(code: string): Coded | undefined;
  /** The last change of a record that was received; an edit is based on it. */
  seqOf(id: string): number;
}

export function newCatalog(): Catalog {
  const records = new Map<string, CatalogRecord>();
  const byType = new Map<string, Map<string, CatalogRecord>>();
  let index: SearchIndex<Found> | undefined;
  let codes: Map<string, Coded> | undefined;
  let sorted: readonly CatalogProduct[] | undefined;

  function set(record: CatalogRecord): Row {
    const before = records.get(record.id);
    if (before) byType.get(before.type)?.delete(record.id);
    records.set(record.id, record);
    if (record.fields !== null) {
      const siblings = byType.get(record.type) ?? new Map<string, CatalogRecord>();
      byType.set(record.type, siblings.set(record.id, record));
    }
    if (record.type === "product") forgetIndex();
    return { table: "catalog", key: record.id, value: record };
  }
  function forgetIndex(): void {
    index = undefined;
    codes = undefined;
    sorted = undefined;
  }
  const seqOf = (id: string) => records.get(id)?.seq ?? 0;
  const catalog: Catalog = {
    restore: (kept) => kept.forEach(set),
    take({ seq, type, id, deleted, data }) {
      if (deleted) return set({ type, id, seq, fields: null });
      const known = records.get(id)?.fields;
      // `init` applies to new products only: afterwards unit and kind belong to the register.
      return set({ type, id, seq, fields: type === "product" ? { ...data.init, ...known, ...setIn(data), id } : data });
    },
    keep: (type, id, fields) =>
      set({ type, id, seq: seqOf(id), fields: { ...records.get(id)?.fields, ...fields, id } }),
    correct(type, id, data) {
      if (records.get(id)?.fields) catalog.take({ seq: seqOf(id), type, id, deleted: false, data });
    },
    drop(id) {
      const record = records.get(id);
      if (record) set({ ...record, fields: null });
    },
    keepOnly(ids) {
      const kept = [...records.values()].filter(({ id, seq, fields }) => fields !== null && (seq === 0 || ids.has(id)));
      records.clear();
      byType.clear();
      forgetIndex();
      // Their seqs may be of a database that is no longer there; the feed brings those that hold.
      return kept.map((record) => set({ ...record, seq: 0 }));
    },
    all: (type) => [...(byType.get(type)?.values() ?? [])].map(({ fields }) => fields),
    get: (type, id) => byType.get(type)?.get(id)?.fields,
    products() {
      const all = catalog.all("product") as CatalogProduct[];
      return all.filter((product) => product.active && product.sellable);
    },
    productsByName: () => (sorted ??= catalog.products().sort(byName)),
    search(query, limit = 60) {
      index ??= searchIndex(catalog.products().map(foundAs));
      return index.find(query, limit).map(({ product }) => product);
    },
    byCode(code) {
      codes ??= codesOf(catalog.products());
      return codes.get(folded(code.trim()));
    },
    seqOf,
  };
  return catalog;
}

const spanish = new Intl.Collator("es");
/** Of a few: telling 2 from 10 takes longer than ten thousand products have. */
const numbered = new Intl.Collator("es", { numeric: true });
export const byNumberedName = (a: { name: string }, b: { name: string }) => numbered.compare(a.name, b.name);
export const byName = (a: { name: string }, b: { name: string }) => spanish.compare(a.name, b.name);

function setIn({ set }: Fields): Fields {
  return set.barcodes ? { ...set, barcodes: set.barcodes.filter(isReadableCode) } : set;
}

/**
 * Every code with what it means. Registers that were offline may have given one to two products: a SKU counts before another
 * code, and among equals the product that was made first, which has the smaller id.
 */
function codesOf(products: readonly CatalogProduct[]): Map<string, Coded> {
  const skus = new Map<string, Coded>();
  const others = new Map<string, Coded>();
  function add(to: Map<string, Coded>, code: string | null | undefined, coded: Coded): void {
    const key = folded(code ?? "");
    const holder = to.get(key)?.product.id;
    if (key !== "" && (holder === undefined || coded.product.id < holder)) to.set(key, coded);
  }
  for (const product of products) {
    const variants = (product.variants ?? []).filter(({ active }) => active !== false);
    add(skus, product.sku, { product });
    for (const variant of variants) add(skus, variant.sku, { product, variant });
    for (const pack of product.barcodes ?? []) {
      const variant = variants.find(({ id }) => id === pack.variant_id);
      add(others, pack.code, { product, pack, ...(variant && { variant }) });
    }
  }
  return new Map([...others, ...skus]);
}

function foundAs(product: CatalogProduct): Found {
  const variants = (product.variants ?? []).filter(({ active }) => active !== false);
  const others = (product.barcodes ?? []).map(({ code }) => code);
  const codes = [product.sku, ...variants.map(({ sku }) => sku), ...others].flatMap((code) => code ?? []);
  return { product, name: product.name, codes, words: variants.map(({ label }) => label) };
}
