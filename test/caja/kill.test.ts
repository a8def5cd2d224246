import { setTimeout as delay } from "node:timers/promises";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { KeptSale } from "../../register/sale.ts";
import { type Chance, newChance } from "../../simulator/chance.ts";
import { sql } from "../../src/db/sql.ts";
import { type MortalBrowser, startMortalBrowser } from "../support/browser.ts";
import { type Step, sellOnAndOn } from "../support/busy-cashier.ts";
import { cajaOn } from "../support/caja.ts";
import { fiscalBusiness } from "../support/fiscal.ts";
import { sharedFolder, verifiedService } from "../support/fixtures.ts";
import { decideAll } from "../support/issuing.ts";
import { longRun, progress } from "../support/long-run.ts";
import { stockMixedShop } from "../support/mixed-shop.ts";
import { readTabletStore } from "../support/tablet-store.ts";

const service = verifiedService();
const profiles = sharedFolder("mostrador-tablet-");
const { value: kills } = longRun("CAJA_KILLS", process.env.LONG ? 50 : 1);
const base = 50_000;

test.each([
  { network: "cut from the first load on", offlineShare: 1 },
  { network: "that comes and goes", offlineShare: 0.5 },
])(
  `after ${kills} kills of the browser with a network $network, what showed is on the server exactly once`,
  { timeout: 300_000 + kills * 120_000 },
  async ({ offlineShare }) => {
    const chance = newChance(Number(process.env.FAULT_SEED ?? 1));
    const { accountId } = await fiscalBusiness(service);
    await stockMixedShop(service, accountId);
    const shown: Step[] = [];
    let kill = 0;
    using _telling = { [Symbol.dispose]: progress(() => `${kill} kills, ${shown.length} tickets and returns shown`) };
    await using tablet = await mortalTablet(`${profiles.path}/${offlineShare}`);
    const address = `${service.baseUrl}/caja/`;
    let page = await tablet.start();
    await cajaOn(page, service, accountId).start();
    await page.evaluate("navigator.serviceWorker.ready.then(() => undefined)");
    for (; kill < kills; kill++) {
      if (kill > 0) page = await tablet.start();
      await page.context().setOffline(chance.happens(offlineShare));
      await page.goto(address);
      await page.getByLabel("Buscar o escanear").waitFor();
      await sellUntilKilled(tablet, page, chance, shown);
    }
    if (offlineShare === 1) expect(await stored(accountId, "sales")).toEqual([]);
    page = await tablet.start();
    await page.goto(address);
    const { sales, tickets } = await readTabletStore(page);
    const ids = sales.map(({ id }) => id);
    expect(
      tickets.filter(({ id }) => ids.includes(id)),
      "charged and still open",
    ).toEqual([]);
    await expectShownOnce(accountId, shown, sales);
    const counted = await closeShift(page, sales);
    await cajaOn(page, service, accountId).uploaded();
    await decideAll(service);
    await expectAddedUp(accountId, sales, counted);
  },
);

/** A browser on one profile folder, started and killed again and again. */
async function mortalTablet(profile: string) {
  let mortal: MortalBrowser | undefined;
  const tablet = {
    async start(): Promise<Page> {
      mortal = await startMortalBrowser(profile);
      const page = await mortal.browser.contexts()[0]!.newPage();
      page.setDefaultTimeout(120_000);
      return page;
    },
    async kill(): Promise<void> {
      await mortal?.kill();
      mortal = undefined;
    },
    [Symbol.asyncDispose]: () => tablet.kill().catch(() => {}),
  };
  return tablet;
}

/** Half of the time the power goes while a sale is being charged. */
async function sellUntilKilled(
  tablet: { kill(): Promise<void> },
  page: Page,
  chance: Chance,
  shown: Step[],
): Promise<void> {
  const moment = chance.pick<Step["kind"]>(["charging", "charging", "charging", "adding", "noting", "returning"]);
  const waitMs = chance.between(0, 60);
  let hasShown = false;
  const { promise: isTime, resolve: now } = Promise.withResolvers<void>();
  const selling = sellOnAndOn(page, chance, (step) => {
    if (step.kind === "shown" || step.kind === "returned") shown.push(step);
    if (hasShown && step.kind === moment) now();
    hasShown ||= step.kind === "shown";
  });
  await Promise.race([selling, isTime]);
  await delay(waitMs);
  await tablet.kill();
  await selling;
}

async function expectShownOnce(accountId: string, shown: readonly Step[], sales: readonly KeptSale[]): Promise<void> {
  await expect.poll(() => stored(accountId, "sales")).toHaveLength(sales.length);
  const kept = new Map(sales.map((sale) => [sale.data.notes, sale]));
  const onServer = (await stored(accountId, "sales")).map(({ notes, total }) => [notes, total]);
  expect(onServer.toSorted()).toEqual(sales.map(({ data }) => [data.notes, data.total]).toSorted());
  const tickets = shown.filter((step) => step.kind === "shown");
  for (const { note, number, total } of tickets)
    expect(kept.get(note), `ticket ${number}`).toMatchObject({ number, data: { total } });
  // What was stored when the power went, and had not shown yet, is at most one sale for each time.
  expect(sales.length - tickets.length).toBeLessThanOrEqual(kills);
  expect(tickets.length).toBeGreaterThanOrEqual(kills);
  expect(sales.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual(sales.map((_, i) => i + 1));
  const returns = sales.flatMap((sale) => sale.returns ?? []);
  await expect.poll(() => stored(accountId, "returns")).toHaveLength(returns.length);
  const returned = (await stored(accountId, "returns")).map(({ reason, total }) => [reason, total]);
  expect(returned.toSorted()).toEqual(returns.map(({ reason, total }) => [reason, total]).toSorted());
  for (const step of shown) if (step.kind === "returned") expect(returned).toContainEqual([step.reason, step.total]);
}

/** Counts what must be in the drawer, in coins of 50 and a little short; returns it. */
async function closeShift(page: Page, sales: readonly KeptSale[]): Promise<{ expected: number; counted: number }> {
  const cash = sales.flatMap(({ charge }) => charge.payments.filter(({ payment_method }) => payment_method === "CASH"));
  const refunds = sales.flatMap(({ returns = [] }) =>
    returns.filter(({ payment_method }) => payment_method === "CASH"),
  );
  const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
  const expected = base + sum(cash.map(({ amount }) => amount)) - sum(refunds.map(({ total }) => total));
  const coins = Math.floor(expected / 50);
  await dropOpenTicket(page);
  await page.getByRole("button", { name: "Turno", exact: true }).click();
  await page.getByRole("button", { name: "Cerrar turno" }).click();
  await page.getByLabel("$50", { exact: true }).fill(String(coins));
  await page.getByRole("dialog").getByRole("button", { name: "Cerrar turno" }).click();
  await page.getByText("CIERRE DE TURNO (Z)").waitFor();
  return { expected, counted: coins * 50 };
}

/** What was being rung up when the power went is still on the counter; a shift closes without it. */
async function dropOpenTicket(page: Page): Promise<void> {
  await page.getByLabel("Buscar o escanear").waitFor();
  const notes = page.getByRole("button", { name: "Descuento y notas" });
  if (await notes.isDisabled()) return;
  await notes.click();
  await page.getByRole("button", { name: "Botar el tiquete" }).click();
  const sure = page.getByRole("button", { name: /^Sí, botar/ });
  await sure.or(page.getByText("Escanee o toque")).first().waitFor();
  if (await sure.isVisible()) await sure.click();
}

async function expectAddedUp(
  accountId: string,
  sales: readonly KeptSale[],
  { expected, counted }: { expected: number; counted: number },
): Promise<void> {
  expect(await stored(accountId, "cash_sessions")).toMatchObject([
    {
      status: "closed",
      sales_count: sales.length,
      sales_total: sales.reduce((total, { data }) => total + data.total, 0),
      expected_amount: expected,
      counted_amount: counted,
      difference: counted - expected,
    },
  ]);
  const left = new Map<string, number>();
  const move = (id: string, grams: number) => left.set(id, (left.get(id) ?? 0) + grams);
  for (const { data, stocked, returns = [] } of sales) {
    for (const { id, product_id, quantity } of data.items.filter((item) => stocked.includes(item.id))) {
      move(product_id!, -Math.round(quantity * 1000));
      const back = returns.flatMap(({ lines }) => lines).filter(({ item_id }) => item_id === id);
      for (const line of back) move(product_id!, Math.round(line.quantity * 1000));
    }
  }
  const { rows } = await service.deps.pool.query(
    sql`select id, stock_milli from products where account_id = ${accountId}`,
  );
  const inStock = new Map(rows.map(({ id, stock_milli }) => [id, stock_milli]));
  for (const [id, grams] of left) expect(inStock.get(id), "grams or thousandths of a piece").toBe(grams);
  const { rows: flagged } = await service.deps.pool.query(sql`
    select type, findings from flagged_records where account_id = ${accountId}`);
  expect(flagged).toEqual([]);
  // The simulated authority rejects some by their total; each sale has one all the same.
  const documents = (await stored(accountId, "invoices")).filter((one) => one.document_type === "pos_document");
  expect(documents.map(({ sale_id }) => sale_id).sort()).toEqual(sales.map(({ id }) => id).sort());
}

// biome-ignore lint/suspicious/noExplicitAny: records as the server publishes them
type Json = any;
type Stored = "sales" | "returns" | "cash_sessions" | "invoices";

async function stored(accountId: string, table: Stored): Promise<Json[]> {
  const { rows } = await service.deps.pool.query(`select body from ${table} where account_id = $1`, [accountId]);
  return rows.map(({ body }) => JSON.parse(body));
}
