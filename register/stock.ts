import { isCountedUnit } from "../src/taxes/units.ts";
import type { Act } from "./acts.ts";
import type { Permit } from "./cashiers.ts";
import type { CatalogProduct } from "./catalog.ts";
import type { Draft } from "./protocol.ts";
import type { Register } from "./register.ts";
import { type KeptSale, movementDraft } from "./sale.ts";
import { type KeptLevel, levelsIn, movedBy, newsAfter, noNews, rounded, type StockNews } from "./stock-level.ts";
import type { Row, Store } from "./store.ts";
import type { SyncClient } from "./sync-client.ts";

export interface StockOptions {
  store: Store;
  register: Register;
  client: SyncClient;
  newId: () => string;
  /** Who stands at the counter, for the reason of a movement. */
  cashierName: () => string | null;
  /** Adds who moved it and who allowed it. */
  mark?: (drafts: readonly Draft[], act: Act, permit: Permit) => readonly Draft[];
}

/** The stock as far as this register knows: the last news, and what it moved itself since. */
export interface StockView {
  /** When the news are from; null while none have come. */
  at: string | null;
  /** How much there is in a warehouse; null for movements without one. */
  in(productId: string, warehouseId: string | null): number;
  total(productId: string): number;
  /** Whether anybody ever counted, received or sold it: of other products there is nothing to say. */
  knows(productId: string): boolean;
}

export interface Stock {
  view(): Promise<StockView>;
  /** Asks the service for what moved since the last time. Throws when it does not answer. */
  refresh(): Promise<void>;
  /** Records the difference between what was counted and what is known; returns it. */
  count(productId: string, warehouseId: string | null, counted: number, permit?: Permit): Promise<number>;
  receive(delivery: Delivery, permit?: Permit): Promise<void>;
  transfer(productId: string, from: string, to: string, quantity: number, permit?: Permit): Promise<void>;
}

export interface Delivery {
  productId: string;
  warehouseId: string | null;
  quantity: number;
  unitCost: number | null;
  /** The supplier's invoice. */
  reference: string | null;
}

const pageEntries = 500;
const newsKey = "stock";

export function openStock(options: StockOptions): Stock {
  const { store, register, client, newId, cashierName, mark = (drafts) => drafts } = options;
  let known: Map<string, KeptLevel> | undefined;
  let news = noNews("");

  /** Levels are read when somebody asks for them: selling does not need them. */
  async function load(): Promise<Map<string, KeptLevel>> {
    const { device_id } = register.identity();
    if (known && news.device_id === device_id) return known;
    const kept = await store.get<StockNews>("meta", newsKey);
    const isOurs = kept?.device_id === device_id;
    news = isOurs ? kept : noNews(device_id);
    known = new Map((isOurs ? await store.list<KeptLevel>("stock") : []).map((level) => [level.product_id, level]));
    return known;
  }

  async function startOver(): Promise<void> {
    news = noNews(register.identity().device_id);
    known = new Map();
    await store.commit({ clear: ["stock"], put: [newsRow(news)] });
  }

  async function refresh(): Promise<void> {
    const levels = await load();
    for (;;) {
      const page = await client.stock(register.identity().token, news.cursor);
      // The service's clock never goes back, unless its database is an older copy.
      if (news.at !== null && page.as_of < news.at) {
        await startOver();
        return refresh();
      }
      const fresh = levelsIn(page);
      news = newsAfter(news, page);
      await store.commit({ put: [...fresh.map(levelRow), newsRow(news)] });
      for (const level of fresh) levels.set(level.product_id, level);
      if (!page.has_more) return;
    }
  }

  /** What this register moved since the news, by product and warehouse. */
  async function ownSince(levels: ReadonlyMap<string, KeptLevel>): Promise<Map<string, number>> {
    const sums = new Map<string, number>();
    for (let after = news.acked; ; ) {
      const entries = await store.entries(after, pageEntries);
      const ids = entries.flatMap(({ type, data }) =>
        type === "return" ? [(data as { sale_id: string }).sale_id] : [],
      );
      const sales = await Promise.all([...new Set(ids)].map((id) => store.get<KeptSale>("sale", id)));
      const saleOf = (id: string) => sales.find((sale) => sale?.id === id);
      for (const moved of entries.flatMap((entry) => movedBy(entry, saleOf))) {
        if (moved.device_seq <= (levels.get(moved.product_id)?.acked ?? 0)) continue;
        const key = keyOf(moved.product_id, moved.warehouse);
        sums.set(key, (sums.get(key) ?? 0) + moved.quantity);
      }
      if (entries.length < pageEntries) return sums;
      after = entries.at(-1)!.device_seq;
    }
  }

  async function view(): Promise<StockView> {
    const levels = await load();
    const own = await ownSince(levels);
    const moved = new Set(Array.from(own.keys(), (key) => key.slice(0, 36)));
    const quantity = (productId: string, warehouse: string) =>
      rounded((levels.get(productId)?.levels[warehouse] ?? 0) + (own.get(keyOf(productId, warehouse)) ?? 0));
    return {
      at: news.at,
      in: (productId, warehouseId) => quantity(productId, warehouseId ?? ""),
      knows: (productId) => levels.has(productId) || moved.has(productId),
      total(productId) {
        const elsewhere = [...own.keys()].flatMap((key) => (key.startsWith(`${productId} `) ? [key.slice(37)] : []));
        const places = new Set([...Object.keys(levels.get(productId)?.levels ?? {}), ...elsewhere]);
        return rounded([...places].reduce((sum, place) => sum + quantity(productId, place), 0));
      },
    };
  }

  /** The service keeps part of a piece as it was sent, but nobody can count one. */
  function requireWhole(productId: string, quantity: number): void {
    const product = register.catalog.get("product", productId) as CatalogProduct | undefined;
    if (!Number.isInteger(quantity) && isCountedUnit(product?.base_unit ?? ""))
      throw new RangeError(`${quantity} of a product that is counted in pieces`);
  }

  const reason = (what: string) => [what, cashierName()].filter(Boolean).join(" · ");
  const movement = (type: string, productId: string, fields: Partial<Parameters<typeof movementDraft>[1]>): Draft =>
    movementDraft(newId(), {
      ...{ product_id: productId, quantity: 0, type, origin_type: type, sale_id: null, warehouseId: null },
      ...fields,
    });

  async function record(drafts: Draft[], permit: Permit = { right: "stock", by: undefined }): Promise<void> {
    const {
      product_id,
      quantity,
      reason: why,
    } = drafts[0]!.data as { product_id: string; quantity: number; reason: string };
    const name = (register.catalog.get("product", product_id) as CatalogProduct | undefined)?.name ?? "";
    await register.record(mark(drafts, { kind: "stock_moved", detail: `${why}: ${quantity} × ${name}` }, permit));
  }

  return {
    view,
    refresh,
    async count(productId, warehouseId, counted, permit) {
      requireWhole(productId, counted);
      const difference = rounded(counted - (await view()).in(productId, warehouseId));
      const fields = { quantity: difference, warehouseId, reason: reason("Conteo") };
      if (difference !== 0) await record([movement("adjustment", productId, fields)], permit);
      return difference;
    },
    async receive({ productId, warehouseId, quantity, unitCost, reference }, permit) {
      requireWhole(productId, quantity);
      const fields = { quantity, warehouseId, unit_cost: unitCost, reference, reason: reason("Entrada") };
      await record([movement("purchase", productId, fields)], permit);
    },
    async transfer(productId, from, to, quantity, permit) {
      requireWhole(productId, quantity);
      const shared = { quantity, reference: newId(), reason: reason("Traslado") };
      const out = movement("transfer_out", productId, { ...shared, warehouseId: from });
      await record([out, movement("transfer_in", productId, { ...shared, warehouseId: to })], permit);
    },
  };
}

const keyOf = (productId: string, warehouse: string) => `${productId} ${warehouse}`;

function levelRow(level: KeptLevel): Row {
  return { table: "stock", key: level.product_id, value: level };
}

function newsRow(news: StockNews): Row {
  return { table: "meta", key: newsKey, value: news };
}
