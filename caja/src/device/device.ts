import { deleteDB } from "idb";
import { type Counter, openCounter } from "../../../register/counter.ts";
import type { Identity } from "../../../register/protocol.ts";
import { prune } from "../../../register/prune.ts";
import { openQuotes, type Quotes } from "../../../register/quotes.ts";
import { openRegister, type Register } from "../../../register/register.ts";
import { openShopSales, type ShopSales } from "../../../register/shop-sales.ts";
import { openStock, type Stock } from "../../../register/stock.ts";
import { metaOf, type Row } from "../../../register/store.ts";
import { type BrowserStore, openIndexedDbStore } from "../../../register/stores/indexed-db-store.ts";
import { isOlder, type ServerInfo, syncClient } from "../../../register/sync-client.ts";
import { type Synchronizing, type SyncStatus, synchronize } from "../../../register/synchronize.ts";
import { unsentFile } from "../../../register/unsent-file.ts";
import { wipe } from "../../../register/wipe.ts";
import { delay } from "./delay.ts";
import { OtherBusinessError } from "./link-problem.ts";
import { holdTab } from "./tab.ts";

/** Where the register in this browser stands. */
export type Phase =
  | { kind: "opening" }
  /** Another tab is the register. */
  | { kind: "taken" }
  /** Nobody has linked it, or its link was cut; `waiting` records stay until it is linked again. */
  | { kind: "unlinked"; waiting: number; wasLinked: boolean }
  | ({ kind: "open" } & Open)
  | { kind: "failed"; message: string }
  /** The browser took the store away. What was not uploaded is still in memory. */
  | { kind: "lost"; unsent: number };

/** What the screens of an open register work with. */
export interface Open {
  counter: Counter;
  register: Register;
  quotes: Quotes;
  stock: Stock;
  shop: ShopSales;
  name: string;
}

export interface Device {
  phase(): Phase;
  status(): SyncStatus;
  /** Records received during the first load. */
  received(): number;
  /** Whether the service takes a capability, as far as it has said. */
  accepts(capability: string): boolean;
  /** The service no longer understands this version of the app. */
  isOutdated(): boolean;
  /** By how many minutes this device's clock is ahead of the service's, as of the last answer. */
  clockAhead(): number;
  /** Grows with every change of the catalog or of a document. */
  news(): number;
  subscribe(listener: () => void): () => void;
  link(code: string): Promise<void>;
  takeOver(): void;
  /** What was never uploaded, as a file that the portal takes in. */
  unsentFile(): string;
  /** Forgets the former business. */
  startOver(): Promise<void>;
  /** Whether the browser promised to keep what the register stores; undefined until it has answered. */
  isPersisted(): boolean | undefined;
  /** Something was recorded: send it now. With `isNews`, the catalog changed with it. */
  wake(isNews?: boolean): void;
}

const databaseName = "caja";
const around = { now: () => new Date(), newId: () => crypto.randomUUID() };
const version = "1.1.0";
const app = {
  version: `caja ${version}`,
  capabilities: [
    ...["product.remote_edit.1", "product.codes.1", "document.down.1", "business.down.1"],
    ...["return.1", "return.down.1", "ticket_mail.1", "counter_act.1", "product_act.1", "sale_invoice.1"],
    ...["sale_act.1", "erasure.down.1", "order.1"],
  ],
};
/** What of the feed stands in the counter's state. */
const atTheCounter: ReadonlySet<string> = new Set(["business", "cashier", "return"]);
const offline: SyncStatus = { connection: "offline", waiting: 0, isLoaded: false, reason: undefined };

export function openDevice(): Device {
  const client = syncClient(location.origin, (url, init) => fetch(url, init), app, noteServer);
  const listeners = new Set<() => void>();
  let phase: Phase = { kind: "opening" };
  let status = offline;
  let received = 0;
  let news = 0;
  let server: ServerInfo | undefined;
  let clockAhead = 0;
  let name = "Caja";
  let identity: Identity | undefined;
  let store: BrowserStore | undefined;
  let isPersisted: boolean | undefined;
  let sync: Synchronizing | undefined;

  function notify(): void {
    for (const listener of listeners) listener();
  }
  /** Kept, so that without a connection a cashier is offered what the service takes. */
  function noteServer(next: ServerInfo, clockAheadMs: number): void {
    noteClock(Math.round(clockAheadMs / 60_000));
    if (next.name !== null && next.name !== name) {
      name = next.name;
      void store?.commit({ put: [nameRow(name)] }).catch(() => {});
      if (phase.kind === "open") setPhase({ ...phase, name });
    }
    if (JSON.stringify(next) === JSON.stringify(server)) return;
    server = next;
    void store?.commit({ put: [{ table: "meta", key: "server", value: next }] }).catch(() => {});
    notify();
  }
  const accepts = (capability: string) => server === undefined || server.accepts.includes(capability);
  function noteClock(minutes: number): void {
    if (minutes === clockAhead) return;
    clockAhead = minutes;
    notify();
  }
  /** A page of the feed brings hundreds of changes: the screen is told once. */
  let isTelling = false;
  function tellNews(): void {
    if (isTelling) return;
    isTelling = true;
    setTimeout(() => {
      isTelling = false;
      news += 1;
      notify();
    });
  }
  function setPhase(next: Phase): void {
    phase = next;
    notify();
  }
  function letGo(): void {
    sync?.stop();
    store?.close();
    store = undefined;
    setPhase({ kind: "taken" });
  }

  const openStore = () =>
    openIndexedDbStore({
      ...{ name: databaseName, isAlone: true },
      ...{ onSuperseded: () => location.reload(), onLost: noteLoss },
    });
  function noteLoss(): void {
    sync?.stop();
    setPhase({ kind: "lost", unsent: store!.unsent().length });
  }
  async function askToPersist(): Promise<void> {
    isPersisted = (await navigator.storage?.persist?.().catch(() => false)) ?? false;
    notify();
  }

  async function open(): Promise<void> {
    store = await openStore();
    void askToPersist();
    const [kept, known] = await Promise.all([
      store.get<ServerInfo>("meta", "server"),
      store.get<Identity>("meta", "identity"),
    ]);
    server ??= kept;
    identity = known;
    if (!identity) setPhase({ kind: "unlinked", waiting: 0, wasLinked: false });
    else await run();
  }

  async function run(): Promise<void> {
    const own = store!;
    const [called, isLoaded = false] = await Promise.all([
      own.get<string>("meta", "name"),
      own.get<boolean>("meta", "loaded"),
    ]);
    name = called ?? name;
    const register = await openRegister({
      store: own,
      client,
      now: () => new Date(),
      onChange(change) {
        received += 1;
        tellNews();
        if (change.type === "erasure") counter.forgetBuyers(change.data.customer_ids);
        if (change.type === "order") counter.settleOrders();
        if (atTheCounter.has(change.type)) counter.refresh();
      },
    });
    const counter: Counter = await openCounter({
      store: own,
      register,
      registerName: () => name,
      acceptsActs: () => accepts("counter_act.1"),
      ...around,
    });
    const quotes = openQuotes({ store: own, register, counter, ...around });
    const cashierName = () => counter.state().cashier?.name ?? null;
    const stock = openStock({
      ...{ store: own, register, client, newId: around.newId },
      ...{ cashierName, mark: counter.marked },
    });
    const shop = openShopSales({ store: own, register, client });
    status = { ...offline, waiting: register.pending(), isLoaded };
    setPhase({ kind: "open", counter, register, quotes, stock, shop, name });
    void prune(own, new Date()).catch(() => {});
    sync = synchronize({
      register,
      random: Math.random,
      delay,
      onStatus(next) {
        if (next.isLoaded && !status.isLoaded)
          void own.commit({ put: [{ table: "meta", key: "loaded", value: true } as Row] });
        status = { ...next, isLoaded: next.isLoaded || status.isLoaded };
        if (next.connection === "unlinked") {
          sync?.stop();
          // Withdrawn in the portal, perhaps because it was stolen.
          if (next.reason?.startsWith("DEVICE_REVOKED")) void wipe(own).catch(() => {});
          setPhase({ kind: "unlinked", waiting: next.waiting, wasLinked: true });
        } else notify();
      },
    });
  }

  /** A code of another business is refused while records of this one wait. */
  async function link(code: string): Promise<void> {
    const own = store!;
    const before = identity;
    const next = await client.enrol(code, name);
    const named = nameRow(next.name ?? name);
    if (before && before.account_id === next.account_id) {
      await own.renumber(next);
      await own.commit({ put: [named] });
    } else {
      const acked = (await own.get<number>("meta", "acked")) ?? 0;
      if (before && own.lastSeq() > acked) throw new OtherBusinessError();
      if (before) {
        own.close();
        await deleteDB(databaseName);
        store = await openStore();
      }
      await store!.commit({ put: [...metaOf(next), named] });
    }
    identity = next;
    received = 0;
    await run();
  }

  // Browsers keep an app, its database and its locks only for pages that came over a safe connection.
  if (!isSecureContext) phase = { kind: "failed", message: "la dirección debe empezar por https." };
  else holdTab({ onHeld: () => void open().catch(fail), onTaken: () => setPhase({ kind: "taken" }), onLost: letGo });
  function fail(error: unknown): void {
    setPhase({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
  }
  addEventListener("online", () => sync?.wake());

  return {
    phase: () => phase,
    status: () => status,
    received: () => received,
    news: () => news,
    accepts,
    isOutdated: () => Boolean(server?.oldest && isOlder(version, server.oldest)),
    clockAhead: () => clockAhead,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    link,
    takeOver: () => holdTab({ onHeld: () => void open().catch(fail), onTaken: () => {}, onLost: letGo, isSteal: true }),
    unsentFile() {
      const device_id = identity?.device_id ?? "";
      return unsentFile({ device_id, register: name, saved_at: new Date().toISOString(), records: store!.unsent() });
    },
    async startOver() {
      store!.close();
      await deleteDB(databaseName);
      store = await openStore();
      setPhase({ kind: "unlinked", waiting: 0, wasLinked: false });
    },
    isPersisted: () => isPersisted,
    wake(isNews = false) {
      if (isNews) {
        news += 1;
        notify();
      }
      sync?.wake();
    },
  };
}

const nameRow = (name: string): Row => ({ table: "meta", key: "name", value: name });
