import type { Queryable } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";
import { ApiError } from "../../../lib/errors.ts";
import { remoteEdit } from "../home/attention.ts";

export interface Device {
  id: string;
  name: string;
  /** Its sede. */
  location_id: string;
  app_version: string | null;
  created_at: Date;
  last_seen_at: Date | null;
  revoked_at: Date | null;
  skew_ms: number | null;
  forked_at: Date | null;
  is_outdated: boolean;
  quarantined: number;
  /** Of those, the ones that wait for a fault of ours to be mended. */
  waiting: number;
  conflicts: number;
  flagged: number;
}

export async function listDevices(db: Queryable, accountId: string): Promise<Device[]> {
  const { rows: devices } = await db.query<Omit<Device, keyof Progress>>(sql`
    select id, name, coalesce(location_id, account_id) as location_id, app_version, created_at, last_seen_at, revoked_at,
      not coalesce(${remoteEdit} = any(capabilities), false) as is_outdated
    from devices where account_id = ${accountId} order by created_at, id`);
  const { rows: progress } = await db.query<Progress & { device_id: string }>(sql`
    select p.device_id, p.skew_ms, p.forked_at,
      (select count(*) from quarantined_records q where q.account_id = ${accountId} and q.device_id = p.device_id) as quarantined,
      (select count(*) from quarantined_records q
        where q.account_id = ${accountId} and q.device_id = p.device_id and q.state = 'waiting') as waiting,
      (select count(*) from conflicts c where c.account_id = ${accountId} and c.device_id = p.device_id) as conflicts,
      (select count(*) from flagged_records f where f.account_id = ${accountId} and f.device_id = p.device_id) as flagged
    from device_progress p where p.account_id = ${accountId}`);
  const byDevice = new Map(progress.map(({ device_id, ...one }) => [device_id, one]));
  return devices.map((device) => ({ ...device, ...(byDevice.get(device.id) ?? noProgress) }));
}

/** What is kept with the account's data, apart from the directory of devices. */
type Progress = Pick<Device, "skew_ms" | "forked_at" | "quarantined" | "waiting" | "conflicts" | "flagged">;

const noProgress: Progress = { skew_ms: null, forked_at: null, quarantined: 0, waiting: 0, conflicts: 0, flagged: 0 };

export async function requireDevice(db: Queryable, accountId: string, id: string): Promise<void> {
  const { rowCount } = await db.query(sql`select 1 from devices where account_id = ${accountId} and id = ${id}`);
  if (rowCount === 0) throw unknownDevice();
}

export function unknownDevice(): ApiError {
  return new ApiError("NOT_FOUND", { param: "id", message: "No existe esta caja en la cuenta." });
}
