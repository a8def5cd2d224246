import type { Queryable } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";
import { ApiError } from "../../../lib/errors.ts";
import { remoteEdit } from "../attention.ts";

export interface Device {
  id: string;
  name: string;
  app_version: string | null;
  created_at: Date;
  last_seen_at: Date | null;
  revoked_at: Date | null;
  skew_ms: number | null;
  forked_at: Date | null;
  is_outdated: boolean;
  quarantined: number;
  conflicts: number;
  flagged: number;
}

export async function listDevices(db: Queryable, accountId: string): Promise<Device[]> {
  const { rows } = await db.query<Device>(sql`
    select d.id, d.name, d.app_version, d.created_at, d.last_seen_at, d.revoked_at, p.skew_ms, p.forked_at,
      not coalesce(${remoteEdit} = any(d.capabilities), false) as is_outdated,
      (select count(*) from quarantined_records q where q.account_id = d.account_id and q.device_id = d.id) as quarantined,
      (select count(*) from conflicts c where c.account_id = d.account_id and c.device_id = d.id) as conflicts,
      (select count(*) from flagged_records f where f.account_id = d.account_id and f.device_id = d.id) as flagged
    from devices d left join device_progress p on p.account_id = d.account_id and p.device_id = d.id
    where d.account_id = ${accountId} order by d.created_at, d.id`);
  return rows;
}

export async function requireDevice(db: Queryable, accountId: string, id: string): Promise<void> {
  const { rowCount } = await db.query(sql`select 1 from devices where account_id = ${accountId} and id = ${id}`);
  if (rowCount === 0) throw unknownDevice();
}

export function unknownDevice(): ApiError {
  return new ApiError("NOT_FOUND", { param: "id", message: "No existe esta caja en la cuenta." });
}
