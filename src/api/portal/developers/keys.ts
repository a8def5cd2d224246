import type { Queryable } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";
import type { Scope } from "../../../engine/resources/scopes.ts";
import { ApiError } from "../../../lib/errors.ts";

export interface ApiKey {
  id: string;
  name: string;
  last_four: string;
  scopes: Scope[];
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  replaced_by: string | null;
  last_used_at: Date | null;
  last_used_from: string | null;
  /** As CIDR; null: from anywhere. */
  allowed_addresses: string[] | null;
}

export async function listKeys(db: Queryable, accountId: string): Promise<ApiKey[]> {
  const { rows } = await db.query<ApiKey>(sql`
    select id, name, last_four, scopes, created_at, expires_at, revoked_at, replaced_by, last_used_at, last_used_from,
      allowed_addresses from api_keys
    where account_id = ${accountId} order by created_at, id`);
  return rows;
}

export async function requireKey(db: Queryable, accountId: string, id: string): Promise<void> {
  const { rowCount } = await db.query(sql`select 1 from api_keys where account_id = ${accountId} and id = ${id}`);
  if (rowCount === 0) throw new ApiError("NOT_FOUND", { param: "id", message: "No existe esta clave en la cuenta." });
}
