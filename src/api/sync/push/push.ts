import type { DeviceAccess } from "../../../access/devices/device-access.ts";
import { sql } from "../../../db/sql.ts";
import { isUnavailable } from "../../../db/transaction.ts";
import type { Deps } from "../../../deps.ts";
import { isSame } from "../../../engine/resources/revisions.ts";
import { ApiError } from "../../../lib/errors.ts";
import { limitDepth } from "../../../lib/json.ts";
import type { PushBody, PushResult } from "../protocol.ts";
import { readFeedState } from "../pull/read-feed.ts";
import { type StoreResult, storeRecords } from "./store-records.ts";

export interface PushResponse {
  server_time: string;
  epoch: string;
  acked_seq: number;
  results: PushResult[];
}

/** A register's parsed upload. */
export interface Upload {
  body: PushBody;
  /** The request's text has `\u` escapes, which may encode NUL or half a surrogate pair. */
  mayHoldUnstorable: boolean;
  requestId: string;
}

/**
 * Stores a register's upload in one transaction. If that fails unexpectedly, the records are stored one by one, and those
 * that still fail are quarantined, so that a bad record does not block the others.
 */
export async function push(deps: Deps, device: DeviceAccess, upload: Upload): Promise<PushResponse> {
  const records = upload.body.records
    .toSorted((a, b) => a.device_seq - b.device_seq)
    .filter((record, i, all) => record.device_seq !== all[i - 1]?.device_seq || !isRepeated(record, all[i - 1]));
  const skewMs = measuredSkew(deps, upload.body.sent_at);
  const { mayHoldUnstorable, requestId } = upload;
  const store = (some: PushBody["records"], quarantineReason?: string) =>
    storeRecords(deps, device, { records: some, skewMs, mayHoldUnstorable, quarantineReason, requestId });
  const stored: StoreResult[] = [];
  try {
    stored.push(records.length > 0 ? await store(records) : await emptyPush(deps, device));
  } catch (error) {
    if (isRequestError(error)) throw await markIfForked(deps, device, error);
    deps.log.error({ err: error, device_id: device.deviceId }, "a push failed; trying its records one by one");
    for (const record of records) {
      try {
        stored.push(await store([record]));
      } catch (failure) {
        if (isRequestError(failure)) throw await markIfForked(deps, device, failure);
        deps.log.error({ err: failure, device_id: device.deviceId, device_seq: record.device_seq }, "record set aside");
        stored.push(await store([limitDepth(record)], `no se pudo guardar: ${(failure as Error).message}`));
      }
    }
  }
  const { ackedSeq, epoch } = stored.at(-1)!;
  const resultOf = new Map(stored.flatMap(({ results }) => results.map((result) => [result.device_seq, result])));
  return {
    server_time: deps.clock.now().toISOString(),
    epoch,
    acked_seq: ackedSeq,
    results: upload.body.records.map(({ device_seq }) => resultOf.get(device_seq)!),
  };
}

function isRepeated(record: unknown, before: unknown): boolean {
  return isSame(limitDepth(record), limitDepth(before));
}

async function emptyPush(deps: Deps, { accountId, deviceId }: DeviceAccess): Promise<StoreResult> {
  const { epoch, ackedSeq } = await readFeedState(deps.pool, accountId, deviceId);
  return { results: [], ackedSeq, epoch };
}

/** Errors about the request or the database's state, not about a record. */
function isRequestError(error: unknown): boolean {
  const { code } = error as { code?: string };
  return error instanceof ApiError || isUnavailable(error) || code === "40001" || code === "40P01";
}

/** A forked device must enrol again; marking it lets its successor take over its records. */
async function markIfForked(deps: Deps, device: DeviceAccess, error: unknown): Promise<unknown> {
  if (error instanceof ApiError && error.code === "DEVICE_FORKED") {
    await deps.pool.query(sql`
      update device_progress set forked_at = coalesce(forked_at, ${deps.clock.now()})
      where account_id = ${device.accountId} and device_id = ${device.deviceId}`);
  }
  return error;
}

function measuredSkew(deps: Deps, sentAt: string | undefined): number | undefined {
  return sentAt === undefined ? undefined : deps.clock.now().getTime() - Date.parse(sentAt);
}
