import type { Change } from "./sync-client.ts";

// biome-ignore lint/suspicious/noExplicitAny: records as they came down
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

/** What a register knows of its shop: the feed applied in order, over what it made itself. */
export interface Catalog {
  take(change: Change): void;
  /** A record the register made or edited itself, before the feed brings it back. */
  keep(type: string, id: string, fields: object): void;
  /** The server's version of a record that the register had otherwise. */
  correct(type: string, id: string, data: unknown): void;
  drop(id: string): void;
  clear(): void;
  all(type: string): Fields[];
  products(): CatalogProduct[];
  /** The last change seen of a record: what an edit of it is based on. */
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
      // `init` counts only where the product is new: unit and kind are the register's own.
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
