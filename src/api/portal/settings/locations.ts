import type { Location } from "../../../business/locations/schema.ts";
import type { Queryable } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";

/** A sede with what belongs to it. */
export interface ShownLocation extends Location {
  registers: number;
}

/** The first one first, then those that are open, in the order of their birth. */
export async function readLocations(pool: Queryable, accountId: string): Promise<ShownLocation[]> {
  const [{ rows }, registers] = await Promise.all([
    pool.query<{ body: string }>(sql`
      select body from locations where account_id = ${accountId} order by id <> account_id, active desc, created_at, id`),
    pool.query<{ id: string; count: number }>(sql`
      select coalesce(location_id, account_id) as id, count(*)::int as count from devices
      where account_id = ${accountId} and revoked_at is null group by 1`),
  ]);
  const counts = new Map(registers.rows.map(({ id, count }) => [id, count]));
  return rows.map(({ body }) => {
    const location = JSON.parse(body) as Location;
    return { ...location, registers: counts.get(location.id) ?? 0 };
  });
}
