import { lockAccount } from "../../access/accounts/account-lock.ts";
import { announceChange } from "../../access/accounts/announce-change.ts";
import { recordAudit, theService } from "../../access/accounts/record-audit.ts";
import { freeName, laterOfOneName, type NamedRegister, registersInUse } from "../../access/devices/device-names.ts";
import type { CashSession } from "../../business/cash-sessions/schema.ts";
import { resources } from "../../business/registry.ts";
import type { Client } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";
import { sql } from "../../db/sql.ts";
import { putRecords, putRow } from "../../engine/resources/put-records.ts";
import type { Resource } from "../../engine/resources/resource.ts";
import { must } from "../../lib/must.ts";
import type { Batch } from "./batch.ts";

const shifts: Resource = must(
  resources.find(({ name }) => name === "cash_session"),
  "Shifts are a resource",
);

const nil = "00000000-0000-0000-0000-000000000000";

interface Position {
  account: string;
}

/**
 * Tells registers apart that were given one name before names were unique: the oldest keeps it, the others get a number, and their
 * shifts say so. One business at a time.
 */
export async function tellRegistersApart(client: Client, from: unknown): Promise<Batch | undefined> {
  const after = (from as Position | null)?.account ?? nil;
  const { rows } = await client.query<{ account_id: string }>(sql`
    select account_id from devices where revoked_at is null and account_id > ${after}
    group by account_id, lower(regexp_replace(btrim(normalize(name)), '\\s+', ' ', 'g')) having count(*) > 1
    order by account_id limit 1`);
  const account = rows[0]?.account_id;
  if (!account) return undefined;
  await lockAccount(client, account);
  const later = laterOfOneName(await registersInUse(client, account));
  for (const register of later) await rename(client, account, register);
  if (later.length > 0) await announceChange(client, "access");
  return { seen: later.length, changed: later.length, position: { account } satisfies Position };
}

async function rename(client: Client, account: string, register: NamedRegister): Promise<void> {
  const name = await freeName(client, account, register.name);
  await client.query(sql`update devices set name = ${name} where account_id = ${account} and id = ${register.id}`);
  const { rows: kept } = await client.query<{ body: string }>(sql`
    select body from cash_sessions
    where account_id = ${account} and device_id = ${register.id} and body->>'register_name' = ${register.name} order by created_at, id`);
  const { rows: clocks } = await client.query<{ seq: number; ts: Date }>(sql`
    update account_clock set seq = seq + 1, ts = ts + ${Math.max(1, kept.length)}::int * interval '1 millisecond'
    where account_id = ${account} returning seq, ts`);
  const { seq, ts } = oneRow(clocks);
  const details = { device_id: register.id, name };
  await recordAudit(client, { accountId: account, at: ts, action: "device.renamed", details, actor: theService });
  if (kept.length === 0) return;
  const renamed = kept.map(({ body }, i) => {
    const before = JSON.parse(body) as CashSession;
    const updated_at = new Date(ts.getTime() - (kept.length - 1 - i)).toISOString();
    return { body: { ...before, register_name: name, updated_at, version: (before.version ?? 0) + 1 } };
  });
  const rows = renamed.map((record) => putRow(shifts, account, { seq, isNew: false }, record));
  await client.query(putRecords(shifts, rows));
}
