import type { Pool } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import type { Clock } from "../../lib/clock.ts";
import { uuidv7 } from "../../lib/ids.ts";
import type { Sede } from "./sedes.ts";

export interface Register {
  id: string;
  name: string;
  sede: Sede;
}

/** Two in the first sede, and one in the second. */
const names = [
  ["Caja 1", 0],
  ["Caja Rápida", 0],
  ["Caja Laureles", 1],
] as const;
const appVersion = "3.8.1";
const capabilities = ["product.remote_edit.1"];

/** The registers at which the demo's sales were rung up. They hold no token: nobody can synchronize as one of them. */
export async function addRegisters(
  deps: { pool: Pool; clock: Clock },
  accountId: string,
  sedes: readonly [Sede, Sede],
): Promise<Register[]> {
  const now = deps.clock.now();
  const registers = names.map(([name, i]) => ({ id: uuidv7(now), name, sede: sedes[i] }));
  for (const { id, name, sede } of registers) {
    await deps.pool.query(sql`
      insert into devices (id, account_id, name, app_version, capabilities, created_at, last_seen_at, location_id)
      values (${id}, ${accountId}, ${name}, ${appVersion}, ${capabilities}, ${now}, ${now},
        nullif(${sede.id}::uuid, ${accountId}::uuid))`);
    await deps.pool.query(sql`
      insert into device_progress (account_id, device_id, acked_seq, skew_ms) values (${accountId}, ${id}, 0, 0)`);
  }
  return registers;
}

/** As registers that have just synchronized. */
export async function showAsSeen({ pool, clock }: { pool: Pool; clock: Clock }, accountId: string): Promise<void> {
  await pool.query(sql`update devices set last_seen_at = ${clock.now()} where account_id = ${accountId}`);
}
