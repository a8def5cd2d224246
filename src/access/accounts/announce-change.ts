import type { Queryable } from "../../db/pool.ts";

/** The NOTIFY channel for changes of keys, accounts and the test clock; every process listens to it. */
export const changesChannel = "mostrador_changes";

/** NOTIFY is expensive, but such changes are rare; business writes never use it. */
export async function announceChange(db: Queryable, what: "access" | "clock" | "clock-applied"): Promise<void> {
  await db.query("select pg_notify($1, $2)", [changesChannel, what]);
}
