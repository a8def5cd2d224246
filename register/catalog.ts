import type { Change } from "./protocol.ts";
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
}

/** A record as it is stored: with the change that brought it. */
export interface CatalogRecord {
  type: string;
  id: string;
  seq: number;
  /** Null for a record that was deleted or dropped: only its seq counts. */
  fields: Fields;
}

/** A product that a scanner or a search finds, with the variant that the code names. */
export interface Found extends Searchable {
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
  search(query: string, limit?: number): CatalogProduct[];
  byCode(code: string): { product: CatalogProduct; variant?: CatalogVariant } | undefined;
  /** The last change of a record that was received; an edit is based on it. */
  seqOf(id: string): number;
}

export function newCatalog(): Catalog {
  const records = new Map<string, CatalogRecord>();
  const byType = new Map<string, Map<string, CatalogRecord>>();
  let index: SearchIndex<Found> | undefined;

  function set(record: CatalogRecord): Row {
    const before = records.get(record.id);
    if (before) byType.get(before.type)?.delete(record.id);
    records.set(record.id, record);
    if (record.fields !== null) {
      const siblings = byType.get(record.type) ?? new Map<string, CatalogRecord>();
      byType.set(record.type, siblings.set(record.id, record));
    }
    if (record.type === "product") index = undefined;
    return { table: "catalog", key: record.id, value: record };
  }
  const seqOf = (id: string) => records.get(id)?.seq ?? 0;
  const catalog: Catalog = {
    restore: (kept) => kept.forEach(set),
    take({ seq, type, id, deleted, data }) {
      if (deleted) return set({ type, id, seq, fields: null });
      const known = records.get(id)?.fields;
      // `init` applies to new products only: afterwards unit and kind belong to the register.
      const fields = type === "product" ? { ...data.init, ...known, ...data.set, id } : data;
      return set({ type, id, seq, fields });
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
      index = undefined;
      // Their seqs may be of a database that is no longer there; the feed brings those that hold.
      return kept.map((record) => set({ ...record, seq: 0 }));
    },
    all: (type) => [...(byType.get(type)?.values() ?? [])].map(({ fields }) => fields),
    get: (type, id) => byType.get(type)?.get(id)?.fields,
    products() {
      const all = catalog.all("product") as CatalogProduct[];
      return all.filter((product) => product.active && product.sellable);
    },
    search(query, limit = 60) {
      index ??= searchIndex(catalog.products().map(foundAs));
      return index.find(query, limit).map(({ product }) => product);
    },
    byCode(code) {
      index ??= searchIndex(catalog.products().map(foundAs));
      const product = index.byCode(code)?.product;
      const wanted = folded(code.trim());
      const variant = product?.variants.find(({ sku }) => sku && folded(sku) === wanted);
      return product && { product, ...(variant && { variant }) };
    },
    seqOf,
  };
  return catalog;
}

function foundAs(product: CatalogProduct): Found {
  const variants = (product.variants ?? []).filter(({ active }) => active !== false);
  const codes = [product.sku, ...variants.map(({ sku }) => sku)].flatMap((code) => code ?? []);
  return { product, name: product.name, codes, words: variants.map(({ label }) => label) };
}
