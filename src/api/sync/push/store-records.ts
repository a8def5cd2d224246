import { setImmediate as othersTurn } from "node:timers/promises";
import type { DeviceAccess } from "../../../access/devices/device-access.ts";
import { resources } from "../../../business/registry.ts";
import { prepared, sql } from "../../../db/sql.ts";
import type { Deps } from "../../../deps.ts";
import type { Write } from "../../../engine/writing/write.ts";
import { writing } from "../../../engine/writing/writing.ts";
import { ApiError } from "../../../lib/errors.ts";
import { uuidv7 } from "../../../lib/ids.ts";
import { storableText } from "../../../lib/json.ts";
import { maxRecordBytes, type PushBody, type PushResult, type RecordType } from "../protocol.ts";
import { applyCashSession } from "./apply-cash-session.ts";
import { applyPlain, applyProduct, applyQuote, applyVariantDeletion, applyWarehouse } from "./apply-edit.ts";
import { applyInvoice } from "./apply-invoice.ts";
import { applyMovement } from "./apply-movement.ts";
import { applySale } from "./apply-sale.ts";
import { type Batch, openBatch } from "./batch.ts";
import { flagDefaultWarehouses } from "./flag-default-warehouses.ts";
import { flagTakenSkus } from "./flag-taken-skus.ts";
import { duplicate, type Outcome, quarantined } from "./outcome.ts";
import { type Incoming, type Reading, readRecord } from "./read-record.ts";
import { contentHash, keepReceipt, readHashes } from "./receipts.ts";
import { settleSales } from "./settle-sales.ts";

type RawRecord = PushBody["records"][number];

export interface Records {
  /** In the order of their numbers. */
  records: readonly RawRecord[];
  /** The register's clock against ours, measured on this request. */
  skewMs: number | undefined;
  mayHoldUnstorable: boolean;
  /** Why these are to be set aside without another attempt. */
  poison?: string | undefined;
  requestId?: string | undefined;
}

type Apply = (batch: Batch, record: Incoming) => Outcome;

const apply = {
  ...Object.fromEntries(
    resources
      .filter(({ merged }) => merged)
      .map((resource): [string, Apply] => [resource.name, (batch, record) => applyPlain(batch, resource, record)]),
  ),
  product: applyProduct,
  product_variant: applyVariantDeletion,
  warehouse: applyWarehouse,
  sale: applySale,
  invoice: applyInvoice,
  stock_movement: applyMovement,
  cash_session: applyCashSession,
  quote: applyQuote,
} as Record<RecordType, Apply>;

export interface Stored {
  results: PushResult[];
  ackedSeq: number;
  epoch: string;
}

/** Stores consecutive records of one device in one transaction, together with the number up to which it is acked. */
export async function storeRecords(deps: Deps, device: DeviceAccess, given: Records): Promise<Stored> {
  const { accountId, deviceId } = device;
  const { hashes, readings } = await readAll(given);
  const store = async (write: Write) => {
    // Nothing waits for the device's own row: all that the records name is asked for in the same round trip.
    const named = readings.flatMap((reading) => reading.readable ?? []);
    const [progress, batch] = await Promise.all([readProgress(write, deviceId), openBatch(write, deviceId, named)]);
    const { epoch } = progress;
    const first = await firstNew(write, deviceId, progress.acked_seq, given.records, hashes);
    const results = given.records.slice(0, first).map((record) => result(record, duplicate));
    if (first === given.records.length) {
      write.discard();
      return { results, ackedSeq: progress.acked_seq, epoch };
    }
    const skewMs = smoothed(progress.skew_ms, given.skewMs);
    batch.skewMs = skewMs ?? 0;
    const fresh = given.records.slice(first);
    const setAside: { record: RawRecord; reason: string }[] = [];
    fresh.forEach((record, i) => {
      const reading = readings[first + i]!;
      const outcome = reading.readable
        ? applyBelieved(batch, reading.readable)
        : quarantined("UNREADABLE", reading.reason);
      if (isStored(outcome)) for (const cut of reading.readable?.cuts ?? []) batch.lose(reading.readable!, cut);
      if (outcome.status === "quarantined") setAside.push({ record, reason: outcome.reason ?? "" });
      results.push(result(record, outcome));
    });
    await flagTakenSkus(batch);
    await flagDefaultWarehouses(
      batch,
      readings.slice(first).flatMap(({ readable }) => readable ?? []),
    );
    batch.close();
    await settleSales(deps, batch);
    quarantine(write, deviceId, setAside);
    keepLosses(batch);
    batch.flags.keep(deviceId);
    const firstSeq = fresh[0]!.device_seq;
    const ackedSeq = fresh.at(-1)!.device_seq;
    write.addStatement(
      keepReceipt({ accountId, deviceId, seq: write.seq, at: write.at, firstSeq, hashes: hashes.slice(first) }),
    );
    write.addStatement(sql`
      update device_progress set acked_seq = ${ackedSeq}, skew_ms = ${skewMs ?? null}
      where account_id = ${accountId} and device_id = ${deviceId}`);
    return { results, ackedSeq, epoch };
  };
  return writing(deps, accountId, store, given.requestId);
}

/** A mebibyte takes some 60 ms to read, on the one thread that answers everybody. */
const longestReadingMs = 10;

/** Reads all records, and lets others have their turn in between. */
async function readAll({ records, poison, mayHoldUnstorable }: Records) {
  const hashes: Buffer[] = [];
  const readings: Reading[] = [];
  let since = performance.now();
  for (const record of records) {
    hashes.push(contentHash(record));
    readings.push(
      poison === undefined
        ? readRecord(record as RawRecord & Record<string, unknown>, mayHoldUnstorable)
        : { readable: undefined, reason: poison },
    );
    if (performance.now() - since < longestReadingMs) continue;
    await othersTurn();
    since = performance.now();
  }
  return { hashes, readings };
}

function isStored({ status }: Outcome): boolean {
  return status === "applied" || status === "merged" || status === "parked";
}

/**
 * A register cannot have seen a change that the account has not made: it counts as having seen none, so its edit competes
 * by its time and overwrites nothing unseen. The record itself is taken, since after a restore of the database every
 * register may hold such numbers, and its sales come in the same push.
 */
function applyBelieved(batch: Batch, record: Incoming): Outcome {
  const isAhead = record.baseSeq >= batch.write.seq;
  const outcome = apply[record.type](batch, isAhead ? { ...record, baseSeq: 0 } : record);
  return isAhead ? { code: "BASE_SEQ_AHEAD", ...outcome } : outcome;
}

function result({ device_seq }: RawRecord, { status, code, record }: Outcome): PushResult {
  return { device_seq, status, code: code ?? null, record: record ?? null };
}

interface Progress {
  epoch: string;
  acked_seq: number;
  skew_ms: number | null;
}

async function readProgress(write: Write, deviceId: string): Promise<Progress> {
  const { rows } = await write.client.query<Progress & { revoked_at: Date | null }>(sql`
    select i.epoch, p.acked_seq, p.skew_ms, d.revoked_at
    from installation i, device_progress p join devices d on d.id = p.device_id
    where p.account_id = ${write.accountId} and p.device_id = ${deviceId}`);
  // Revoking waits for the same lock: a register that was let in a moment ago is told here.
  if (!rows[0] || rows[0].revoked_at) throw new ApiError("DEVICE_REVOKED");
  return rows[0];
}

/** How many of the records came before. Numbers go on without a gap, and one used again must mean the same. */
async function firstNew(
  write: Write,
  deviceId: string,
  ackedSeq: number,
  records: readonly RawRecord[],
  hashes: readonly Buffer[],
): Promise<number> {
  let expected = ackedSeq + 1;
  const known = records.findIndex(({ device_seq }) => device_seq > ackedSeq);
  const before = known === -1 ? records.length : known;
  for (const { device_seq } of records.slice(before)) {
    if (device_seq !== expected && device_seq !== expected - 1)
      throw new ApiError("DEVICE_SEQ_GAP", { extra: { expected: ackedSeq + 1 } });
    if (device_seq === expected - 1) throw new ApiError("DEVICE_FORKED", { extra: { device_seq } });
    expected += 1;
  }
  if (before === 0) return 0;
  const kept = await readHashes(
    write.client,
    write.accountId,
    deviceId,
    records[0]!.device_seq,
    records[before - 1]!.device_seq,
  );
  for (let i = 0; i < before; i++) {
    const { device_seq } = records[i]!;
    if (!kept.get(device_seq)?.equals(hashes[i]!)) throw new ApiError("DEVICE_FORKED", { extra: { device_seq } });
  }
  return before;
}

/** One slow request says little about a clock: small differences move the estimate slowly, a set clock at once. */
function smoothed(kept: number | null, measured: number | undefined): number | undefined {
  if (measured === undefined) return kept ?? undefined;
  if (kept === null || Math.abs(measured - kept) > 30_000) return Math.round(measured);
  return Math.round(kept + (measured - kept) / 5);
}

function quarantine(
  write: Write,
  deviceId: string,
  setAside: readonly { record: RawRecord & { type?: unknown; id?: unknown }; reason: string }[],
): void {
  if (setAside.length === 0) return;
  const storable = (value: unknown) => (typeof value === "string" ? storableText(value.slice(0, 100)) : null);
  const rows = setAside.map(({ record, reason }) => ({
    device_seq: record.device_seq,
    type: storable(record.type),
    record_id: storable(record.id),
    reason: storable(reason),
    // What is set aside for its size must not take it here: its register still has the whole.
    raw: JSON.stringify(record).slice(0, maxRecordBytes).toWellFormed(),
  }));
  write.addStatement(
    prepared(
      `insert into quarantined_records (account_id, device_id, received_at, device_seq, type, record_id, reason, raw)
       select $1::uuid, $2::uuid, $3::timestamptz, r.* from json_to_recordset($4::json)
         as r(device_seq bigint, type text, record_id text, reason text, raw text)
       on conflict do nothing`,
      [write.accountId, deviceId, write.at, JSON.stringify(rows)],
    ),
  );
}

function keepLosses({ write, deviceId, losses }: Batch): void {
  if (losses.length === 0) return;
  const rows = losses.map(({ record, lost }) => ({
    id: uuidv7(write.at),
    device_seq: record.deviceSeq,
    type: record.type,
    record_id: record.id,
    field: lost.unit,
    kept: lost.kept ?? null,
    lost: lost.lost ?? null,
  }));
  write.addStatement(
    prepared(
      `insert into conflicts (account_id, device_id, found_at, id, device_seq, type, record_id, field, kept, lost)
       select $1::uuid, $2::uuid, $3::timestamptz, r.* from json_to_recordset($4::json)
         as r(id uuid, device_seq bigint, type text, record_id uuid, field text, kept json, lost json)`,
      [write.accountId, deviceId, write.at, JSON.stringify(rows)],
    ),
  );
}
