import { type Read, reading, readingAll } from "../../../db/read.ts";
import { sql } from "../../../db/sql.ts";
import type { Write } from "../../../engine/writing/write.ts";
import { ApiError } from "../../../lib/errors.ts";
import { must } from "../../../lib/must.ts";
import type { RawRecord } from "../protocol.ts";
import { readHashes } from "./receipts.ts";

/** How far a device's uploads have come, and the skew of its clock. */
export interface DeviceProgress {
  epoch: string;
  acked_seq: number;
  skew_ms: number | null;
  /** The latest that its uploads have said they were made, by the server's clock. */
  said_until: Date | null;
  isRevoked: boolean;
  /** The sede of the register, and so that of what it uploads. */
  place: string;
}

interface Directory {
  epoch: string;
  revoked_at: Date | null;
  location_id: string | null;
}

/** One statement reads the directories, the other the account's shard. No progress for a device that is not the account's. */
export function deviceProgress(accountId: string, deviceId: string): Read<DeviceProgress | undefined> {
  const directory = sql`select i.epoch, d.revoked_at, d.location_id from installation i, devices d where d.id = ${deviceId}`;
  const progress = sql`
    select acked_seq, skew_ms, said_until from device_progress where account_id = ${accountId} and device_id = ${deviceId}`;
  const both = readingAll({
    device: reading(directory, ([row]: Directory[]) => row),
    progress: reading(progress, ([row]: Pick<DeviceProgress, "acked_seq" | "skew_ms" | "said_until">[]) => row),
  });
  return {
    statements: both.statements,
    from(results) {
      const { device, progress } = both.from(results);
      // Revoking takes the account's lock, so this also tells of a register revoked after its authentication.
      if (!device || !progress) return undefined;
      const { epoch, revoked_at, location_id } = device;
      return { epoch, isRevoked: revoked_at !== null, place: location_id ?? accountId, ...progress };
    },
  };
}

/** Counts the records that were uploaded before. Sequence numbers have no gaps, and a repeated one must have the same content. */
export async function countDuplicates(
  write: Write,
  deviceId: string,
  ackedSeq: number,
  records: readonly RawRecord[],
  hashes: readonly string[],
): Promise<number> {
  let expected = ackedSeq + 1;
  const firstNew = records.findIndex(({ device_seq }) => device_seq > ackedSeq);
  const count = firstNew === -1 ? records.length : firstNew;
  for (const { device_seq } of records.slice(count)) {
    if (device_seq !== expected && device_seq !== expected - 1)
      throw new ApiError("DEVICE_SEQ_GAP", { extra: { expected: ackedSeq + 1 } });
    if (device_seq === expected - 1) throw new ApiError("DEVICE_FORKED", { extra: { device_seq } });
    expected += 1;
  }
  if (count === 0) return 0;
  const stored = await readHashes(
    write.client,
    write.accountId,
    deviceId,
    must(records[0], "There are more records than known ones").device_seq,
    must(records[count - 1], "There are more records than known ones").device_seq,
  );
  for (let i = 0; i < count; i++) {
    const { device_seq } = must(records[i], "There are more records than known ones");
    if (stored.get(device_seq) !== hashes[i]) throw new ApiError("DEVICE_FORKED", { extra: { device_seq } });
  }
  return count;
}

/** A slow request distorts the measurement, so small differences change the estimate slowly; large ones replace it. */
export function smoothSkew(estimate: number | null, measured: number | undefined): number | undefined {
  if (measured === undefined) return estimate ?? undefined;
  if (estimate === null || Math.abs(measured - estimate) > 30_000) return Math.round(measured);
  return Math.round(estimate + (measured - estimate) / 5);
}
