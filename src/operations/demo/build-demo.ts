import { createKey } from "../../access/api-keys/create-key.ts";
import { cashSessions } from "../../business/cash-sessions/resource.ts";
import { addEntry } from "../../business/inventory/ledger.ts";
import { recordMovement } from "../../business/inventory/record-movement.ts";
import { newEntry, stockMovements } from "../../business/inventory/resource.ts";
import { invoices } from "../../business/invoices/resource.ts";
import { openAccount } from "../../business/opening/open-account.ts";
import { products } from "../../business/products/resource.ts";
import type { Product } from "../../business/products/schema.ts";
import { withLedger } from "../../business/products/with-ledger.ts";
import { quotes } from "../../business/quotes/resource.ts";
import { sales } from "../../business/sales/resource.ts";
import type { Deps } from "../../deps.ts";
import { scopes } from "../../engine/resources/scopes.ts";
import type { Write } from "../../engine/writing/write.ts";
import { type WritingDeps, writing } from "../../engine/writing/writing.ts";
import { day, hour, minute } from "../../lib/clock.ts";
import { must } from "../../lib/must.ts";
import { bringBack, type DemoSale, giveInvoice } from "./bring-back.ts";
import { type CashDrawer, openDrawer } from "./cash-drawer.ts";
import { demoEmail, demoKey, demoName, demoPassword } from "./identity.ts";
import { firstNumbers, keepNumbering, type Numbering, setUpIssuer } from "./issuer.ts";
import { addDemoMembers } from "./members.ts";
import { orderSome } from "./orders.ts";
import { cashiers } from "./people.ts";
import { buySome } from "./purchases.ts";
import { draftQuote } from "./quotes.ts";
import { type Chance, chance as newChance } from "./random.ts";
import { addRegisters, type Register, showAsSeen } from "./registers.ts";
import { type RungUp, ringUp } from "./ring-up.ts";
import { openSedes, type Sede } from "./sedes.ts";
import { openShop, type Shop } from "./shop.ts";

const days = 28;
/** Bogotá is five hours behind UTC all year. */
const openingHourUtc = 7 + 5;
const hoursOpen = 14;
/** Sales per hour at each register from 7:00, with peaks at breakfast, lunch and the end of the working day. */
const salesPerHour = [3, 4, 2, 1, 1, 3, 4, 2, 1, 1, 3, 4, 3, 2];

/**
 * Creates four weeks of a neighbourhood store through the same writes as everything else, with a clock that advances to the
 * present: the event log, the time filters and the charts have consistent data to show.
 */
export async function buildDemo(deps: Deps, progress: (done: number) => void): Promise<void> {
  const chance = newChance(20_260_928);
  const clock = steppedClock(firstMorning(deps.clock.now()));
  const shopDeps: WritingDeps = { ...deps, clock };
  const account = await openAccount(
    { ...deps, clock },
    { name: demoName, email: demoEmail, password: demoPassword(deps.config.secretKeys), plan: "pro" },
  );
  const shop = await openShop(shopDeps, account.id, chance);
  const sedes = await openSedes(shopDeps, account.id, shop);
  await addDemoMembers(deps, { accountId: account.id, second: sedes[1].id }, clock.now());
  await setUpIssuer({ ...deps, clock }, account.id);
  const registers = await addRegisters({ ...deps, clock }, account.id, sedes);
  const numbering: Numbering = { ...firstNumbers };
  const start = clock.now().getTime();
  // And today, as far as it has come: its shifts are open.
  for (let i = 0; i <= days; i++) {
    progress(i / (days + 1));
    const trade = { deps: shopDeps, accountId: account.id, shop, registers, numbering, chance, moveTo: clock.moveTo };
    await tradeOneDay(trade, i, start + i * day, deps.clock.now());
    if (i % 3 === 1) await quoteSomething(shopDeps, account.id, shop, Math.floor(i / 3) + 1, chance);
    if (i % 7 === 6) await restock(shopDeps, account.id, { shop, sedes, chance });
  }
  const ordering = { deps: shopDeps, accountId: account.id, shop, moveTo: clock.moveTo };
  await orderSome(
    { ...ordering, sellOne: (write, ...what) => sellOne(write, shop, numbering, ...what) },
    deps.clock.now(),
  );
  // After all that the shop in memory moves: these read its products again.
  await buySome(shopDeps, account.id, shop);
  await keepNumbering(deps, account.id, numbering);
  await showAsSeen(deps, account.id);
  // Created last: a demo without a key was interrupted, and is built again.
  await createKey(
    { ...deps, clock },
    { accountId: account.id, name: "Demostración", scopes, token: demoKey(deps.config.secretKeys) },
  );
  progress(1);
}

function steppedClock(from: Date) {
  let now = from.getTime();
  return {
    now: () => new Date(now),
    moveTo(instant: number) {
      now = Math.max(now, instant);
    },
  };
}

function firstMorning(now: Date): Date {
  const morning = new Date(now.getTime() - days * day);
  morning.setUTCHours(openingHourUtc - 1, 0, 0, 0);
  return morning;
}

interface Trade {
  deps: WritingDeps;
  accountId: string;
  shop: Shop;
  registers: readonly Register[];
  numbering: Numbering;
  chance: Chance;
  moveTo: (instant: number) => void;
}

/** One day at every register, hour by hour, until closing time or the present. */
async function tradeOneDay(trade: Trade, dayNumber: number, morning: number, present: Date): Promise<void> {
  const { deps, accountId, shop, registers, numbering, chance, moveTo } = trade;
  const opening = morning + hour;
  if (opening >= present.getTime()) return;
  moveTo(opening);
  const drawers = registers.map((register, i) =>
    openDrawer(
      register,
      must(cashiers[i], "There is one cashier for each register"),
      new Date(opening - 10 * minute),
      chance,
    ),
  );
  await showOpen(deps, accountId, drawers);
  const sold: DemoSale[] = [];
  for (let i = 0; i < hoursOpen; i++) {
    const from = opening + i * hour;
    if (from + hour > present.getTime()) return showOpen(deps, accountId, drawers);
    moveTo(from + hour);
    const about = must(salesPerHour[i], "There is one figure for each hour");
    for (const drawer of drawers)
      await writing(deps, accountId, (write) => {
        write.placeAt(drawer.sede.id);
        for (const { invoice, ...rest } of tradeOneHour(write, shop, drawer, from, about, numbering, chance))
          if (invoice) sold.push({ ...rest, invoice, drawer });
      });
    if (i === afternoon) await correctSome(trade, sold, dayNumber);
  }
  moveTo(opening + hoursOpen * hour + 15 * minute);
  await writing(deps, accountId, async (write) => {
    for (const drawer of drawers) {
      const body = drawer.session(write.at, write.at);
      await write.load(cashSessions, body.id);
      write.put(cashSessions, { body, announced: ["closed"] });
      write.emit("cash_session.closed", body);
    }
  });
}

/** The shifts of a day that is not over, with what they have sold so far. */
async function showOpen(deps: WritingDeps, accountId: string, drawers: readonly CashDrawer[]): Promise<void> {
  for (const drawer of drawers)
    await writing(deps, accountId, (write) => {
      write.placeAt(drawer.sede.id);
      return showDrawer(write, drawer);
    });
}

async function showDrawer(write: Write, drawer: CashDrawer): Promise<void> {
  const body = drawer.session(write.at, null);
  await write.load(cashSessions, body.id);
  write.put(cashSessions, { body });
}

/** The hour in which customers come back with what they bought in the morning. */
const afternoon = 9;

/** Every other day something is returned, in turns at either sede, and now and then a buyer needs an invoice; yesterday both. */
async function correctSome(trade: Trade, sold: readonly DemoSale[], dayNumber: number): Promise<void> {
  const { deps, accountId, shop, numbering } = trade;
  const byPos = sold.filter(({ sale }) => sale.document_kind === "pos");
  const returned = dayNumber % 4 === 3 ? byPos.at(-1) : byPos[0];
  if (dayNumber % 2 === 1 && returned)
    await writing(deps, accountId, async (write) => {
      write.placeAt(returned.drawer.sede.id);
      await bringBack(write, shop, returned, numbering, dayNumber);
      await showDrawer(write, returned.drawer);
    });
  const invoiced = byPos[1];
  if (dayNumber % 5 === 2 && invoiced)
    await writing(deps, accountId, (write) => {
      write.placeAt(invoiced.drawer.sede.id);
      return giveInvoice(write, shop, invoiced, numbering);
    });
}

function tradeOneHour(
  write: Write,
  shop: Shop,
  drawer: CashDrawer,
  from: number,
  about: number,
  numbering: Numbering,
  chance: Chance,
): RungUp[] {
  const onSale = [...shop.products.values()].map(({ body }) => body);
  const till = {
    products: onSale,
    customers: shop.customers,
    warehouseId: drawer.sede.warehouseId,
    cashSessionId: drawer.id,
    numbering,
    chance,
  };
  const minutes = Array.from({ length: chance.between(Math.max(0, about - 1), about + 1) }, () =>
    chance.between(0, 59),
  ).sort((a, b) => a - b);
  return minutes.map((at) => {
    const rungUp = ringUp(till, new Date(from + at * minute + chance.between(0, 59_999)), write.at);
    drawer.add(rungUp.sale);
    store(write, shop, rungUp);
    return rungUp;
  });
}

/** Stores what a register's upload would: the sale, its document, the stock movements, and their events. */
function store(write: Write, shop: Shop, { sale, invoice, movements }: RungUp, order_id: string | null = null): void {
  write.put(sales, { body: sale, announced: [sale.status], order_id });
  write.emit("sale.created", sale);
  write.emit(sale.status === "completed" ? "sale.completed" : "sale.cancelled", sale);
  if (invoice) {
    write.put(invoices, { body: invoice, announced: [invoice.status] });
    write.emit("invoice.issued", invoice);
  }
  for (const movement of movements) {
    const entry = newEntry(movement, { from_api: false });
    write.put(stockMovements, entry);
    write.emit("inventory.movement.created", movement);
    const product = must(shop.products.get(movement.product_id), "The demo moves products that it has made");
    const ledger = addEntry(product, entry);
    const changed = { ...ledger, body: withLedger({ ...product.body, updated_at: write.at.toISOString() }, ledger) };
    shop.products.set(movement.product_id, changed);
    write.put(products, changed);
  }
}

/** One of a product, as it costs: the sale of an order. */
function sellOne(write: Write, shop: Shop, numbering: Numbering, { id }: Product, orderId: string): string {
  const { body } = must(shop.products.get(id), "The demo sells products that it has made");
  const plain: Chance = {
    between: (least) => least,
    pick: ([first]) => must(first, "There is one"),
    happens: () => false,
  };
  const till = { products: [body], customers: [], warehouseId: shop.warehouseId, cashSessionId: null, numbering };
  const rungUp = ringUp({ ...till, chance: plain }, write.at, write.at);
  store(write, shop, rungUp, orderId);
  return rungUp.sale.id;
}

async function quoteSomething(
  deps: WritingDeps,
  accountId: string,
  shop: Shop,
  number: number,
  chance: Chance,
): Promise<void> {
  const onSale = [...shop.products.values()]
    .map(({ body }) => body)
    .filter((body) => body.base_unit === "und" && body.base_price > 0);
  await writing(deps, accountId, (write) =>
    write.put(quotes, { body: draftQuote(onSale, shop.customers, number, write.at, chance) }),
  );
}

interface Restocked {
  shop: Shop;
  sedes: readonly Sede[];
  chance: Chance;
}

/** The weekly delivery for products with low stock, at each sede: the second one sells half as much. */
async function restock(deps: WritingDeps, accountId: string, { shop, sedes, chance }: Restocked): Promise<void> {
  for (const [id, product] of shop.products) {
    if (product.body.stock === null || product.body.stock > 80 || product.cost_milli === 0) continue;
    const cost = Math.round(product.body.base_price * (0.6 + chance.between(0, 15) / 100));
    const bought = { type: "in", unit_cost: cost, reason: "Compra", origin_type: "purchase" };
    const reference = `FC-${chance.between(1000, 9999)}`;
    await writing(deps, accountId, (write) => {
      let stocked = product;
      const emits = sedes.map(({ id: location_id, warehouseId: warehouse_id }, i) => {
        const entry = { ...bought, reference, warehouse_id, location_id, quantity: i === 0 ? 100 : 50 };
        const made = recordMovement(write, stocked, entry);
        stocked = made.product;
        return made.emitCreated;
      });
      // The end of the write goes through what came in.
      shop.products.set(id, { ...stocked, recost_us: 0 });
      for (const emit of emits) emit();
    });
  }
}
