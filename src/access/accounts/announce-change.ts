import type { Queryable } from "../../db/pool.ts";

/** The channel on which every process hears that a key, an account or the test clock changed. */
export const changesChannel = "mostrador_changes";

/** Such changes are rare, so the price of NOTIFY is no matter here; business writes never use it. */
export async function announceChange(db: Queryable, what: "access" | "clock" | "clock-applied"): Promise<void> {
  await db.query("select pg_notify($1, $2)", [changesChannel, what]);
}
