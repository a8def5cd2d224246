import type { Change } from "./sync-client.ts";

// biome-ignore lint/suspicious/noExplicitAny: records as they were received
type Fields = any;

export interface CatalogProduct {
  id: string;
  name: string;
  base_price: number;
  final_price: number;
  tax_class: string;
  base_unit: string;
  sold_by_weight: boolean;
  active: boolean;
  sellable: boolean;
  variants: { id: string; label: string }[];
}

/** A register's copy of its shop: its own records, with the change feed applied to them in order. */
export interface Catalog {
  take(change: Change): void;
  /** Stores a record that the register created or edited itself, before the feed returns it. */
  keep(type: string, id: string, fields: object): void;
  /** Replaces the register's version of a record with the server's. */
  correct(type: string, id: string, data: unknown): void;
  drop(id: string): void;
  clear(): void;
  all(type: string): Fields[];
  products(): CatalogProduct[];
  /** The last change of a record that was received; an edit is based on it. */
  seqOf(id: string): number;
}

export function newCatalog(): Catalog {
  const records = new Map<string, { type: string; fields: Fields }>();
  const seqs = new Map<string, number>();
  return {
    take({ seq, type, id, deleted, data }) {
      seqs.set(id, seq);
      if (deleted) {
        records.delete(id);
        return;
      }
      const known = records.get(id)?.fields;
      // `init` applies to new products only: afterwards unit and kind belong to the register.
      const fields = type === "product" ? { ...data.init, ...known, ...data.set, id } : data;
      records.set(id, { type, fields });
    },
    keep: (type, id, fields) => void records.set(id, { type, fields: { ...records.get(id)?.fields, ...fields, id } }),
    correct(type, id, data) {
      if (records.has(id)) this.take({ seq: this.seqOf(id), type, id, deleted: false, data });
    },
    drop: (id) => void records.delete(id),
    clear() {
      records.clear();
      seqs.clear();
    },
    all: (type) => [...records.values()].filter((record) => record.type === type).map(({ fields }) => fields),
    products() {
      const all = this.all("product") as CatalogProduct[];
      return all.filter((product) => product.active && product.sellable);
    },
    seqOf: (id) => seqs.get(id) ?? 0,
  };
}
