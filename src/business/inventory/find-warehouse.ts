import { sql } from "../../db/sql.ts";
import type { Write } from "../../engine/writing/write.ts";
import { ApiError, referenceNotFound } from "../../lib/errors.ts";
import { warehouses } from "./resource.ts";

/** The warehouse a body names, or the account's active default one. */
export async function findWarehouse(write: Write, id: string | undefined): Promise<string> {
  if (id !== undefined) {
    const named = await write.load(warehouses, id);
    if (!named) throw referenceNotFound("warehouse_id", "una bodega");
    return named.body.id;
  }
  const { rows } = await write.client.query<{ id: string }>(sql`
    select id from warehouses
    where account_id = ${write.accountId} and is_default and active and deleted_at is null
    order by created_at, id limit 1`);
  if (!rows[0]) throw new ApiError("NO_WAREHOUSE", { param: "warehouse_id" });
  return rows[0].id;
}
