import { lockAccount } from "../../access/accounts/account-lock.ts";
import { recordAudit, theService } from "../../access/accounts/record-audit.ts";
import type { Config } from "../../config.ts";
import { ofAllAccounts } from "../../db/nodes.ts";
import type { Pool } from "../../db/pool.ts";
import { prepared, sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { WritingDeps } from "../../engine/writing/writing.ts";
import { second } from "../../lib/clock.ts";
import { subscriptionOf } from "../../mail/suppressions.ts";
import { nextChunk, searchedTable } from "../mentions.ts";
import type { Person } from "../person.ts";
import { recordTables, searchedTables } from "../tables.ts";
import { tracesOf } from "../traces.ts";
import {
  type Erasing,
  eraseCustomers,
  eraseInRecords,
  type LinkedTable,
  linkedIds,
  recordsPerWrite,
} from "./records.ts";
import { eraseInRows } from "./rows.ts";

export type ErasingDeps = WritingDeps & { config: Pick<Config, "secretKeys" | "retiredKeys"> };

/** Where an erasure goes on: in a step, at a place of its own. */
interface Position {
  step: number;
  place?: unknown;
}

interface Done {
  changed: number;
  /** It is not time yet; another look goes on here. */
  waits?: true;
  /** Where the step goes on; without it, it is over. */
  place?: unknown;
}

interface Step {
  /** In the counts of the erasure. */
  name: string;
  run: (erasing: Running, place: unknown) => Promise<Done>;
}

interface Running extends Erasing {
  config: ErasingDeps["config"];
  settleMs?: number | undefined;
}

/** In this order: registers learn first whom to forget, and her own records are cleaned by what they are. */
const steps: readonly Step[] = [
  { name: "customers", run: async (erasing) => ({ changed: await eraseCustomers(erasing) }) },
  { name: "sales", run: (erasing, place) => eraseLinked(erasing, "sales", place) },
  { name: "sales", run: eraseMailedSales },
  { name: "quotes", run: (erasing, place) => eraseLinked(erasing, "quotes", place) },
  { name: "orders", run: (erasing, place) => eraseLinked(erasing, "orders", place) },
  ...recordTables.map((name): Step => ({ name, run: (erasing, place) => searchRecords(erasing, name, place) })),
  ...searchedTables.map((name): Step => ({ name, run: (erasing, place) => searchRows(erasing, name, place) })),
  { name: "mail_suppressions", run: forgetAddresses },
  // What was asked for just before is written some seconds later, by whichever process was asked.
  { name: "request_log", run: waitForLogs },
  { name: "request_log", run: (erasing, place) => searchRows(erasing, "request_log", place) },
];

/** Longer than the log of requests waits to be written, also after a failure. */
const settleMs = 15 * second;

async function waitForLogs({ deps, accountId, erasureId, settleMs: waitMs = settleMs }: Running): Promise<Done> {
  const { rowCount } = await deps.pool.query(sql`
    select 1 from erasures where account_id = ${accountId} and id = ${erasureId}
      and begun_at > statement_timestamp() - ${waitMs} * interval '1 millisecond'`);
  return rowCount === 0 ? { changed: 0 } : { changed: 0, place: null, waits: true };
}

interface LinkedPlace {
  customer: number;
  after?: { createdAt: string; id: string };
}

async function eraseLinked(erasing: Erasing, table: LinkedTable, from: unknown): Promise<Done> {
  const { customer, after } = (from ?? { customer: 0 }) as LinkedPlace;
  const customerId = erasing.person.customerIds[customer];
  if (customerId === undefined) return { changed: 0 };
  const found = await linkedIds(erasing, table, customerId, after);
  const ids = found.map(({ id }) => id);
  const changed = await eraseInRecords(erasing, table, ids);
  const last = found.at(-1);
  const isOver = found.length < recordsPerWrite || !last;
  const place: LinkedPlace = isOver ? { customer: customer + 1 } : { customer, after: last };
  return { changed, place };
}

async function eraseMailedSales(erasing: Erasing, from: unknown): Promise<Done> {
  const start = (from as number | undefined) ?? 0;
  const ids = erasing.person.saleIds.slice(start, start + recordsPerWrite);
  if (ids.length === 0) return { changed: 0 };
  return { changed: await eraseInRecords(erasing, "sales", ids), place: start + recordsPerWrite };
}

async function searchRecords(erasing: Erasing, name: string, from: unknown): Promise<Done> {
  const { deps, accountId, traces } = erasing;
  if (traces.pattern === undefined) return { changed: 0 };
  const table = await searchedTable(deps.pool, name);
  const { rows, last } = await nextChunk(deps.pool, table, accountId, from as string[] | undefined, {
    pattern: traces.pattern,
  });
  const ids = rows.flatMap(({ key }) => key);
  let changed = 0;
  for (let i = 0; i < ids.length; i += recordsPerWrite)
    changed += await eraseInRecords(erasing, name, ids.slice(i, i + recordsPerWrite));
  return { changed, ...(last && { place: last }) };
}

async function searchRows(erasing: Erasing, name: string, from: unknown): Promise<Done> {
  const table = await searchedTable(erasing.deps.pool, name);
  const { last, changed } = await eraseInRows(erasing, table, from as string[] | undefined);
  return { changed, ...(last && { place: last }) };
}

/** What a server said of her address goes; what she asked for herself is still honoured, by a keyed digest. */
async function forgetAddresses({ deps, accountId, person, config }: Running): Promise<Done> {
  let changed = 0;
  for (const email of person.emails) {
    const { addressHash, formerHashes } = subscriptionOf(config, accountId, email);
    const { rowCount } = await deps.pool.query(sql`
      delete from mail_suppressions
      where account_id = ${accountId} and address_hash = any(${[addressHash, ...formerHashes]}::bytea[]) and reason = 'bounced'`);
    changed += rowCount ?? 0;
  }
  return { changed };
}

const leaseSeconds = 60;

interface OpenErasure {
  account_id: string;
  id: string;
  person: string;
  position: string | null;
}

/** Ends what is open, in any number of processes: each erasure is one process's until its lease is over. */
export async function runErasures(
  deps: ErasingDeps,
  { onlyAccount, settleMs: waitMs }: { onlyAccount?: string; settleMs?: number } = {},
): Promise<number> {
  const open = await ofAllAccounts(deps.pool, async (part) => {
    const text = `select account_id, id from erasures where finished_at is null
      and ($1::uuid is null or account_id = $1) and ${part.of("account_id", 2)} order by created_at`;
    const values = [onlyAccount ?? null, ...part.values];
    return (await deps.pool.query<{ account_id: string; id: string }>(prepared(text, values))).rows;
  });
  let ended = 0;
  for (const { account_id, id } of open) if (await runErasure(deps, account_id, id, waitMs)) ended += 1;
  return ended;
}

async function runErasure(deps: ErasingDeps, accountId: string, id: string, waitMs?: number): Promise<boolean> {
  const leased = await lease(deps.pool, accountId, id);
  if (!leased) return false;
  const person = JSON.parse(leased.person) as Person;
  const own = { deps, config: deps.config, accountId, erasureId: id, settleMs: waitMs };
  const running: Running = { ...own, person, traces: tracesOf(person) };
  let position = (leased.position ? JSON.parse(leased.position) : { step: 0 }) as Position;
  for (let step = steps[position.step]; step; step = steps[position.step]) {
    const { changed, place, waits } = await step.run(running, position.place);
    if (waits) {
      await release(deps.pool, accountId, id);
      return false;
    }
    position = place === undefined ? { step: position.step + 1 } : { step: position.step, place };
    await advance(deps.pool, accountId, id, position, { [step.name]: changed });
  }
  await finish(deps, accountId, id);
  return true;
}

async function lease(pool: Pool, accountId: string, id: string): Promise<OpenErasure | undefined> {
  const { rows } = await pool.query<OpenErasure>(sql`
    update erasures set leased_until = statement_timestamp() + ${leaseSeconds} * interval '1 second'
    where account_id = ${accountId} and id = ${id} and finished_at is null
      and (leased_until is null or leased_until < statement_timestamp())
    returning account_id, id, person, position`);
  return rows[0];
}

async function release(pool: Pool, accountId: string, id: string): Promise<void> {
  await pool.query(sql`update erasures set leased_until = null where account_id = ${accountId} and id = ${id}`);
}

/** A crash before this repeats a piece, which finds nothing more to change. */
async function advance(
  pool: Pool,
  accountId: string,
  id: string,
  position: Position,
  changed: Record<string, number>,
): Promise<void> {
  const [name = "", count = 0] = Object.entries(changed)[0] ?? [];
  await pool.query(sql`
    update erasures set position = ${JSON.stringify(position)},
      leased_until = statement_timestamp() + ${leaseSeconds} * interval '1 second',
      counts = (counts::jsonb || jsonb_build_object(${name}::text, coalesce((counts->>${name}::text)::int, 0) + ${count}::int))::json
    where account_id = ${accountId} and id = ${id}`);
}

/** Nothing says any more who it was. */
async function finish({ pool, clock }: ErasingDeps, accountId: string, id: string): Promise<void> {
  const now = clock.now();
  await transaction(pool, async (client) => {
    await lockAccount(client, accountId);
    const { rows } = await client.query<{ counts: string }>(sql`
      update erasures set person = null, position = null, leased_until = null, finished_at = ${now}
      where account_id = ${accountId} and id = ${id} and finished_at is null returning counts`);
    if (!rows[0]) return;
    const details = { erasure_id: id, changed: JSON.parse(rows[0].counts) as Record<string, number> };
    await recordAudit(client, { accountId, at: now, action: "person.erased", details, actor: theService });
  });
}
