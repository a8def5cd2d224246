import type { DeviceAccess } from "../../../access/devices/device-access.ts";
import { sql } from "../../../db/sql.ts";
import type { Deps } from "../../../deps.ts";
import { minute } from "../../../lib/clock.ts";
import { limitDepth } from "../../../lib/json.ts";
import type { RawRecord } from "../protocol.ts";
import { concernsWholePush, valueFault } from "./faults.ts";
import { type Aside, refused, waiting } from "./outcome.ts";
import type { StoreResult } from "./store-records.ts";

/** Stores consecutive records; those in `aside`, by sequence number, are set aside instead. */
export type Store = (records: readonly RawRecord[], aside?: ReadonlyMap<number, Aside>) => Promise<StoreResult>;

/** A record that fails by a fault of ours is passed by only after this many pushes… */
const minTries = 3;
/** …and this long, if a later record of the same type can be stored; longer, if only one of another type can. */
const patienceMs = { sameType: minute, otherType: 10 * minute };
/** How many of the records behind it are tried. */
const maxNeighbours = 20;

/**
 * Stores the records of a push that failed as a whole, each in a transaction of its own. One whose content is to blame is set
 * aside at once. For a fault of ours the push fails and the register keeps the rest, unless this record alone goes on
 * failing.
 */
export async function storeOneByOne(
  deps: Deps,
  device: DeviceAccess,
  records: readonly RawRecord[],
  store: Store,
): Promise<StoreResult[]> {
  const stored: StoreResult[] = [];
  for (let i = 0; i < records.length; ) {
    const record = records[i]!;
    try {
      stored.push(await store([record]));
      i += 1;
    } catch (error) {
      if (concernsWholePush(error)) throw error;
      const reason = valueFault(error);
      if (reason !== undefined) {
        deps.log.warn({ err: error, ...named(device, record) }, "a record was set aside: its content cannot be stored");
        stored.push(await store([limitDepth(record)], asideMap([record], refused("VALUE_REFUSED", reason))));
        i += 1;
        continue;
      }
      deps.log.error({ err: error, ...named(device, record) }, "a record cannot be stored by a fault of the service");
      const passed = await passBy(deps, device, records.slice(i), store);
      if (!passed) throw error;
      stored.push(passed.result);
      i += passed.count;
    }
  }
  return stored;
}

/**
 * Sets the first record aside as waiting, in the transaction that stores one behind it: that one proves that the fault
 * concerns the first alone. Records in between that fail as well go with it. A general fault therefore sets nothing aside.
 */
async function passBy(
  deps: Deps,
  device: DeviceAccess,
  records: readonly RawRecord[],
  store: Store,
): Promise<{ result: StoreResult; count: number } | undefined> {
  const { tries, stuckMs } = await noteStuck(deps, device);
  if (tries < minTries) return undefined;
  for (const [i, neighbour] of records.slice(0, maxNeighbours + 1).entries()) {
    const isSameType = typeOf(neighbour) === typeOf(records[0]!);
    if (i === 0 || stuckMs < (isSameType ? patienceMs.sameType : patienceMs.otherType)) continue;
    const failing = records.slice(0, i).map((record) => limitDepth(record));
    try {
      const result = await store([...failing, neighbour], asideMap(failing, waiting()));
      deps.log.error({ ...named(device, records[0]!), records: i, tries }, "records set aside; they are tried again");
      return { result, count: i + 1 };
    } catch (error) {
      if (concernsWholePush(error)) throw error;
    }
  }
  return undefined;
}

async function noteStuck(deps: Deps, { accountId, deviceId }: DeviceAccess) {
  const now = deps.clock.now();
  const { rows } = await deps.pool.query<{ tries: number; since: Date }>(sql`
    update device_progress set stuck_seq = acked_seq,
      stuck_tries = case when stuck_seq = acked_seq then stuck_tries + 1 else 1 end,
      stuck_since = case when stuck_seq = acked_seq then stuck_since else ${now} end
    where account_id = ${accountId} and device_id = ${deviceId}
    returning stuck_tries as tries, stuck_since as since`);
  const { tries = 0, since = now } = rows[0] ?? {};
  return { tries, stuckMs: now.getTime() - since.getTime() };
}

function asideMap(records: readonly RawRecord[], aside: Aside): ReadonlyMap<number, Aside> {
  return new Map(records.map(({ device_seq }) => [device_seq, aside]));
}

function typeOf(record: RawRecord): unknown {
  return (record as { type?: unknown }).type;
}

function named({ deviceId }: DeviceAccess, { device_seq }: RawRecord) {
  return { device_id: deviceId, device_seq };
}
