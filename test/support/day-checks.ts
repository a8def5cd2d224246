import { expect } from "vitest";
import { addDays } from "../../src/reports/period.ts";
import { paymentName } from "../../src/taxes/means.ts";
import type { Portal } from "./portal.ts";
import type { Entry, Life } from "./random-days.ts";
import { csvTable } from "./tables.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as a browser would, without types
type Json = any;

/** What the words mean, said once more without the service's code. */
export function expectedSums(entries: readonly Entry[]) {
  const sum = (value: (one: Entry) => number) => entries.reduce((all, one) => all + value(one), 0);
  const sales = (one: Entry) => one.total - one.tip - one.passthrough;
  const gross = sum((one) => (one.sign === 1 ? sales(one) : 0));
  const returned = sum((one) => (one.sign === -1 ? sales(one) : 0));
  const left = (name: "tax" | "discount" | "tip" | "passthrough" | "total") => sum((one) => one.sign * one[name]);
  return {
    ...{ tickets: entries.filter(({ sign }) => sign === 1).length, gross, returned, net: gross - returned },
    ...{ tax: left("tax"), discount: left("discount"), tip: left("tip"), passthrough: left("passthrough") },
    received: left("total"),
  };
}
type Sums = ReturnType<typeof expectedSums>;

/** By means of payment: how many payments of sales, and what was received. */
function expectedMeans(entries: readonly Entry[]): Record<string, { payments: number; received: number }> {
  const means: Record<string, { payments: number; received: number }> = {};
  for (const { sign, parts } of entries)
    for (const { payment_method, amount } of parts) {
      const { payments, received } = means[payment_method] ?? { payments: 0, received: 0 };
      means[payment_method] = { payments: payments + (sign === 1 ? 1 : 0), received: received + sign * amount };
    }
  return Object.fromEntries(Object.entries(means).filter(([, one]) => one.payments !== 0 || one.received !== 0));
}

function addedUp(entries: readonly Entry[], name: "taxes" | "bases"): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { sign, [name]: own } of entries)
    for (const [key, amount] of Object.entries(own)) sums[key] = (sums[key] ?? 0) + sign * amount;
  return sums;
}

const expectedTaxes = (entries: readonly Entry[]) => withoutZeros(addedUp(entries, "taxes"));

/** What each tax was taken of, bags in units. What is left of the net sales bears no tax: here only excluded goods do not. */
function expectedBases(entries: readonly Entry[]): Record<string, number> {
  const bases = addedUp(entries, "bases");
  const { net, tax } = expectedSums(entries);
  const taxed = Object.entries(bases).filter(([key]) => !key.endsWith(":null"));
  return withoutZeros({ ...bases, "excluded:null": taxed.reduce((left, [, base]) => left - base, net - tax) });
}

const withoutZeros = (amounts: Record<string, number>) =>
  Object.fromEntries(Object.entries(amounts).filter(([, amount]) => amount !== 0));

async function read(owner: Portal, path: string): Promise<Json> {
  const { status, body, text } = await owner.get(path);
  expect(status, `${path}: ${text.slice(0, 500)}`).toBe(200);
  return body;
}

const pick = (row: Json): Sums => {
  const { tickets, gross, returned, net, tax, discount, tip, passthrough, received } = row;
  return { tickets, gross, returned, net, tax, discount, tip, passthrough, received };
};
const none = expectedSums([]);

/** The Z, the taxes and the journal of a day, to be the same for ever. Shifts that closed may be told later. */
export async function closeOf(owner: Portal, day: string): Promise<string> {
  const [z, taxes, journal] = await Promise.all([
    read(owner, `/days/${day}/z`),
    read(owner, `/reports/taxes?from=${day}&to=${day}`),
    owner.download(`/days/${day}/journal.csv`),
  ]);
  return JSON.stringify(
    { ...z, documents: fixedOf(z.documents), sessions: [], taxes, journal: String(journal.bytes) },
    null,
    1,
  );
}

/** The Z of a shift that was closed. */
export async function closeOfShift(owner: Portal, id: string): Promise<string> {
  const { documents, sales, returns, sums, received } = await read(owner, `/cash-sessions/${id}/z`);
  return JSON.stringify({ documents: fixedOf(documents), sales, returns, sums, received }, null, 1);
}

/** What the authority says of documents stands on no paper of what is over. */
const fixedOf = (documents: Json[]) => documents.map(({ pending: _, rejected: __, ...one }) => one);

/** Every place that says something of a day. Its close must be what it was when the day had ended. */
export async function checkDay({ owner, entries, uncounted, closed }: Life, day: string, row: Json): Promise<void> {
  const own = entries.filter((one) => one.day === day);
  const [sums, means, taxes, bases] = [expectedSums(own), expectedMeans(own), expectedTaxes(own), expectedBases(own)];
  const within = `occurred_since=${day}T00:00:00-05:00&occurred_until=${addDays(day, 1)}T00:00:00-05:00`;
  const aside = uncounted.filter(({ occurred_at }) => isOn(occurred_at, day));
  const [said] = await Promise.all([
    closeOf(owner, day),
    checkList(owner, within, sums, aside.length),
    checkPublic(owner, within, own),
  ]);
  if (closed.has(day)) expect(said, "the close of a day that had ended").toBe(closed.get(day));
  const close = JSON.parse(said);
  expect(pick(close.sums), "Z").toEqual(sums);
  expect(meansOf(close.received, "count", "amount"), "Z by means").toEqual(means);
  expect(taxesOfClose(close), "taxes of the Z").toEqual(taxes);
  expect(taxBases([...close.sales.rates, ...close.returns.rates.map(negated)]), "bases of the Z").toEqual(bases);
  expect(taxAmounts(close.taxes.rows), "taxes").toEqual(taxes);
  expect(taxBases(close.taxes.rows), "bases of taxes").toEqual(bases);
  checkJournal(close.journal, sums, means);
  expect(pick(row ?? none), "by day").toEqual(sums);
}

/** The means of some days: what the report says, and the list that opens when one is clicked. */
export async function checkMeans({ owner, entries }: Life, from: string, to: string): Promise<void> {
  const means = expectedMeans(entries.filter(({ day }) => day >= from && day <= to));
  const { rows } = await read(owner, `/reports/sales?by=payment_method&from=${from}&to=${to}`);
  expect(meansOf(rows, "tickets", "received", "key"), "by means").toEqual(means);
  const within = `occurred_since=${from}T00:00:00-05:00&occurred_until=${addDays(to, 1)}T00:00:00-05:00`;
  for (const [method, expected] of Object.entries(means)) {
    const { means: told } = await read(owner, `/sales/totals?${within}&payment_method=${method}`);
    expect(told, `Ventas by ${method}`).toEqual(expected);
    const listed = await listOf(owner, `${within}&payment_method=${method}`);
    const paid = listed.reduce((all, row) => all + (row.counts ? row.paid : 0), 0);
    expect(paid, `the list of ${method}`).toBe(expected.received);
  }
}

const isOn = (instant: string, day: string) => {
  const at = Date.parse(instant) - Date.parse(`${day}T00:00:00-05:00`);
  return at >= 0 && at < 86_400_000;
};

function meansOf(rows: Json[], count: string, amount: string, key = "payment_method") {
  return Object.fromEntries(rows.map((row) => [row[key], { payments: row[count], received: row[amount] }]));
}

const taxAmounts = (rows: Json[]) => byRate(rows, ({ amount }) => amount);
const taxBases = (rows: Json[]) => byRate(rows, ({ base, units }) => units ?? base);

function byRate(rows: Json[], value: (row: Json) => number): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const row of rows) {
    const key = `${row.code}:${row.rate}`;
    sums[key] = (sums[key] ?? 0) + value(row);
  }
  return withoutZeros(sums);
}

const negated = (row: Json) => ({ ...row, base: -row.base, amount: -row.amount });
const taxesOfClose = ({ sales, returns }: Json) => taxAmounts([...sales.taxes, ...returns.taxes.map(negated)]);

/** Debits equal credits; the means, the tips and the money for others are what every page says, and the rest is the net sales. */
function checkJournal(journal: string, sums: Sums, means: ReturnType<typeof expectedMeans>): void {
  const rows = journal
    .trim()
    .split("\r\n")
    .slice(1)
    .map((line) => line.split(";"));
  const balance = { tips: 0, others: 0, net: 0, received: {} as Record<string, number> };
  for (const [, , detail = "", debit, credit] of rows) {
    const amount = Number(credit) - Number(debit);
    const subject = detail
      .replaceAll('"', "")
      .replace(/^Devoluciones: /, "")
      .replace(/^Ventas: /, "");
    const method = Object.keys(means).find((one) => paymentName(one) === subject);
    if (method) balance.received[method] = (balance.received[method] ?? 0) - amount;
    else if (subject === "Propinas") balance.tips += amount;
    else if (subject === "Recaudos para terceros") balance.others += amount;
    else balance.net += amount;
  }
  const received = Object.fromEntries(Object.entries(means).map(([method, one]) => [method, one.received]));
  expect(withoutZeros(balance.received), "journal by means").toEqual(withoutZeros(received));
  expect({ ...balance, received: 0 }, "journal").toEqual({
    tips: sums.tip,
    others: sums.passthrough,
    net: sums.net,
    received: 0,
  });
}

async function listOf(owner: Portal, filter: string): Promise<Json[]> {
  const rows: Json[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: Json = await read(owner, `/sales?${filter}&limit=40${cursor && `&starting_after=${cursor}`}`);
    rows.push(...page.data);
    cursor = page.next_cursor;
  }
  return rows;
}

/** The totals of Ventas are those expected, and its rows add up to them. */
export async function checkList(owner: Portal, filter: string, sums: Sums, uncounted?: number): Promise<void> {
  const { discount, ...expected } = sums;
  const totals = await read(owner, `/sales/totals?${filter}`);
  expect(totals, `Ventas ${filter}`).toMatchObject(expected);
  if (uncounted !== undefined) expect(totals.uncounted.count, "not counted").toBe(uncounted);
  const rows = await listOf(owner, filter);
  const sum = (name: string, some = rows) => some.reduce((all, row) => all + (row.counts ? row[name] : 0), 0);
  expect(new Set(rows.map(({ id }) => id)).size, "each row once").toBe(rows.length);
  expect({
    net: sum("net"),
    received: sum("total"),
    tax: sum("tax"),
    tip: sum("tip_amount"),
    discount: sum("discount"),
  }).toEqual({
    ...{ net: sums.net, received: sums.received, tax: sums.tax, tip: sums.tip, discount },
  });
  const of = (isSale: boolean) => rows.filter(({ kind }) => (kind === "sale") === isSale);
  expect([sum("net", of(true)), 0 - sum("net", of(false))], "gross and returned").toEqual([sums.gross, sums.returned]);
}

/** The columns of the file of Ventas add up to the same, each means in its own. */
async function checkFile(owner: Portal, filter: string, entries: readonly Entry[]): Promise<void> {
  const table = csvTable(String((await owner.download(`/tables/sales.csv?${filter}`)).bytes));
  const sums = expectedSums(entries);
  const titles = ["Ventas netas", "Impuestos", "Descuento", "Propina", "Para terceros", "Total"];
  const { net, tax, discount, tip, passthrough, received } = sums;
  expect(titles.map(table.sum), `file ${filter}`).toEqual([net, tax, discount, tip, passthrough, received]);
  const told = table.titles
    .filter((title) => title.startsWith("Recibido: "))
    .map((title) => [title.replace("Recibido: ", ""), table.sum(title)]);
  const means = Object.entries(expectedMeans(entries)).map(([code, one]) => [paymentName(code), one.received]);
  expect(withoutZeros(Object.fromEntries(told)), `file ${filter} by means`).toEqual(
    withoutZeros(Object.fromEntries(means)),
  );
}

/** As the guide tells an integrator to add up: corrected sales are published as they are now, and not as they were counted. */
async function checkPublic(owner: Portal, within: string, entries: readonly Entry[]): Promise<void> {
  const { api } = owner.business;
  const all = async (path: string): Promise<Json[]> => {
    const rows: Json[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const { body }: Json = await api.get(
        `${path}?limit=100&${within.replaceAll(":", "%3A")}${cursor && `&starting_after=${cursor}`}`,
      );
      rows.push(...body.data);
      cursor = body.next_cursor;
    }
    return rows;
  };
  const worth = ({ total, tip_amount, items, lines }: Json) =>
    [...(items ?? lines)].reduce(
      (left, one) => (one.tax_class === "passthrough" ? left - one.subtotal : left),
      total - tip_amount,
    );
  const sum = (rows: Json[]) => rows.reduce((total, row) => total + worth(row), 0);
  const published = entries.filter(({ sign, isKept }) => sign === 1 && !isKept);
  const sold = new Set(published.map(({ sale_id }) => sale_id));
  const sales = (await all("/sales")).filter(({ id }) => sold.has(id));
  expect(sum(sales), "GET /sales").toBe(expectedSums(published).gross);
  const back = entries.filter(({ kind }) => kind === "return");
  expect(sum(await all("/returns")), "GET /returns").toBe(expectedSums(back).returned);
}

/** Hoy: today so far, and the same weekday of last week up to the same time. */
export async function checkToday({ owner, entries, sessions, today: day, now }: Life): Promise<void> {
  const today = await read(owner, "/today");
  const own = entries.filter((one) => one.day === day);
  const before = new Date(now.getTime() - 7 * 86_400_000);
  const earlier = entries.filter((one) => one.day === addDays(day, -7) && one.at < before);
  expect(pick(today.sold), "Hoy").toEqual(expectedSums(own));
  expect(pick(today.sold_before), "Hoy, a week before").toEqual(expectedSums(earlier));
  expect(meansOf(today.payments, "payments", "received"), "Hoy by means").toEqual(expectedMeans(own));
  const hours = today.hours.reduce((all: number, one: Json) => all + one.total, 0);
  expect(hours, "Hoy by hour").toBe(expectedSums(own).net);
  const open = sessions.filter(({ isOpen }) => isOpen);
  expect(Object.fromEntries(today.shifts.map((one: Json) => [one.id, pick(one)])), "Hoy, open shifts").toEqual(
    Object.fromEntries(open.map(({ id }) => [id, expectedSums(entries.filter(({ session }) => session === id))])),
  );
}

export async function checkShifts({ owner, entries, sessions, closed }: Life): Promise<void> {
  if (sessions.length === 0) return;
  const { data } = await read(owner, `/cash-sessions/sums?ids=${sessions.map(({ id }) => id).join(",")}`);
  for (const { id } of sessions) {
    const own = entries.filter(({ session }) => session === id);
    const sums = expectedSums(own);
    if (closed.has(id)) expect(await closeOfShift(owner, id), "the Z of a shift that was closed").toBe(closed.get(id));
    expect(pick(data.find((one: Json) => one.id === id) ?? none), "Turnos").toEqual(sums);
    const z = await read(owner, `/cash-sessions/${id}/z`);
    expect(pick(z.sums), "a shift").toEqual(sums);
    expect(meansOf(z.received, "count", "amount"), "a shift by means").toEqual(expectedMeans(own));
    await checkList(owner, `cash_session_id=${id}`, sums);
  }
}

/** All days together, by every grouping. */
export async function checkPeriod(life: Life): Promise<void> {
  const { owner, entries, days } = life;
  const period = `from=${days[0]}&to=${days.at(-1)}`;
  const sums = expectedSums(entries);
  const byDay = await read(owner, `/reports/sales?by=day&${period}`);
  for (const day of days)
    await checkDay(
      life,
      day,
      byDay.rows.find(({ key }: Json) => key === day),
    );
  await checkMeans(life, days[0]!, days.at(-1)!);
  const someDay = days[entries.length % days.length]!;
  await checkMeans(life, someDay, someDay);
  for (const by of ["day", "week", "month", "hour", "register", "cashier"])
    expect(pick((await read(owner, `/reports/sales?by=${by}&${period}`)).totals), `by ${by}`).toEqual(sums);
  const registers = (await read(owner, `/reports/sales?by=register&${period}`)).rows;
  for (const row of registers) {
    const own = entries.filter(({ register }) => register === row.key);
    expect(pick(row), `by register ${row.key}`).toEqual(expectedSums(own));
    if (row.key !== null) await checkList(owner, `register=${encodeURIComponent(row.key)}`, expectedSums(own));
  }
  await checkList(owner, "", sums);
  await checkFile(owner, "", entries);
  for (const [movement, sign] of [
    ["sales", 1],
    ["returns", -1],
  ] as const) {
    const own = entries.filter((one) => one.sign === sign);
    await checkList(owner, `movement=${movement}`, expectedSums(own));
    await checkFile(owner, `movement=${movement}`, own);
  }
}
