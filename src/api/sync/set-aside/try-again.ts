import type { Queryable } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";
import { isUnavailable } from "../../../db/transaction.ts";
import type { Deps } from "../../../deps.ts";
import { writing } from "../../../engine/writing/writing.ts";
import { build } from "../../../lib/version.ts";
import type { RawRecord } from "../protocol.ts";
import { tellsActs } from "../push/capabilities.ts";
import { valueFault } from "../push/faults.ts";
import { type Aside, isAside, refused, waiting } from "../push/outcome.ts";
import { readsOf } from "../push/push-reads.ts";
import { type ReadResult, readRecord } from "../push/read-record.ts";
import { contentText } from "../push/receipts.ts";
import { applyAll } from "../push/store-records.ts";
import { openWorkingSet } from "../push/working-set.ts";
import type { Tried } from "./tried.ts";

/** One record that was set aside. */
export interface SetAside {
  account_id: string;
  device_id: string;
  device_seq: number;
  received_at: Date;
  raw: string;
}

/**
 * Tries records again, each in a transaction of its own that also takes it off the list: it is stored once however many try.
 * Their registers were told long ago that they arrived, and may have been withdrawn since.
 */
export async function tryAgain(deps: Deps, records: readonly SetAside[]): Promise<Tried> {
  const tried: Tried = { stored: 0, refused: 0, waiting: 0 };
  for (const record of records) {
    const left = await tryOne(deps, record);
    if (left === "gone") continue;
    if (left !== "stored") await noteTry(deps, record, left);
    tried[left === "stored" ? "stored" : left.state] += 1;
  }
  return tried;
}

/** What became of it: why it is still set aside, or that somebody else has stored it. */
async function tryOne(deps: Deps, row: SetAside): Promise<Aside | "stored" | "gone"> {
  try {
    const read = readAgain(row);
    if (!read.readable) return read.aside;
    const device = { deviceId: row.device_id, capabilities: await readCapabilities(deps.pool, row.device_id) };
    return await store(deps, device, row, read);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    const reason = valueFault(error);
    deps.log.error(
      { err: error, device_id: row.device_id, device_seq: row.device_seq },
      "a record that was set aside cannot be stored yet",
    );
    return reason === undefined ? waiting() : refused("VALUE_REFUSED", reason);
  }
}

function readAgain({ raw }: SetAside): ReadResult {
  let record: RawRecord;
  try {
    record = JSON.parse(raw) as RawRecord;
  } catch {
    return {
      readable: undefined,
      aside: refused("UNREADABLE", "se guardó cortado por su tamaño: la caja lo tiene entero"),
    };
  }
  return readRecord(record, contentText(record), true);
}

async function readCapabilities(pool: Queryable, deviceId: string): Promise<string[] | null> {
  const { rows } = await pool.query<{ capabilities: string[] | null }>(
    sql`select capabilities from devices where id = ${deviceId}`,
  );
  return rows[0]?.capabilities ?? null;
}

function store(
  deps: Deps,
  device: { deviceId: string; capabilities: string[] | null },
  { account_id, device_id, device_seq, received_at }: SetAside,
  read: Extract<ReadResult, { readable: object }>,
): Promise<Aside | "stored" | "gone"> {
  return writing(deps, account_id, async (write) => {
    const { rowCount } = await write.client.query(sql`
      select from quarantined_records
      where account_id = ${account_id} and device_id = ${device_id} and device_seq = ${device_seq}`);
    if (rowCount === 0) {
      write.discard();
      return "gone";
    }
    // An edit without a time of its own was made before it arrived, not now: it must not overwrite what was edited since.
    const { editedAt } = read.readable;
    const readable = { ...read.readable, editedAt: editedAt ?? received_at.toISOString() };
    const about = { accountId: account_id, deviceId: device_id, secretKey: deps.config.secretKey };
    const reads = readsOf({ ...about, tellsActs: tellsActs(device) }, [readable]);
    const batch = await openWorkingSet(write, device, [readable], reads);
    batch.skewMs = editedAt === null ? 0 : (batch.progress.skew_ms ?? 0);
    const [outcome] = await applyAll(deps, device, batch, [{ readable }]);
    if (outcome && isAside(outcome)) {
      write.discard();
      return outcome;
    }
    write.addStatement(sql`
      delete from quarantined_records
      where account_id = ${account_id} and device_id = ${device_id} and device_seq = ${device_seq}`);
    return "stored";
  });
}

async function noteTry({ pool, clock }: Deps, { account_id, device_id, device_seq }: SetAside, aside: Aside) {
  await pool.query(sql`
    update quarantined_records set state = ${aside.state}, reason = ${aside.reason.slice(0, 200)}, tries = tries + 1,
      tried_at = ${clock.now()}, tried_by = ${build}
    where account_id = ${account_id} and device_id = ${device_id} and device_seq = ${device_seq}`);
}
