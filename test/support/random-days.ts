import { randomUUID } from "node:crypto";
import type { Return } from "../../src/business/returns/schema.ts";
import type { Sale } from "../../src/business/sales/schema.ts";
import { type Chance, chance as seeded } from "../../src/operations/demo/random.ts";
import { addDays } from "../../src/reports/period.ts";
import { bogotaDate } from "../../src/taxes/bogota-time.ts";
import { openPortal, type Portal } from "./portal.ts";
import {
  below,
  countedParts,
  largest,
  methods,
  minus,
  type Part,
  randomParts,
  randomSale,
  type Worth,
  worthOf,
} from "./random-sale.ts";
import { cashSessionBody } from "./records.ts";
import { ableToReturn, enrol, type Till, upload } from "./register.ts";
import type { Service } from "./service.ts";

/** What one record adds to the books of a day, or takes from them: the expectation, kept without the service's help. */
export interface Entry extends Worth {
  at: Date;
  day: string;
  kind: "sale" | "return" | "cancellation";
  sign: 1 | -1;
  sale_id: string;
  register: string | null;
  session: string | null;
  parts: Part[];
}

interface Kept {
  sale: Sale;
  told: Part[] | undefined;
  till: Counter;
  status: "completed" | "cancelled" | "other";
  returns: Return[];
}

type Sent = Parameters<Till["push"]>[0][number];

export interface Counter {
  till: Till;
  name: string;
  session: string | null;
  unsent: Sent[];
}

export interface Life {
  owner: Portal;
  today: string;
  now: Date;
  days: string[];
  entries: Entry[];
  sessions: { id: string; register: string; isOpen: boolean; openedOn: string }[];
  /** Sales that are listed and count nowhere. */
  uncounted: Sale[];
  /** What each day said when it had ended. */
  closed: Map<string, string>;
}

/** Some days of a business with two registers, one after the other. `dayEnded` is asked what a day says when it is over. */
export async function liveDays(
  service: Service,
  seed: number,
  {
    now,
    dayCount,
    dayEnded,
  }: { now: Date; dayCount: number; dayEnded: (owner: Portal, day: string) => Promise<string> },
): Promise<Life> {
  const chance = seeded(seed);
  const owner = await openPortal(service);
  const clock = () => now;
  const names = ["Caja 1", "Caja 2"];
  const counters: Counter[] = [];
  for (const name of names)
    counters.push({
      name,
      session: null,
      unsent: [],
      till: await enrol(service, owner.accountId, { name, capabilities: ableToReturn, clock }),
    });
  const today = bogotaDate(now);
  const days = Array.from({ length: dayCount }, (_, i) => addDays(today, i + 1 - dayCount));
  const life: Life = { owner, today, now, days, entries: [], sessions: [], uncounted: [], closed: new Map() };
  const shop: Shop = { life, counters, chance, kept: [] };
  for (const day of days) {
    let minute = 8 * 60;
    // Today is not over: everything has happened by now.
    const step = day === today ? 4 : 9;
    const next = () => {
      minute += 1 + below(chance, step);
      return new Date(Date.parse(`${day}T00:00:00-05:00`) + minute * 60_000 + below(chance, 60_000));
    };
    for (let i = 4 + below(chance, 12); i > 0; i--) await act(shop, chance.pick(counters), next());
    await send(counters);
    if (day === today && chance.happens(0.5)) await returnFromPortal(shop);
    if (day !== today) life.closed.set(day, await dayEnded(owner, day));
  }
  life.uncounted = shop.kept.flatMap(({ status, sale }) => (status === "other" ? [sale] : []));
  return life;
}

interface Shop {
  life: Life;
  counters: Counter[];
  chance: Chance;
  kept: Kept[];
}

function act(shop: Shop, counter: Counter, at: Date): Promise<void> {
  const { chance, kept } = shop;
  const open = kept.filter(({ status }) => status === "completed");
  if (counter.session === null && chance.happens(0.6)) return openShift(shop, counter, at);
  if (counter.session !== null && chance.happens(0.1)) return closeShift(shop, counter, at);
  if (open.length > 0 && chance.happens(0.12)) return cancel(shop, chance.pick(open), at);
  if (open.length > 0 && chance.happens(0.2)) return takeBack(shop, counter, chance.pick(open), at);
  const day = bogotaDate(at);
  const ofToday = open.filter(
    ({ sale, returns }) => returns.length === 0 && bogotaDate(new Date(sale.occurred_at)) === day,
  );
  if (ofToday.length > 0 && chance.happens(0.1)) return correctMeans(shop, chance.pick(ofToday), at);
  return sell(shop, counter, at);
}

/** Registers upload now and then; what depends on an upload waits for it. */
function put(counter: Counter, record: Sent, at: Date): void {
  counter.unsent.push({ ...record, edited_at: at.toISOString() });
}

async function send(counters: readonly Counter[]): Promise<void> {
  for (const counter of counters) {
    if (counter.unsent.length === 0) continue;
    const { status, body } = await counter.till.push(counter.unsent.splice(0));
    const results: { status: string }[] = body?.results ?? [];
    const isFine = status === 200 && results.every((one) => ["applied", "duplicate"].includes(one.status));
    if (!isFine) throw new Error(JSON.stringify(body));
  }
}

async function openShift({ life }: Shop, counter: Counter, at: Date): Promise<void> {
  const shift = cashSessionBody(at.toISOString(), { register_name: counter.name, opened_at: at.toISOString() });
  put(counter, { type: "cash_session", id: shift.id, data: upload(shift) }, at);
  counter.session = shift.id;
  life.sessions.push({ id: shift.id, register: counter.name, isOpen: true, openedOn: bogotaDate(at) });
}

async function closeShift({ life }: Shop, counter: Counter, at: Date): Promise<void> {
  const session = life.sessions.find(({ id }) => id === counter.session)!;
  const closed_at = at.toISOString();
  const shift = cashSessionBody(closed_at, {
    id: session.id,
    status: "closed",
    closed_at,
    register_name: counter.name,
  });
  put(counter, { type: "cash_session", id: session.id, data: upload(shift) }, at);
  session.isOpen = false;
  counter.session = null;
}

async function sell({ life, chance, kept }: Shop, till: Counter, at: Date): Promise<void> {
  const made = randomSale(chance, at, chance.happens(0.9) ? till.session : null);
  const told = randomParts(chance, made.total);
  const status = chance.pick([
    "completed",
    "completed",
    "completed",
    "completed",
    "completed",
    "completed",
    "open",
    "cancelled",
  ]);
  const payment_method = told ? largest(told).payment_method : chance.pick(methods);
  const sale: Sale = { ...made, status, payment_method };
  put(till, { type: "sale", id: sale.id, data: upload(sale), ...(told && { payments: told }) }, at);
  const isSold = status === "completed";
  kept.push({ sale, told, till, status: isSold ? "completed" : "other", returns: [] });
  if (isSold)
    life.entries.push(
      entryOf(at, "sale", sale, till, { ...worthOf(sale, sale.items), parts: countedParts(told, sale) }),
    );
}

function entryOf(
  at: Date,
  kind: Entry["kind"],
  { id, cash_session_id }: Pick<Sale, "id" | "cash_session_id">,
  { name }: Pick<Counter, "name">,
  worth: Omit<Entry, "at" | "day" | "kind" | "sign" | "sale_id" | "register" | "session">,
): Entry {
  const sign = kind === "sale" ? 1 : -1;
  return { at, day: bogotaDate(at), kind, sign, sale_id: id, register: name, session: cash_session_id, ...worth };
}

async function cancel({ life }: Shop, one: Kept, at: Date): Promise<void> {
  const { sale, told, till, returns } = one;
  const data = upload({ ...sale, status: "cancelled" });
  put(till, { type: "sale", id: sale.id, data, ...(told && { payments: told }) }, at);
  const left = minus(
    worthOf(sale, sale.items),
    returns.map((back) => worthOf(back, back.lines)),
  );
  const { payment_method } = sale;
  const parts = returns.length === 0 ? countedParts(told, sale) : [{ payment_method, amount: left.total }];
  life.entries.push(entryOf(at, "cancellation", sale, till, { ...left, parts }));
  one.status = "cancelled";
}

async function correctMeans({ life, chance }: Shop, one: Kept, at: Date): Promise<void> {
  const told: Part[] = [{ payment_method: chance.pick(methods), amount: one.sale.total }];
  const sale = { ...one.sale, payment_method: told[0]!.payment_method };
  put(one.till, { type: "sale", id: sale.id, data: upload(sale), payments: told }, at);
  Object.assign(one, { sale, told });
  life.entries.find(({ sale_id, sign }) => sale_id === sale.id && sign === 1)!.parts = told;
}

async function takeBack(shop: Shop, counter: Counter, one: Kept, at: Date): Promise<void> {
  const { life, chance } = shop;
  const lines = linesBack(chance, one);
  if (lines.length === 0) return sell(shop, counter, at);
  const [id, payment_method] = [randomUUID(), chance.pick(methods)];
  const cash_session_id = chance.happens(0.8) ? counter.session : null;
  const data = {
    sale_id: one.sale.id,
    lines,
    payment_method,
    reason: null,
    occurred_at: at.toISOString(),
    cash_session_id,
  };
  await send(shop.counters);
  put(counter, { type: "return", id, data }, at);
  await send([counter]);
  await note(life, one, id, counter.name);
}

/** What is left of some lines, or a part of it; half of bags cannot come back. */
function linesBack(chance: Chance, { sale, returns }: Kept): { item_id: string; quantity: number }[] {
  const isAll = chance.happens(0.3);
  return sale.items.flatMap(({ id, quantity }) => {
    const back = returns.flatMap(({ lines }) => lines).filter(({ item_id }) => item_id === id);
    const left = back.reduce((sum, one) => sum - one.quantity, quantity);
    if (left <= 0 || (!isAll && chance.happens(0.5))) return [];
    return [{ item_id: id, quantity: isAll || left < 2 ? left : 1 + below(chance, Math.floor(left)) }];
  });
}

/** The return as the public API tells it. */
async function note(life: Life, one: Kept, id: string, register: string | null): Promise<void> {
  const back: Return = (await life.owner.business.api.get(`/returns/${id}`)).body;
  one.returns.push(back);
  const told = { id: one.sale.id, cash_session_id: back.cash_session_id };
  const shift = life.sessions.find((session) => session.id === back.cash_session_id);
  const { payment_method, total } = back;
  const entry = entryOf(
    new Date(back.occurred_at),
    "return",
    told,
    { name: "" },
    {
      ...worthOf(back, back.lines),
      parts: [{ payment_method, amount: total }],
    },
  );
  life.entries.push({ ...entry, register: shift?.register ?? register });
}

async function returnFromPortal(shop: Shop): Promise<void> {
  const { life, chance, kept } = shop;
  const open = kept.filter(({ status }) => status === "completed");
  const one = open.length > 0 ? chance.pick(open) : undefined;
  const lines = one ? linesBack(chance, one) : [];
  if (!one || lines.length === 0) return;
  const asked = { id: randomUUID(), lines, payment_method: "NEQUI", reason: null };
  const { status, text } = await life.owner.post(`/sales/${one.sale.id}/returns`, asked);
  if (status !== 201) throw new Error(text);
  await note(life, one, asked.id, null);
}
