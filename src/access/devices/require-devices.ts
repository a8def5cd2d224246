import { sql } from "../../db/sql.ts";
import type { Write } from "../../engine/writing/write.ts";
import { ApiError } from "../../lib/errors.ts";

/** Refuses a change that some register does not support. The caller holds the account lock, as enrolment does. */
export async function requireDevices(write: Write, capability: string): Promise<void> {
  const { rows } = await write.client.query<{
    id: string;
    name: string;
    app_version: string | null;
    last_seen_at: Date | null;
  }>(sql`
    select id, name, app_version, last_seen_at from devices
    where account_id = ${write.accountId} and revoked_at is null and not coalesce(${capability} = any(capabilities), false)
    order by name, id`);
  if (rows.length === 0) return;
  const devices = rows.map((row) => ({ ...row, last_seen_at: row.last_seen_at?.toISOString() ?? null }));
  throw new ApiError("DEVICES_OUTDATED", { extra: { devices } });
}
