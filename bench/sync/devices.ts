import { prepared } from "../../src/db/sql.ts";
import { uuidv7 } from "../../src/lib/ids.ts";
import { hashToken, newToken } from "../../src/lib/token.ts";
import type { Bench } from "../support/dataset.ts";

export interface BenchDevice {
  accountId: string;
  deviceId: string;
  token: string;
}

/** Creates accounts with registers in bulk: enrolling two thousand by code would take longer than the measurement. */
export async function makeDevices(bench: Bench, accounts: number, perAccount: number): Promise<BenchDevice[]> {
  const now = bench.clock.now();
  const ids = Array.from({ length: accounts }, () => uuidv7(now));
  await bench.pool.query(
    prepared(
      `with made as (
         insert into accounts (id, name, email, password_hash, plan, created_at, updated_at)
         select id, 'Tienda', id || '@example.com', 'none', 'pro', $2, $2 from unnest($1::uuid[]) as id)
       insert into account_clock (account_id, ts, records_events) select id, $2, true from unnest($1::uuid[]) as id`,
      [ids, now],
    ),
  );
  const devices = ids.flatMap((accountId) =>
    Array.from({ length: perAccount }, () => ({ accountId, deviceId: uuidv7(now), token: newToken("mstdev_") })),
  );
  await bench.pool.query(
    prepared(
      `with made as (
         insert into devices (id, account_id, name, token_hash, app_version, capabilities, created_at)
         select id, account, 'Caja', hash, '4.0.0', '{product.remote_edit.1}', $4
         from unnest($1::uuid[], $2::uuid[], $3::bytea[]) as d(id, account, hash))
       insert into device_progress (account_id, device_id)
       select account, id from unnest($1::uuid[], $2::uuid[]) as d(id, account)`,
      [
        devices.map(({ deviceId }) => deviceId),
        devices.map(({ accountId }) => accountId),
        devices.map(({ token }) => hashToken(token)),
        now,
      ],
    ),
  );
  return devices;
}
