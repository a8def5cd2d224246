import type { DeviceAccess } from "../../../access/devices/device-access.ts";
import { sql } from "../../../db/sql.ts";
import type { Deps } from "../../../deps.ts";
import { isSame } from "../../../engine/resources/revisions.ts";
import { ApiError } from "../../../lib/errors.ts";
import { limitDepth } from "../../../lib/json.ts";
import { must } from "../../../lib/must.ts";
import { unavailable } from "../../http/error-handler.ts";
import type { PushBody, PushResult } from "../protocol.ts";
import { readFeedState } from "../pull/read-feed.ts";
import { checkDrawers } from "./check-drawers.ts";
import { concernsWholePush } from "./faults.ts";
import { type Store, storeOneByOne } from "./one-by-one.ts";
import { type StoreResult, storeRecords } from "./store-records.ts";

export interface PushResponse {
  server_time: string;
  epoch: string;
  acked_seq: number;
  results: PushResult[];
}

/** When a register may try again what failed by a fault of ours. */
const retryAfterSeconds = 5;

/** A register's parsed upload. */
export interface Upload {
  body: PushBody;
  /** The request's text has `\u` escapes, which may encode NUL or half a surrogate pair. */
  mayHoldUnstorable: boolean;
  requestId: string;
}

/**
 * Stores a register's upload in one transaction. If that fails for a reason that does not concern the whole push, the records
 * are stored one by one. Whatever fails without being the request's fault is answered 503: the register keeps its records.
 */
export async function push(
  deps: Deps,
  device: DeviceAccess,
  upload: Upload,
  { isHandedIn = false } = {},
): Promise<PushResponse> {
  const records = upload.body.records
    .toSorted((a, b) => a.device_seq - b.device_seq)
    .filter((record, i, all) => record.device_seq !== all[i - 1]?.device_seq || !isRepeated(record, all[i - 1]));
  const skewMs = measuredSkew(deps, upload.body.sent_at);
  const { mayHoldUnstorable, requestId } = upload;
  const store: Store = (some, aside) =>
    storeRecords(deps, device, { records: some, skewMs, mayHoldUnstorable, aside, requestId });
  const stored = await storeAll(deps, device, records, store).catch(async (error: unknown) => {
    if (!(error instanceof ApiError)) throw unavailable(retryAfterSeconds, error);
    // A file that does not fit says nothing about the register it names.
    throw isHandedIn ? error : await markIfForked(deps, device, error);
  });
  await checkDrawers(deps, device, records).catch((error: unknown) =>
    deps.log.error({ err: error, device_id: device.deviceId }, "the drawers of closed shifts could not be compared"),
  );
  const { ackedSeq, epoch } = must(stored.at(-1), "A push has at least one part");
  const resultOf = new Map(stored.flatMap(({ results }) => results.map((result) => [result.device_seq, result])));
  return {
    server_time: deps.clock.now().toISOString(),
    epoch,
    acked_seq: ackedSeq,
    results: upload.body.records.map(({ device_seq }) =>
      must(resultOf.get(device_seq), "Every record of a push has its result"),
    ),
  };
}

function isRepeated(record: unknown, before: unknown): boolean {
  return isSame(limitDepth(record), limitDepth(before));
}

async function emptyPush(deps: Deps, { accountId, deviceId }: DeviceAccess): Promise<StoreResult> {
  const { epoch, ackedSeq } = await readFeedState(deps.pool, accountId, deviceId);
  return { results: [], ackedSeq, epoch };
}

async function storeAll(
  deps: Deps,
  device: DeviceAccess,
  records: PushBody["records"],
  store: Store,
): Promise<StoreResult[]> {
  if (records.length === 0) return [await emptyPush(deps, device)];
  try {
    return [await store(records)];
  } catch (error) {
    if (concernsWholePush(error)) throw error;
    deps.log.error({ err: error, device_id: device.deviceId }, "a push failed; trying its records one by one");
    return storeOneByOne(deps, device, records, store);
  }
}

/** A forked device must enrol again; marking it lets its successor take over its records. */
async function markIfForked(deps: Deps, device: DeviceAccess, error: ApiError): Promise<ApiError> {
  if (error.code === "DEVICE_FORKED") {
    await deps.pool.query(sql`
      update device_progress set forked_at = coalesce(forked_at, ${deps.clock.now()})
      where account_id = ${device.accountId} and device_id = ${device.deviceId}`);
  }
  return error;
}

function measuredSkew(deps: Deps, sentAt: string | undefined): number | undefined {
  return sentAt === undefined ? undefined : deps.clock.now().getTime() - Date.parse(sentAt);
}
