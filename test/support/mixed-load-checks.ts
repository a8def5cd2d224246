import type { Pool } from "../../src/db/pool.ts";
import { sql } from "../../src/db/sql.ts";
import { verify } from "../../src/operations/verify/verify.ts";
import { eventually } from "./eventually.ts";
import type { Installation } from "./installation.ts";
import type { AckedRecord, MixedLoad } from "./mixed-load.ts";

/** A document that waits longer than this was told to wait by the authority. */
const dueSoonMs = 10_000;

/** Resolves when nothing is left to deliver and no document is due within `aheadMs`. */
export async function drained(pool: Pool, withinMs: number, aheadMs = 0): Promise<void> {
  const left = async () => {
    const { rows } = await pool.query<{ left: string }>(sql`
      select format('delivery of %s, due %s, leased %s', event_type, due_at, leased_until) as left from webhook_queue
      union all
      select format('document %s, due %s, leased %s', state, due_at, leased_until) from fiscal_documents
      where due_at < ${new Date(Date.now() + aheadMs + dueSoonMs)}`);
    return rows.map((row) => row.left);
  };
  await eventually(async () => (await left()).length === 0, withinMs).catch(async () => {
    throw new Error(
      `${new Date().toISOString()}, after ${withinMs} ms, still left:\n${(await left()).slice(0, 20).join("\n")}`,
    );
  });
}

/**
 * Compares what the clients were told with what is stored, announced and delivered; one line per violation. `underWay`
 * are the deliveries that a worker held when it was killed: only these may have arrived more often than recorded.
 */
export async function loadProblems(
  pool: Pool,
  { shop, office }: Pick<Installation, "shop" | "office">,
  load: MixedLoad,
  underWay: ReadonlySet<string> = new Set(),
): Promise<string[]> {
  return [
    ...load.odd,
    ...(await recordProblems(pool, office.accountId, load.acknowledged.office, true)),
    ...(await recordProblems(pool, shop.accountId, load.acknowledged.shop, false)),
    ...(await counterProblems(pool, shop.accountId, load)),
    ...(await logProblems(pool, shop.accountId, load.followed.shop)),
    ...(await logProblems(pool, office.accountId, load.followed.office)),
    ...(await deliveryProblems(pool, load, underWay)),
    ...(await documentProblems(pool, shop.accountId)),
    ...(await verify(pool)).problems,
  ].slice(0, 50);
}

/** Each acknowledged record is stored once, as last acknowledged, and each of its versions was announced once. */
async function recordProblems(
  pool: Pool,
  accountId: string,
  acknowledged: readonly AckedRecord[],
  hasOneAuthor: boolean,
) {
  const problems: string[] = [];
  for (const kind of ["customer", "product"] as const) {
    const stored = await pool.query<{ id: string; body: string }>(
      `select id, body from ${kind}s where account_id = $1 and body->>'name' ~ '^(shop|office)-'`,
      [accountId],
    );
    const bodies = new Map(stored.rows.map(({ id, body }) => [id, body]));
    const { rows } = await pool.query<{ id: string; text: string }>(
      `select body->'data'->'object'->>'id' as id, (body->'data'->'object')::text as text from events
       where account_id = $1 and type in ($2, $3) order by seq`,
      [accountId, `${kind}.created`, `${kind}.updated`],
    );
    const announced = Map.groupBy(rows, ({ id }) => id);
    const mine = acknowledged.filter((one) => one.kind === kind);
    for (const { id, key, versions } of mine) {
      const texts = (announced.get(id) ?? []).map(({ text }) => text);
      const body = bodies.get(id);
      if (body === undefined) problems.push(`${key} was acknowledged and is missing`);
      else if (hasOneAuthor && body !== versions.at(-1)) problems.push(`${key} is not as acknowledged: ${body}`);
      const events = hasOneAuthor ? texts : texts.slice(0, 1);
      if (events.join("\n") !== versions.join("\n"))
        problems.push(`${key} has ${texts.length} events for ${versions.length} versions:\n${texts.join("\n")}`);
    }
    if (bodies.size !== mine.length) problems.push(`${bodies.size} ${kind}s are stored, ${mine.length} were made`);
  }
  return problems;
}

const allMovements = "select id from stock_movements where account_id = $1";

/** The shop has exactly the sales in the registers' journals, each once. */
async function counterProblems(pool: Pool, accountId: string, load: MixedLoad): Promise<string[]> {
  const books = load.books();
  const written = (type: string) => new Set(books.filter((entry) => entry.type === type).map(({ id }) => id));
  const ids = async (text: string) => (await pool.query<{ id: string }>(text, [accountId])).rows.map(({ id }) => id);
  const announcedAs = (type: string) =>
    ids(`select body->'data'->'object'->>'id' as id from events where account_id = $1 and type = '${type}'`);
  const sales = written("sale");
  const movements = written("stock_movement");
  const aside = await ids("select reason as id from quarantined_records where account_id = $1");
  return [
    ...differences("sale stored", await ids("select id from sales where account_id = $1"), sales),
    ...differences("sale.created", await announcedAs("sale.created"), sales),
    ...differences("movement stored", await ids(`${allMovements} and not from_api`), movements),
    ...differences(
      "inventory.movement.created",
      await announcedAs("inventory.movement.created"),
      // The server puts back into stock what is returned.
      new Set([...movements, ...(await ids(`${allMovements} and body->>'origin_type' = 'return'`))]),
    ),
    ...differences("return stored", await ids("select id from returns where account_id = $1"), written("return")),
    ...aside.map((reason) => `a record was set aside: ${reason}`),
  ];
}

/** A reader that followed the log by its cursor saw every event once, in the order of the changes. */
async function logProblems(pool: Pool, accountId: string, followed: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    sql`select id from events where account_id = ${accountId} order by seq, id`,
  );
  const at = rows.findIndex(({ id }, i) => followed[i] !== id);
  if (at < 0 && followed.length === rows.length) return [];
  return [`who followed the log saw ${followed.length} of ${rows.length} events, right up to number ${at}`];
}

/**
 * Each event that an endpoint asked for has one delivery, which arrived or still waits. It arrived at most once per recorded attempt (on a busy
 * machine a receiver may answer too late), unless it was under way at a kill.
 */
async function deliveryProblems(pool: Pool, { arrivals }: MixedLoad, underWay: ReadonlySet<string>) {
  const { rows } = await pool.query<{ event_id: string; id: string | null; state: string; attempts: number }>(`
    select e.id as event_id, d.id, d.state, json_array_length(d.attempts) as attempts
    from events e left join (
      select account_id, event_id, id, 'pending' as state, attempts from webhook_queue
      union all select account_id, event_id, id, state, attempts from webhook_deliveries) d
      on d.account_id = e.account_id and d.event_id = e.id
    where exists (select from webhook_endpoints p where p.account_id = e.account_id and e.type = any(p.event_types))`);
  const problems: string[] = [];
  const attemptsOf = new Map<string, number>();
  const events = new Set<string>();
  for (const { event_id, id, state, attempts } of rows) {
    if (events.has(event_id)) problems.push(`event ${event_id} has more than one delivery`);
    events.add(event_id);
    if (id === null) {
      problems.push(`event ${event_id} has no delivery`);
      continue;
    }
    attemptsOf.set(id, attempts);
    if (state === "delivered" && arrivals.get(id)?.eventId !== event_id)
      problems.push(`event ${event_id} is said to be delivered, and never came`);
    if (state === "failed" || state === "dropped") problems.push(`event ${event_id} was ${state}`);
  }
  for (const [id, { times, eventId }] of arrivals) {
    const attempts = attemptsOf.get(id);
    if (attempts === undefined) problems.push(`delivery ${id} of event ${eventId} came and is unknown`);
    else if (times > Math.max(1, attempts) && !underWay.has(id))
      problems.push(`delivery ${id} came ${times} times in ${attempts} attempts without being under way at a kill`);
  }
  return problems;
}

/** Each document was decided and announced once, or still waits for the authority. */
async function documentProblems(pool: Pool, accountId: string): Promise<string[]> {
  const { rows } = await pool.query<{ problem: string }>(
    `with verdict as materialized (
       select body->'data'->'object'->>'id' as id, count(*) as events from events
       where account_id = $1 and type in ('invoice.issued', 'invoice.rejected') group by 1)
     select format('document %s is %s, with %s events and %s due', i.id, i.status, v.events, d.due_at) as problem
     from invoices i
     left join fiscal_documents d on d.account_id = i.account_id and d.invoice_id = i.id
     left join verdict v on v.id = i.id::text
     where i.account_id = $1
       and (coalesce(v.events, 0) <> case when i.status in ('issued', 'annulled', 'rejected') then 1 else 0 end
       or (i.status = 'pending' and d.due_at is null))`,
    [accountId],
  );
  return rows.map(({ problem }) => problem);
}

function differences(what: string, found: readonly string[], expected: ReadonlySet<string>): string[] {
  const seen = new Set(found);
  return [
    ...(seen.size < found.length ? [`${what}: ${found.length - seen.size} more than once`] : []),
    ...[...expected].filter((id) => !seen.has(id)).map((id) => `${what}: ${id} is missing`),
    ...[...seen].filter((id) => !expected.has(id)).map((id) => `${what}: ${id} is nobody's`),
  ];
}
