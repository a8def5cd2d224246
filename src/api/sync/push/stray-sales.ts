import { sql } from "../../../db/sql.ts";
import type { Write } from "../../../engine/writing/write.ts";
import { findStraySales } from "./shift-owners.ts";

/** Sales of other registers that named a new shift of this one, and which of those registers, or the `owners`, are retired. */
export async function findStray(
  write: Write,
  deviceId: string,
  newShifts: readonly string[],
  owners: readonly (string | null)[],
) {
  const named = await findStraySales(write, deviceId, newShifts);
  const all = [...owners, ...named.map(({ device_id }) => device_id)];
  const retiredDevices = await findRetiredDevices(write, deviceId, all);
  // A register that had to enrol again goes on with the shift of its former self.
  return { stray: named.filter(({ device_id }) => !retiredDevices.has(device_id)), retiredDevices };
}

async function findRetiredDevices(
  write: Write,
  deviceId: string,
  owners: (string | null)[],
): Promise<ReadonlySet<string>> {
  const others = [...new Set(owners)].filter((owner) => owner !== null && owner !== deviceId);
  if (others.length === 0) return new Set();
  const { rows } = await write.client.query<{ device_id: string }>(sql`
    select p.device_id from device_progress p join devices d on d.id = p.device_id
    where p.account_id = ${write.accountId} and p.device_id = any(${others}::uuid[])
      and (d.revoked_at is not null or p.forked_at is not null)`);
  return new Set(rows.map((row) => row.device_id));
}
