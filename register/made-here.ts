import type { Act } from "./acts.ts";
import type { Permit } from "./cashiers.ts";
import type { CatalogProduct } from "./catalog.ts";
import type { CounterCore } from "./counter-state.ts";
import type { Draft } from "./protocol.ts";
import { shelfRow, withFavourite } from "./shelf.ts";

export interface NewCounterProduct {
  name: string;
  sku: string | null;
  price: number;
  tax_class: string;
  category_id: string | null;
  sold_by_weight: boolean;
}

/** What a counter adds to the shop's own records. */
export interface MadeHere {
  /** What she agreed to is noted with when and where. Whoever was not asked has not refused. */
  addCustomer(fields: Record<string, unknown> & { name: string; accepts_marketing?: true }): Promise<string>;
  /** Creates a product at the counter; it is sold at once, online or not. */
  addProduct(fields: NewCounterProduct, permit: Permit): Promise<CatalogProduct>;
  /** Puts a product among the favourites, or takes it out. */
  favour(productId: string): void;
}

export function madeHere(core: CounterCore): MadeHere {
  const { store, register, registerName, catalog, state, set, acts, newId, now } = core;
  return {
    async addCustomer(given) {
      const id = newId();
      const said = { accepts_marketing_at: now().toISOString(), accepts_marketing_source: registerName().slice(0, 80) };
      const fields = given.accepts_marketing ? { ...given, ...said } : given;
      const draft: Draft = { type: "customer", id, data: fields };
      await register.record([draft], { put: [catalog.keep("customer", id, fields)] });
      return id;
    },
    async addProduct({ price, sold_by_weight, ...fields }, permit) {
      const id = newId();
      const unit = { base_unit: sold_by_weight ? "kg" : "und", sold_by_weight };
      const prices = { base_price: price, final_price: price, percent_discount: 0 };
      const data = { ...fields, ...prices, ...unit, kind: "simple", active: true, sellable: true, variants: [] };
      const act: Act = { kind: "product_created", label: fields.name, amount: price };
      const drafts = acts.marked([{ type: "product", id, data }], act, permit);
      await register.record(drafts, { put: [catalog.keep("product", id, data)] });
      return catalog.get("product", id) as CatalogProduct;
    },
    favour(productId) {
      const shelf = withFavourite(state().shelf, productId);
      void Promise.resolve(store.commit({ put: [shelfRow(shelf)] })).catch(() => {});
      set({ shelf });
    },
  };
}
