import { ofAllAccounts } from "../db/nodes.ts";
import type { Client } from "../db/pool.ts";
import { prepared, sql } from "../db/sql.ts";
import { transaction } from "../db/transaction.ts";
import type { CoreDeps } from "../engine/deps.ts";
import { day, hour, minute } from "../lib/clock.ts";
import { runEvery } from "../lib/run-every.ts";
import { type AlertName, alertKind } from "../notices/alert-kinds.ts";
import { type Notice, type NoticeKind, recordNotices } from "../notices/record-notices.ts";
import { bogotaClock, bogotaDate } from "../taxes/bogota-time.ts";
import { grouped, money } from "../taxes/words.ts";
import { businessesWithOrders, findWaitingOrders } from "./waiting-orders.ts";

interface Wanted {
  account_id: string;
  amount: number | null;
  from_hour: number | null;
  to_hour: number | null;
  updated_at: Date;
}

interface Found {
  /** What it is about: not told again while it is found, or ever where it happens once. */
  subject: string;
  message: string;
  location_id?: string | null;
  amount?: number;
}

interface Finder {
  /** Whether it is a state that can end, and is told anew when it comes back. */
  isState: boolean;
  /** Whether what has ended is told no more, in the bell neither. */
  takesBack?: boolean;
  /** Where to look, when not only those who asked for it are told. */
  places?: (deps: CoreDeps, now: Date) => Promise<string[]>;
  find: (client: Client, wanted: Wanted, now: Date) => Promise<Found[]>;
}

/** More at once would only fill a mail; the rest is found the next time. */
const mostFound = 50;
/** What happened before is no news. */
const newsMs = 2 * day;
const silentMs = hour;
/** A register that nobody used for a week is put away. */
const putAwayMs = 7 * day;
const bogotaOffsetMs = 5 * hour;

const finders = {
  orders_waiting: { isState: true, takesBack: true, places: businessesWithOrders, find: findWaitingOrders },
  stock_low: { isState: true, find: findLowStock },
  shift_short: { isState: false, find: findShortShifts },
  register_silent: { isState: true, find: findSilentRegisters },
  unauthorized_act: { isState: false, find: findActs },
} as const satisfies Partial<Record<AlertName & NoticeKind, Finder>>;

async function findLowStock(client: Client, { account_id }: Wanted): Promise<Found[]> {
  const { rows } = await client.query<{ id: string; name: string; stock: number }>(sql`
    select p.id, p.body->>'name' as name, floor(p.stock_milli / 1000.0)::int as stock
    from products p left join product_thresholds t on t.account_id = ${account_id} and t.product_id = p.id
    where p.account_id = ${account_id} and p.active and p.deleted_at is null and p.body->>'stock' is not null
      and p.stock_milli <= 1000 * coalesce(t.low_stock,
        (select s.low_stock from portal_settings s where s.account_id = ${account_id}), 5)
      and exists (select from stock_movements m where m.account_id = ${account_id} and m.product_id = p.id)
    order by p.id`);
  return rows.map(({ id, name, stock }) => ({ subject: id, message: `${name}: ${leftText(stock)}.` }));
}

/** A register that sold what nobody had entered leaves less than nothing. */
export function leftText(stock: number): string {
  if (stock < 0) return `se vendieron ${grouped(-stock)} más de las que había; cuente las que hay`;
  if (stock === 0) return "no queda ninguna";
  return stock === 1 ? "queda 1" : `quedan ${grouped(stock)}`;
}

async function findShortShifts(
  client: Client,
  { account_id, amount, updated_at }: Wanted,
  now: Date,
): Promise<Found[]> {
  const since = new Date(Math.max(now.getTime() - newsMs, updated_at.getTime()));
  const { rows } = await client.query<{
    id: string;
    location_id: string | null;
    register: string;
    by: string | null;
    difference: number;
  }>(sql`
    select id, coalesce(location_id, account_id) as location_id, body->>'register_name' as register, body->>'closed_by' as by, (body->>'difference')::bigint as difference
    from cash_sessions where account_id = ${account_id} and updated_at > ${since} and status = 'closed'
      and (body->>'difference')::bigint <= ${-(amount ?? 0)} order by updated_at limit ${mostFound}`);
  return rows.map(({ id, location_id, register, by, difference }) => ({
    subject: id,
    location_id,
    amount: -difference,
    message: `${register}${by ? `, ${by}` : ""}: faltaron ${money(-difference)} al cerrar el turno.`,
  }));
}

async function findSilentRegisters(client: Client, wanted: Wanted, now: Date): Promise<Found[]> {
  const { account_id, from_hour, to_hour } = wanted;
  const midnight = Math.floor((now.getTime() - bogotaOffsetMs) / day) * day + bogotaOffsetMs;
  const opens = midnight + (from_hour ?? 0) * hour;
  const closes = midnight + (to_hour ?? 24) * hour;
  // Silence counts from the opening: whoever switches on at eight is not late at one minute past.
  if (now.getTime() < opens + silentMs || now.getTime() > closes) return [];
  const { rows } = await client.query<{
    id: string;
    name: string;
    location_id: string | null;
    last_seen_at: Date;
  }>(sql`
    select id, name, coalesce(location_id, account_id) as location_id, last_seen_at from devices where account_id = ${account_id} and revoked_at is null
      and last_seen_at between ${new Date(now.getTime() - putAwayMs)} and ${new Date(now.getTime() - silentMs)} order by id`);
  return rows.map(({ id, name, location_id, last_seen_at }) => ({
    subject: id,
    location_id,
    message: `${name} no se comunica desde el ${bogotaDate(last_seen_at)} a las ${bogotaClock(last_seen_at)}.`,
  }));
}

async function findActs(client: Client, { account_id, updated_at }: Wanted, now: Date): Promise<Found[]> {
  const since = new Date(Math.max(now.getTime() - newsMs, updated_at.getTime()));
  const { rows } = await client.query<{
    id: string;
    location_id: string | null;
    register: string | null;
    cashier: string | null;
    label: string | null;
  }>(sql`
    select a.id, coalesce(d.location_id, d.account_id) as location_id, d.name as register, c.name as cashier, a.label
    from counter_acts a left join devices d on d.id = a.device_id and d.account_id = ${account_id}
    left join cashiers c on c.account_id = ${account_id} and c.id = a.cashier_id
    where a.account_id = ${account_id} and not a.is_allowed and a.received_at > ${since}
      and not exists (select from alerts_told t where t.account_id = ${account_id} and t.kind = 'unauthorized_act' and t.subject = a.id::text)
    order by a.received_at limit ${mostFound}`);
  return rows.map(({ id, location_id, register, cashier, label }) => ({
    subject: id,
    location_id,
    message: `${register ?? "Una caja"}: ${cashier ?? "alguien"} hizo algo sin permiso${label ? ` (${label})` : ""}.`,
  }));
}

/** Looks for what people asked to be told of. Returns how much was new. Any number of processes may look: each thing is told once. */
export async function findAlerts(deps: CoreDeps): Promise<number> {
  const now = deps.clock.now();
  let told = 0;
  for (const [kind, finder] of Object.entries(finders) as [keyof typeof finders, Finder][]) {
    const wanted = await (finder.places ? everywhere(finder.places(deps, now), now) : chosenBy(deps, kind));
    for (const all of Map.groupBy(wanted, ({ account_id }) => account_id).values()) {
      const widest = all.map((one) => withDefaults(kind, one)).reduce(widened);
      told += await transaction(deps.pool, (client) => tell(client, kind, finder, widest, now));
    }
  }
  return told;
}

function chosenBy({ pool }: CoreDeps, kind: keyof typeof finders): Promise<Wanted[]> {
  return ofAllAccounts(pool, async (part) => {
    const text = `select c.account_id, c.amount, c.from_hour, c.to_hour, c.updated_at from alert_choices c
      join accounts a on a.id = c.account_id
      where c.kind = $1 and c.is_active and a.active and ${part.of("c.account_id", 2)}`;
    return (await pool.query<Wanted>(prepared(text, [kind, ...part.values]))).rows;
  });
}

async function everywhere(accountIds: Promise<string[]>, updated_at: Date): Promise<Wanted[]> {
  return (await accountIds).map((account_id) => ({
    account_id,
    ...{ amount: null, from_hour: null, to_hour: null, updated_at },
  }));
}

function withDefaults(kind: keyof typeof finders, wanted: Wanted): Wanted {
  const { amount, hours } = alertKind(kind);
  return {
    ...wanted,
    amount: wanted.amount ?? amount ?? null,
    from_hour: wanted.from_hour ?? hours?.[0] ?? null,
    to_hour: wanted.to_hour ?? hours?.[1] ?? null,
  };
}

/** What either of two wants to be told of: whoever asked for less is not mailed the rest. */
function widened(a: Wanted, b: Wanted): Wanted {
  return {
    account_id: a.account_id,
    amount: Math.min(a.amount ?? 0, b.amount ?? 0),
    from_hour: Math.min(a.from_hour ?? 0, b.from_hour ?? 0),
    to_hour: Math.max(a.to_hour ?? 24, b.to_hour ?? 24),
    updated_at: a.updated_at < b.updated_at ? a.updated_at : b.updated_at,
  };
}

/** The mark and the notice commit together, and the mark is unique: whoever comes second has nothing to tell. */
async function tell(
  client: Client,
  kind: keyof typeof finders,
  { isState, takesBack = false, find }: Finder,
  wanted: Wanted,
  now: Date,
): Promise<number> {
  const { account_id: accountId } = wanted;
  const found = await find(client, wanted, now);
  const subjects = found.map(({ subject }) => subject);
  if (isState)
    await client.query(sql`
      delete from alerts_told where account_id = ${accountId} and kind = ${kind} and not subject = any(${subjects}::text[])`);
  if (takesBack)
    await client.query(sql`
      delete from notices where account_id = ${accountId} and kind = ${kind} and not subject = any(${subjects}::text[])`);
  if (found.length === 0) return 0;
  const { rows } = await client.query<{ subject: string }>(sql`
    insert into alerts_told (account_id, kind, subject, told_at)
    select ${accountId}::uuid, ${kind}, subject, ${now}::timestamptz from unnest(${subjects}::text[]) as subject
    order by subject on conflict do nothing returning subject`);
  const fresh = new Set(rows.map(({ subject }) => subject));
  const notices = found.filter(({ subject }) => fresh.has(subject)).map((one): Notice => ({ kind, ...one }));
  if (notices.length > 0) await client.query(recordNotices(accountId, now, bogotaDate(now), notices));
  return notices.length;
}

/** What happens once is found no more by then. */
const rememberedMs = 90 * day;

/** Forgets what was told of what happens only once. Returns how many. */
export async function forgetToldAlerts(deps: Pick<CoreDeps, "pool">, now: Date): Promise<number> {
  const before = new Date(now.getTime() - rememberedMs);
  const gone = await ofAllAccounts(deps.pool, async (part) => {
    const text = `delete from alerts_told where kind in ('shift_short', 'unauthorized_act') and told_at < $1
      and ${part.of("account_id", 2)} returning 1`;
    return (await deps.pool.query(prepared(text, [before, ...part.values]))).rows;
  });
  return gone.length;
}

const lookEveryMs = minute;

export function startAlerts(deps: CoreDeps): { stop: () => Promise<void> } {
  return runEvery(
    deps.clock,
    lookEveryMs,
    () => findAlerts(deps),
    (error) => deps.log.warn({ err: error }, "alerts not looked for; trying again in a minute"),
  );
}
