import { beforeAll, expect, test } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { readDayClosing } from "../../src/fiscal/closing/closing.ts";
import { ensureDemo } from "../../src/operations/demo/ensure-demo.ts";
import { demoEmail } from "../../src/operations/demo/identity.ts";
import { closingPaper } from "../../src/paper/papers/closing-paper.ts";
import { addDays } from "../../src/reports/period.ts";
import { bogotaDate } from "../../src/taxes/bogota-time.ts";
import { shared, verifiedService } from "../support/fixtures.ts";
import { openAgain, type Portal } from "../support/portal.ts";
import { csvTable } from "../support/tables.ts";

const service = verifiedService();
const owner: Portal = shared(async () => {
  await ensureDemo(service.deps, () => {}, { always: true });
  const { rows } = await service.deps.pool.query<{ id: string }>(
    sql`select id from accounts where email = ${demoEmail}`,
  );
  const accountId = rows[0]!.id;
  return openAgain(service, { accountId, ...(await service.key(accountId)) }, demoEmail);
});
const read = async (path: string) => (await owner.get(path)).body;

let today: string;
let days: string[];
/** Of the whole business, and of each sede. */
let scopes: { name: string; query: string }[];

beforeAll(async () => {
  today = bogotaDate(service.deps.clock.now());
  days = Array.from({ length: 30 }, (_, i) => addDays(today, i - 29));
  const { data } = await read("/locations");
  const sedes = data.map(({ id, name }: { id: string; name: string }) => ({ name, query: `&location_id=${id}` }));
  scopes = [{ name: "the whole business", query: "" }, ...sedes];
});

interface Sums {
  tickets: number;
  gross: number;
  returned: number;
  net: number;
  tax: number;
  tip: number;
  passthrough: number;
  received: number;
}

const sumsOf = ({ tickets, gross, returned, net, tax, tip, passthrough, received }: Sums): Sums => ({
  ...{ tickets, gross, returned, net, tax, tip, passthrough, received },
});
const none: Sums = { tickets: 0, gross: 0, returned: 0, net: 0, tax: 0, tip: 0, passthrough: 0, received: 0 };
const ofDay = (day: string) => `occurred_since=${day}T00:00:00-05:00&occurred_until=${addDays(day, 1)}T00:00:00-05:00`;
const byMeans = (rows: { payment_method?: string; key?: string; amount?: number; received?: number }[]) =>
  Object.fromEntries(
    rows.flatMap((row) => {
      const value = row.amount ?? row.received ?? 0;
      return value === 0 ? [] : [[row.payment_method ?? row.key, value]];
    }),
  );

test("every day of the demo says the same in Z, Informes and Ventas, of the business and of each sede", async () => {
  let returns = 0;
  for (const { name, query } of scopes) {
    const report = await read(`/reports/sales?by=day&from=${days[0]}&to=${today}${query}`);
    const byDay = new Map<string, Sums>(report.rows.map((row: Sums & { key: string }) => [row.key, row]));
    for (const day of days) {
      const where = `${day}, ${name}`;
      const reported = sumsOf(byDay.get(day) ?? none);
      const z = await read(`/days/${day}/z?${query.slice(1)}`);
      expect(sumsOf(z.sums), `Z of ${where}`).toEqual(reported);
      expect(sumsOf(await read(`/sales/totals?${ofDay(day)}${query}`)), `Ventas of ${where}`).toEqual(reported);
      const back = await read(`/sales/totals?${ofDay(day)}&movement=returns${query}`);
      expect(back.returned, `Ventas of ${where}, only what came back`).toBe(reported.returned);
      const means = await read(`/reports/sales?by=payment_method&from=${day}&to=${day}${query}`);
      expect(byMeans(z.received), `means in Z of ${where}`).toEqual(byMeans(means.rows));
      if (reported.returned !== 0) returns += 1;
    }
  }
  expect(returns, "the demo has days with returns in either sede").toBeGreaterThan(20);
});

/** The figures of a table's last column, or of the totals under a label. */
const pesosIn = (text: string) => Number(text.replaceAll(/[^\d-]/g, ""));

test("on the paper of every Z the means of payment add up to a figure that is written there", async () => {
  const papers = await Promise.all(
    days.map(async (day) => {
      const closing = await readDayClosing(service.deps.pool, owner.accountId, day);
      return { day, ...(await closingPaper(service.deps, owner.accountId, closing, service.deps.clock.now())) };
    }),
  );
  let checked = 0;
  for (const { day, blocks } of papers)
    for (const [i, block] of blocks.entries()) {
      if (block.kind !== "table" || !block.title?.endsWith("por medio de pago")) continue;
      const paid = block.rows.reduce((sum, row) => sum + pesosIn(String(row.at(-1))), 0);
      const next = blocks[i + 1];
      const written = next?.kind === "totals" ? next.totals.map(({ value }) => pesosIn(value)) : [];
      expect(written.at(-1), `${block.title} of ${day}`).toBe(paid);
      checked += 1;
    }
  expect(checked).toBeGreaterThan(days.length);
});

test("each sede's days add up to the business's, and today is Hoy", async () => {
  const [whole, ...parts] = await Promise.all(
    scopes.map(({ query }) => read(`/reports/sales?by=day&from=${days[0]}&to=${today}${query}`)),
  );
  const added = { ...none };
  for (const { totals } of parts) for (const key of Object.keys(none) as (keyof Sums)[]) added[key] += totals[key];
  expect(added).toEqual(sumsOf(whole.totals));
  const compared = await read(`/reports/sales?by=location&from=${days[0]}&to=${today}`);
  expect(sumsOf(compared.totals)).toEqual(sumsOf(whole.totals));
  for (const { name, query } of scopes) {
    const reported = await read(`/reports/sales?by=day&from=${today}&to=${today}${query}`);
    const { sold } = await read(`/today?${query.slice(1)}`);
    expect(sumsOf(sold), name).toEqual(sumsOf(reported.totals));
  }
});

test("each shift of the demo says the same in Turnos and in its Z", async () => {
  const { rows } = await service.deps.pool.query<{ id: string }>(sql`
    select id from cash_sessions where account_id = ${owner.accountId} order by created_at, id`);
  const ids = rows.map(({ id }) => id);
  const listed = new Map<string, Sums>();
  for (let i = 0; i < ids.length; i += 100)
    for (const row of (await read(`/cash-sessions/sums?ids=${ids.slice(i, i + 100)}`)).data) listed.set(row.id, row);
  for (const id of ids)
    expect(sumsOf((await read(`/cash-sessions/${id}/z`)).sums), id).toEqual(sumsOf(listed.get(id) ?? none));
});

test("the file of Ventas of all days adds up to Informes", async () => {
  const { totals } = await read(`/reports/sales?by=day&from=${days[0]}&to=${today}`);
  const range = `occurred_since=${days[0]}T00:00:00-05:00&occurred_until=${addDays(today, 1)}T00:00:00-05:00`;
  const file = csvTable(String((await owner.download(`/tables/sales.csv?${range}`)).bytes));
  expect(["Ventas netas", "Impuestos", "Propina", "Para terceros", "Total"].map(file.sum)).toEqual([
    ...[totals.net, totals.tax, totals.tip, totals.passthrough, totals.received],
  ]);
});
