import { randomUUID } from "node:crypto";
import type { Return } from "../../src/business/returns/schema.ts";
import type { Sale } from "../../src/business/sales/schema.ts";
import { setProfile } from "../../src/fiscal/profile/set-profile.ts";
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
  kind: "sale" | "return" | "cancellation" | "correction";
  sign: 1 | -1;
  sale_id: string;
  register: string | null;
  session: string | null;
  parts: Part[];
  /** A sale that stays as it was counted. */
  isKept?: true;
}

interface Kept {
  sale: Sale;
  told: Part[] | undefined;
  till: Counter;
  status: "completed" | "reopened" | "cancelled" | "other";
  returns: Return[];
  /** Of what the books count it by, while its day and its shift last. */
  entry: Entry | undefined;
  /** What it has been worth, to be corrected back to. */
  former: Pick<Kept, "sale" | "told">[];
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
  /** What each day said when it had ended, and each shift that was closed. */
  closed: Map<string, string>;
}

type AskedOwner = (owner: Portal, dayOrShift: string) => Promise<string>;

/** Some days of a business with two registers, one after the other. `dayEnded` is asked what a day says when it is over. */
export async function liveDays(
  service: Service,
  seed: number,
  {
    now,
    dayCount,
    dayEnded,
    shiftEnded,
  }: { now: Date; dayCount: number; dayEnded: AskedOwner; shiftEnded: AskedOwner },
): Promise<Life> {
  const chance = seeded(seed);
  const owner = await openPortal(service);
  // Every other business issues documents, which need nobody's acceptance.
  if (seed % 2 === 0)
    await setProfile(service.deps, owner.accountId, { nit: "900373923-8", regime: "iva", documents: "internal" });
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
    if (day === today) continue;
    life.closed.set(day, await dayEnded(owner, day));
    for (const { id, isOpen } of life.sessions)
      if (!isOpen && !life.closed.has(id)) life.closed.set(id, await shiftEnded(owner, id));
  }
  life.uncounted = shop.kept.flatMap(({ entry, sale }) => (entry ? [] : [sale]));
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
  const known = kept.filter(({ status }) => status === "completed" || status === "reopened");
  if (known.length > 0 && chance.happens(0.2)) return correct(shop, chance.pick(known), at);
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
  const one: Kept = {
    sale,
    told,
    till,
    status: isSold ? "completed" : "other",
    returns: [],
    entry: undefined,
    former: [],
  };
  kept.push(one);
  if (isSold) count(life, one, at);
}

function count(life: Life, one: Kept, at: Date): void {
  one.entry = entryOf(at, "sale", one.sale, one.till, booked(one));
  life.entries.push(one.entry);
}

const booked = ({ sale, told }: Pick<Kept, "sale" | "told">) => ({
  ...worthOf(sale, sale.items),
  parts: countedParts(told, sale),
});

/**
 * Its register changes a sale: what it is worth, how it was paid, to open, back to what it was, or to another hour or day. While the day and the
 * shift of the sale last, it counts as it is now; from then on the difference counts at once.
 */
async function correct({ life, chance }: Shop, one: Kept, at: Date): Promise<void> {
  const { sale, told, till, returns, former } = one;
  const was = one.status === "completed" ? booked(one) : undefined;
  const change =
    returns.length > 0
      ? "means"
      : chance.pick(["worth", "worth", "means", "open", "back", "moved", was ? "worth" : "dropped"] as const);
  const next = { sale, told };
  if (change === "worth") {
    const { id, occurred_at, cash_session_id } = sale;
    next.sale = { ...randomSale(chance, at, null), id, occurred_at, cash_session_id };
    next.told = randomParts(chance, next.sale.total);
  } else if (change === "means") next.told = [{ payment_method: chance.pick(methods), amount: sale.total }];
  else if (change === "back" && former.length > 0) Object.assign(next, chance.pick(former));
  else if (change === "moved" && one.entry) {
    const days = chance.pick([0, 0, -1, -3]);
    next.sale = {
      ...sale,
      occurred_at: new Date(Date.parse(sale.occurred_at) + days * 86_400_000 - 60_000).toISOString(),
    };
  }
  const payment_method = next.told ? largest(next.told).payment_method : next.sale.payment_method;
  const status = change === "open" ? "open" : change === "dropped" ? "cancelled" : "completed";
  next.sale = { ...next.sale, status, payment_method };
  put(till, { type: "sale", id: sale.id, data: upload(next.sale), ...(next.told && { payments: next.told }) }, at);
  former.push({ sale, told });
  // What an upload does not tell of the means stays.
  one.told = next.told ?? told;
  one.sale = next.sale;
  one.status = statusOf[status];
  account(life, one, was, at);
}

const statusOf = { completed: "completed", open: "reopened", cancelled: "cancelled" } as const;

/** Writes the change into the books. */
function account(life: Life, one: Kept, was: ReturnType<typeof booked> | undefined, at: Date): void {
  const isSold = one.status === "completed";
  const session = life.sessions.find(({ id }) => id === one.sale.cash_session_id);
  const isShut = session !== undefined && !session.isOpen;
  const told = one.entry;
  const days = [...(told ? [told.day] : []), ...(isSold || !told ? [bogotaDate(new Date(one.sale.occurred_at))] : [])];
  const isOver = isShut || days.some((day) => day < bogotaDate(at));
  if (!isOver && told?.isKept !== true) {
    life.entries = life.entries.filter((entry) => entry !== told);
    one.entry = undefined;
    if (isSold) count(life, one, new Date(one.sale.occurred_at));
    return;
  }
  const place = { id: one.sale.id, cash_session_id: isShut ? null : one.sale.cash_session_id };
  if (!told) {
    if (!isSold) return;
    one.entry = { ...entryOf(at, "sale", place, one.till, booked(one)), isKept: true };
    life.entries.push(one.entry);
    return;
  }
  told.isKept = true;
  const back = was ?? { ...minus(booked(one), [booked(one)]), parts: [] };
  const now = isSold ? booked(one) : { ...minus(back, [back]), parts: [] };
  const parts = [...back.parts, ...now.parts.map((part) => ({ ...part, amount: -part.amount }))];
  life.entries.push(entryOf(at, "correction", place, one.till, { ...minus(back, [now]), parts }));
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
  const session = life.sessions.find(({ id }) => id === sale.cash_session_id);
  const isShut = session !== undefined && !session.isOpen;
  const place = { id: sale.id, cash_session_id: isShut ? null : sale.cash_session_id };
  life.entries.push(entryOf(at, "cancellation", place, till, { ...left, parts }));
  one.status = "cancelled";
}

async function correctMeans({ life, chance }: Shop, one: Kept, at: Date): Promise<void> {
  const was = booked(one);
  const told: Part[] = [{ payment_method: chance.pick(methods), amount: one.sale.total }];
  const sale = { ...one.sale, payment_method: told[0]!.payment_method };
  put(one.till, { type: "sale", id: sale.id, data: upload(sale), payments: told }, at);
  Object.assign(one, { sale, told });
  account(life, one, was, at);
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
