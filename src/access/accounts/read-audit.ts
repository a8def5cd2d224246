import type { Queryable } from "../../db/pool.ts";
import type { AuditAction } from "./audit-actions.ts";
import { type ChainedEntry, chainColumns } from "./audit-chain.ts";
import { type AuditedRecord, recordOf } from "./audit-record.ts";
import type { Actor } from "./record-audit.ts";

/** An entry as people and programs read it. */
export interface AuditEntry {
  id: string;
  /** Its number in the account's chain; null until an entry of before is taken in. */
  sequence: number | null;
  created_at: Date;
  action: AuditAction;
  actor: Actor["kind"];
  person_id: string | null;
  person_name: string | null;
  role: string | null;
  session_id: string | null;
  remote_address: string | null;
  /** What it is about, if that is a record. */
  record: AuditedRecord | null;
  details: Record<string, unknown>;
  previous_hash: string | null;
  hash: string | null;
}

export interface AuditFilters {
  actor?: Actor["kind"] | undefined;
  action?: string | undefined;
  /** A part of the person's name, or the beginning of the address. */
  q?: string | undefined;
  created_since?: string | undefined;
  created_until?: string | undefined;
}

export interface AuditPage {
  accountId: string;
  filters: AuditFilters;
  /** `newest` by the time at which it was done; the others by number, in which entries are committed. */
  order: "newest" | "desc" | "asc";
  limit: number;
  after?: { createdAt: Date; id: string } | undefined;
}

export async function readAudit(db: Queryable, page: AuditPage): Promise<AuditEntry[]> {
  const values: unknown[] = [page.accountId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const conditions = ["account_id = $1", ...filtered(page.filters, bind), ...following(page, bind)];
  const orders = { newest: "created_at desc, id desc", desc: "seq desc", asc: "seq" };
  const { rows } = await db.query<ChainedEntry & { seq: number | null }>({
    text: `select ${chainColumns} from audit_log where ${conditions.join(" and ")}
      order by ${orders[page.order]} limit ${bind(page.limit)}`,
    values,
  });
  return rows.map(entryOf);
}

function filtered(filters: AuditFilters, bind: (value: unknown) => string): string[] {
  const { actor, action, q, created_since, created_until } = filters;
  return [
    ...(actor === undefined ? [] : [`actor = ${bind(actor)}`]),
    ...(action === undefined ? [] : [`action = ${bind(action)}`]),
    ...(q === undefined
      ? []
      : [
          `(strpos(lower(person_name), lower(${bind(q.trim())})) > 0 or starts_with(remote_address, ${bind(q.trim())}))`,
        ]),
    ...(created_since === undefined ? [] : [`created_at >= ${bind(created_since)}::timestamptz`]),
    ...(created_until === undefined ? [] : [`created_at < ${bind(created_until)}::timestamptz`]),
  ];
}

/** An entry that was dropped for its age meanwhile was older than all that are left. */
function following({ order, after }: AuditPage, bind: (value: unknown) => string): string[] {
  if (order === "newest")
    return after ? [`(created_at, id) < (${bind(after.createdAt)}::timestamptz, ${bind(after.id)}::uuid)`] : [];
  if (!after) return ["seq is not null"];
  const last = `(select a.seq from audit_log a
    where a.account_id = $1 and a.created_at = ${bind(after.createdAt)}::timestamptz and a.id = ${bind(after.id)}::uuid)`;
  return [`seq ${order === "asc" ? ">" : "<"} coalesce(${last}, 0)`];
}

function entryOf(row: ChainedEntry & { seq: number | null }): AuditEntry {
  const { id, seq, created_at, action, actor, person_id, person_name, role, session_id, remote_address, times } = row;
  const { counted, ...said } = JSON.parse(row.details) as Record<string, unknown>;
  const details = times === null ? said : { ...said, times };
  return {
    id,
    sequence: seq,
    created_at,
    action: action as AuditAction,
    actor: actor as Actor["kind"],
    ...{ person_id, person_name, role, session_id, remote_address },
    record: recordOf(details),
    details,
    previous_hash: row.previous?.toString("hex") ?? null,
    hash: row.hash?.toString("hex") ?? null,
  };
}
