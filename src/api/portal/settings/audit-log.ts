import type { AuditAction } from "../../../access/accounts/audit-actions.ts";
import type { Actor } from "../../../access/accounts/record-audit.ts";
import type { Queryable } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";
import type { Position } from "../../../lib/cursor.ts";

export interface AuditEntry {
  id: string;
  created_at: Date;
  action: AuditAction;
  details: Record<string, unknown>;
  actor: Actor["kind"];
  session_id: string | null;
  remote_address: string | null;
}

export async function readAuditLog(
  db: Queryable,
  accountId: string,
  limit: number,
  after: Position | undefined,
): Promise<AuditEntry[]> {
  const { rows } = await db.query<Omit<AuditEntry, "details"> & { details: string }>(sql`
    select id, created_at, action, details, actor, session_id, remote_address from audit_log
    where account_id = ${accountId}
      and (${after?.createdAt ?? null}::timestamptz is null or (created_at, id) < (${after?.createdAt ?? null}, ${after?.id ?? null}::uuid))
    order by created_at desc, id desc limit ${limit}`);
  return rows.map((row) => ({ ...row, details: JSON.parse(row.details) as AuditEntry["details"] }));
}
