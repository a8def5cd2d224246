import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { Totals } from "../../register/ticket.ts";
import { sql } from "../../src/db/sql.ts";
import type { SaleTaxes } from "../../src/taxes/tax.ts";
import { workedExamples } from "../../src/taxes/worked-examples.fixture.ts";
import { bundleForPage } from "../support/bundle-for-page.ts";
import { tablet } from "../support/caja.ts";
import { totalsOfAll } from "../support/counter-in-page.ts";
import { enrolled } from "../support/desk.ts";
import { shared, verifiedService } from "../support/fixtures.ts";
import { longRun } from "../support/long-run.ts";
import { randomTickets } from "../support/random-tickets.ts";
import { sharedBrowser } from "../support/visitor.ts";

const service = verifiedService();
const browser = sharedBrowser();
const { value: count } = longRun("CAJA_TICKETS", process.env.LONG ? 10_000 : 60);
const tickets = randomTickets(count);
const timeout = 300_000 + count * 200;

/** A page of the service's own origin that runs nothing but the register's core. */
const desk: { page: Page } = shared(async () => {
  const { own } = await tablet(browser);
  const page = await own.newPage();
  await page.goto(`${service.baseUrl}/caja/icon.svg`);
  await page.evaluate(`${await bundleForPage("./counter-in-page.ts", "counter")}; globalThis.counter = counter;`);
  return { page, [Symbol.asyncDispose]: () => own.close() };
});

/** Calls a function of the bundle in the page. */
function inPage<T>(name: string, ...values: unknown[]): Promise<T> {
  return desk.page.evaluate(`counter.${name}(...${JSON.stringify(values)})`);
}

test("Chromium computes the worked examples as they were computed by hand", async () => {
  const examples = Object.values(workedExamples);
  const computed = await inPage<SaleTaxes[]>(
    "taxesOf",
    examples.map(({ input }) => input),
  );
  expect(computed).toEqual(examples.map(({ expected }) => expected));
});

test(`the sums of ${count} random tickets in Chromium are the server's, whatever the regime`, { timeout }, async () => {
  const at = "2026-11-16T15:04:05.678Z";
  expect(await inPage<Totals[]>("totalsOfAll", tickets, at)).toEqual(totalsOfAll(tickets, at));
});

test(`${count} tickets charged in Chromium are on the server to the peso, and it finds nothing odd in them`, {
  timeout,
}, async () => {
  const { accountId } = await service.business();
  const { identity } = await enrolled(service, accountId);
  const sold = await inPage<[string, number, number][]>("sellAll", service.baseUrl, identity, tickets);
  const { rows } = await service.deps.pool.query(sql`
    select id, (body->>'total')::float as total, (body->>'tax')::float as tax from sales where account_id = ${accountId}`);
  expect(rows.map(({ id, total, tax }) => [id, total, tax]).toSorted()).toEqual(sold.toSorted());
  const { rows: flagged } = await service.deps.pool.query(sql`
    select type, findings from flagged_records where account_id = ${accountId}`);
  expect(flagged).toEqual([]);
  const { rows: shifts } = await service.deps.pool.query(sql`
    select body from cash_sessions where account_id = ${accountId}`);
  expect(shifts.map(({ body }) => JSON.parse(body))).toMatchObject([
    { sales_count: count, sales_total: sold.reduce((sum, [, total]) => sum + total, 0) },
  ]);
});
