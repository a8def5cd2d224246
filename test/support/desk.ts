import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { type Counter, openCounter } from "../../register/counter.ts";
import type { Fetch, Identity } from "../../register/protocol.ts";
import { openQuotes, type Quotes } from "../../register/quotes.ts";
import { openRegister, type Register } from "../../register/register.ts";
import { openShopSales, type ShopSales } from "../../register/shop-sales.ts";
import { openStock, type Stock } from "../../register/stock.ts";
import { metaOf, type Store } from "../../register/store.ts";
import { openFileStore } from "../../register/stores/file-store.ts";
import { openIndexedDbStore } from "../../register/stores/indexed-db-store.ts";
import { type SyncClient, syncClient } from "../../register/sync-client.ts";
import { freeLine, withLine } from "../../register/ticket.ts";
import { createEnrolmentCode } from "../../src/access/devices/create-enrolment-code.ts";
import { useIndexedDb } from "./indexed-db.ts";
import type { Service } from "./service.ts";

const app = {
  version: "caja test",
  capabilities: [
    "document.down.1",
    "business.down.1",
    "product.remote_edit.1",
    "return.1",
    "return.down.1",
    "ticket_mail.1",
    "counter_act.1",
    "product_act.1",
    "sale_act.1",
    "sale_invoice.1",
    "erasure.down.1",
    "order.1",
  ],
};

/** A counter without a screen, linked to a business. */
export interface Desk {
  store: Store;
  client: SyncClient;
  register: Register;
  counter: Counter;
  quotes: Quotes;
  stock: Stock;
  shop: ShopSales;
}

export const storeKinds = ["files", "IndexedDB"] as const;
export type StoreKind = (typeof storeKinds)[number];

export interface DeskOptions {
  fetchLike?: Fetch;
  now?: () => Date;
}

/** Opens desks for the tests of a file, whose stores go with its last test. */
export function desks(): {
  open(kind: StoreKind, service: Service, accountId: string, options?: DeskOptions): Promise<Desk>;
} {
  const folder = mkdtempSync(join(tmpdir(), "mostrador-caja-"));
  let takeAway: () => void;
  beforeAll(() => {
    takeAway = useIndexedDb();
  });
  afterAll(() => {
    takeAway();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    async open(kind, service, accountId, { fetchLike = fetch as Fetch, now = () => new Date() } = {}) {
      const { client, identity } = await enrolled(service, accountId, fetchLike);
      const name = crypto.randomUUID();
      const store: Store =
        kind === "files" ? openFileStore(join(folder, name), identity) : await openIndexedDbStore({ name });
      if (kind === "IndexedDB") await store.commit({ put: metaOf(identity) });
      const told: { counter?: Counter } = {};
      const register: Register = await openRegister({
        ...{ store, client, now },
        onChange: ({ type, data }) => type === "erasure" && told.counter?.forgetBuyers(data.customer_ids),
      });
      while (await register.pull(0));
      const around = { now, newId: () => crypto.randomUUID() };
      const counter = await openCounter({
        ...{ store, register, registerName: () => "Caja", ...around },
        acceptsActs: () => true,
      });
      told.counter = counter;
      const quotes = openQuotes({ store, register, counter, ...around });
      const stock = openStock({
        ...{ store, register, client, newId: around.newId },
        ...{ cashierName: () => null, mark: counter.marked },
      });
      const shop = openShopSales({ store, register, client });
      return { store, client, register, counter, quotes, stock, shop };
    },
  };
}

export async function enrolled(
  service: Service,
  accountId: string,
  fetchLike = fetch as Fetch,
): Promise<{ client: SyncClient; identity: Identity }> {
  const { code } = await createEnrolmentCode(service.deps, { accountId, name: "Caja" });
  const client = syncClient(service.baseUrl, fetchLike, app);
  return { client, identity: await client.enrol(code, "Caja") };
}

/** Sells a free line for cash; returns the sale's id. */
export async function sell({ counter }: Pick<Desk, "counter">, price: number): Promise<string> {
  counter.edit((ticket) => withLine(ticket, freeLine(crypto.randomUUID(), "Algo", price, "standard")));
  const result = await counter.charge([]);
  if ("problem" in result) throw new Error(result.problem.kind);
  return result.sale.id;
}

export async function upload({ register }: Pick<Desk, "register">): Promise<void> {
  while (await register.push());
}

export async function receive({ register }: Pick<Desk, "register">): Promise<void> {
  while (await register.pull(0));
}
