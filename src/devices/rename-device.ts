import type { Pool } from "../db/pool.ts";
import { sql } from "../db/sql.ts";

/** A register's name is for people: nothing else hangs on it. */
export async function renameDevice(
  db: Pick<Pool, "query">,
  { accountId, deviceId, name }: { accountId: string; deviceId: string; name: string },
): Promise<boolean> {
  const { rowCount } = await db.query(
    sql`update devices set name = ${name} where account_id = ${accountId} and id = ${deviceId}`,
  );
  return rowCount === 1;
}
