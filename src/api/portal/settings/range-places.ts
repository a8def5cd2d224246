import type { Queryable } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";
import { type NumberingRange, servesAll } from "../../../fiscal/numbering/numbering.ts";

/** Whom a range serves, in words, and the registers of its warehouse. */
export interface ShownPlace {
  place_name: string | null;
  registers: string[];
}

export async function readRangePlaces(
  db: Queryable,
  accountId: string,
  ranges: readonly NumberingRange[],
): Promise<(range: NumberingRange) => ShownPlace> {
  if (ranges.every(servesAll)) return () => ({ place_name: null, registers: [] });
  const [names, places] = await Promise.all([
    db.query<{ id: string; name: string }>(sql`
      select id, name from devices where account_id = ${accountId}
      union all select id, body->>'name' from warehouses where account_id = ${accountId}
      union all select id, body->>'name' from locations where account_id = ${accountId}`),
    db.query<{ register_id: string; warehouse_id: string }>(sql`
      select register_id, warehouse_id from register_places where account_id = ${accountId}`),
  ]);
  const nameOf = new Map(names.rows.map(({ id, name }) => [id, name]));
  return ({ registerId, warehouseId, locationId }) => ({
    place_name: nameOf.get(registerId ?? warehouseId ?? locationId ?? "") ?? null,
    registers: places.rows.filter((row) => row.warehouse_id === warehouseId).map((row) => row.register_id),
  });
}
