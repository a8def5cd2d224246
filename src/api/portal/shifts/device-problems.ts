import type { Queryable } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";
import type { Finding } from "../../../fiscal/findings/finding.ts";

/** The newest rows only: a register with more than these has one problem, not many. */
const maxRows = 100;
/** Enough of a record to recognize it. */
const maxShownLength = 20_000;

export interface QuarantinedRecord {
  device_seq: number;
  received_at: Date;
  type: string | null;
  record_id: string | null;
  reason: string;
  raw: string;
  state: "refused" | "waiting";
  tries: number;
  tried_at: Date | null;
}

export async function listQuarantined(db: Queryable, accountId: string, id: string): Promise<QuarantinedRecord[]> {
  const { rows } = await db.query<QuarantinedRecord>(sql`
    select device_seq, received_at, type, record_id, reason, left(raw, ${maxShownLength}) as raw, state, tries, tried_at from quarantined_records
    where account_id = ${accountId} and device_id = ${id}
    order by device_seq desc limit ${maxRows}`);
  return rows;
}

export interface Conflict {
  id: string;
  found_at: Date;
  device_seq: number;
  type: string;
  record_id: string;
  field: string;
  kept: unknown;
  lost: unknown;
}

export async function listConflicts(db: Queryable, accountId: string, id: string): Promise<Conflict[]> {
  const { rows } = await db.query<Conflict & { kept: string | null; lost: string | null }>(sql`
    select id, found_at, device_seq, type, record_id, field,
      left(kept::text, ${maxShownLength + 1}) as kept, left(lost::text, ${maxShownLength + 1}) as lost from conflicts
    where account_id = ${accountId} and device_id = ${id}
    order by found_at desc, id desc limit ${maxRows}`);
  return rows.map((row) => ({ ...row, kept: shown(row.kept), lost: shown(row.lost) }));
}

export interface FlaggedRecord {
  device_seq: number;
  found_at: Date;
  type: string;
  record_id: string;
  findings: Finding[];
}

export async function listFlagged(db: Queryable, accountId: string, id: string): Promise<FlaggedRecord[]> {
  const { rows } = await db.query<Omit<FlaggedRecord, "findings"> & { findings: string }>(sql`
    select device_seq, found_at, type, record_id, findings from flagged_records
    where account_id = ${accountId} and device_id = ${id}
    order by found_at desc, record_id limit ${maxRows}`);
  return rows.map((row) => ({ ...row, findings: JSON.parse(row.findings) as Finding[] }));
}

function shown(text: string | null): unknown {
  if (text === null) return null;
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : JSON.parse(text);
}
