import { plainArray } from "../../db/arrays.ts";
import { forgetRows } from "../../db/forget-rows.ts";
import type { Pool, Queryable } from "../../db/pool.ts";
import { oneRow, type Read, reading, withoutReading } from "../../db/read.ts";
import type { Reads } from "../../db/shared-reads.ts";
import { prepared, type Statement, sql } from "../../db/sql.ts";
import { day } from "../../lib/clock.ts";
import type { Position } from "../../lib/cursor.ts";
import { usualRetention } from "../../lib/retention.ts";
import type { ActKind } from "./act-kinds.ts";

/** What happened at a counter and is no sale, as its register told it. */
export interface NewAct {
  id: string;
  kind: ActKind;
  occurred_at: string;
  cashier_id: string | null;
  authorized_by: string | null;
  shift_id: string | null;
  sale_id: string | null;
  label: string | null;
  amount: number | null;
  detail: string | null;
  is_allowed: boolean;
  /** By what it is known again, where its id says nothing about that. */
  cause: string | null;
}

/** An act as the owner sees it. */
export interface CounterAct
  extends Pick<NewAct, "id" | "kind" | "sale_id" | "label" | "amount" | "detail" | "is_allowed"> {
  occurred_at: Date;
  device_id: string;
  register: string | null;
  /** The names; null for a business without cashiers. */
  cashier: string | null;
  authorized_by: string | null;
}

/**
 * The same act is stored once, however often it is uploaded or found. What was found before acts had causes has its cause as its id; an
 * uploaded act of that id hides nothing unless it says the same.
 */
export function insertActs(accountId: string, deviceId: string, at: Date, acts: readonly NewAct[]): Statement {
  return prepared(
    `insert into counter_acts (account_id, device_id, received_at, id, kind, occurred_at, cashier_id, authorized_by, shift_id, sale_id,
       label, amount, detail, is_allowed, cause)
     select $1::uuid, $2::uuid, $3::timestamptz, r.* from json_to_recordset($4::json) as r(id uuid, kind text, occurred_at timestamptz,
       cashier_id uuid, authorized_by uuid, shift_id uuid, sale_id uuid, label text, amount bigint, detail text, is_allowed boolean,
       cause uuid)
     where not exists (select from counter_acts a where a.account_id = $1::uuid and a.id = r.cause and not a.is_allowed and a.kind = r.kind
       and a.cashier_id is not distinct from r.cashier_id and a.sale_id is not distinct from r.sale_id)
     on conflict do nothing`,
    [accountId, deviceId, at, JSON.stringify(acts)],
  );
}

/** Those of these ids that are stored. */
export function storedActs(accountId: string, ids: readonly string[]): Read<Map<string, NewAct>> {
  if (ids.length === 0) return withoutReading(() => new Map());
  const statement = sql`
    select id, kind, occurred_at, cashier_id, authorized_by, shift_id, sale_id, label, amount, detail, is_allowed, cause
    from counter_acts where account_id = ${accountId} and id = any(${plainArray(ids)}::uuid[])`;
  return reading(
    statement,
    (rows: (Omit<NewAct, "occurred_at"> & { occurred_at: Date })[]) =>
      new Map(rows.map((row) => [row.id, { ...row, occurred_at: row.occurred_at.toISOString() }])),
  );
}

interface Wanted {
  kind?: ActKind;
  only?: "unauthorized";
  since?: string;
  until?: string;
  saleId?: string;
  /** Of the registers of these sedes; null for all. */
  location_ids?: readonly string[] | null;
}

/** Newest first. The names are looked up for the rows of the page only. */
export async function readActs(
  db: Queryable,
  accountId: string,
  { kind, only, since, until, saleId, location_ids = null }: Wanted,
  limit: number,
  after?: Position,
): Promise<CounterAct[]> {
  const values: unknown[] = [accountId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const conditions = ["account_id = $1"];
  if (kind !== undefined) conditions.push(`kind = ${bind(kind)}`);
  if (only !== undefined) conditions.push("not is_allowed");
  if (since !== undefined) conditions.push(`occurred_at >= ${bind(since)}::timestamptz`);
  if (until !== undefined) conditions.push(`occurred_at < ${bind(until)}::timestamptz`);
  if (saleId !== undefined) conditions.push(`sale_id = ${bind(saleId)}::uuid`);
  if (location_ids !== null)
    conditions.push(`device_id in (select id from devices
      where account_id = $1 and coalesce(location_id, account_id) = any(${bind(plainArray(location_ids))}::uuid[]))`);
  if (after) conditions.push(`(occurred_at, id) < (${bind(after.createdAt)}::timestamptz, ${bind(after.id)}::uuid)`);
  const { rows } = await db.query<CounterAct>({
    text: `select a.id, a.kind, a.sale_id, a.label, a.amount, a.detail, a.is_allowed, a.occurred_at, a.device_id, d.name as register,
        c.name as cashier, s.name as authorized_by
      from (select * from counter_acts where ${conditions.join(" and ")}
        order by occurred_at desc, id desc limit ${bind(limit)}) a
      left join devices d on d.account_id = $1 and d.id = a.device_id
      left join cashiers c on c.account_id = $1 and c.id = a.cashier_id
      left join cashiers s on s.account_id = $1 and s.id = a.authorized_by
      order by a.occurred_at desc, a.id desc`,
    values,
  });
  return rows;
}

/** For how long the owner is told of what nobody was allowed to do, and of PINs. */
const toldMs = 7 * day;

export interface ToldActs {
  unauthorized: number;
  wrongPins: number;
  sharedPins: number;
}

/** How many there are to tell, each counted up to a limit. */
export async function readToldActs(
  db: Reads,
  accountId: string,
  { now, limit }: { now: Date; limit: number },
): Promise<ToldActs> {
  const { rows } = await db.query<{ unauthorized: number; wrong_pins: number; shared_pins: number }>(sql`
    select count(*) filter (where not is_allowed) as unauthorized, count(*) filter (where is_allowed) as wrong_pins,
      (select count(*) from (select from counter_acts where account_id = ${accountId} and kind = 'pin_shared'
        and received_at > ${new Date(now.getTime() - toldMs)} limit ${limit}) shared) as shared_pins
    from (
      select is_allowed from counter_acts
      where account_id = ${accountId} and (not is_allowed or kind = 'wrong_pins') and received_at > ${new Date(now.getTime() - toldMs)}
      order by received_at desc limit ${limit}) told`);
  return {
    unauthorized: oneRow(rows).unauthorized,
    wrongPins: oneRow(rows).wrong_pins,
    sharedPins: oneRow(rows).shared_pins,
  };
}

/** Longer than a register keeps what it uploaded, and than a year's accounts take to be closed. */
export const keptDays = usualRetention.counter_acts;

/** Forgets what happened long ago. Returns how many. */
export function forgetActs(pool: Pool, now: Date, days = keptDays): Promise<number> {
  return forgetRows(pool, "counter_acts", "received_at", new Date(now.getTime() - days * day));
}
