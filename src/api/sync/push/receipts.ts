import { hash } from "node:crypto";
import type { Queryable } from "../../../db/pool.ts";
import { prepared, type Statement } from "../../../db/sql.ts";
import { canonicalJson } from "../../../lib/json.ts";

/** As long as a tombstone: a number older than that cannot be compared any more and counts as a fork, which loses nothing. */
export const receiptRetentionDays = 180;

const hashBytes = 8;

/**
 * The digest of what a record says. Key order is no content, and neither is base_seq, which a register may have learnt
 * anew since its first attempt.
 */
export function contentHash(record: object): Buffer {
  const { device_seq: _number, base_seq: _base, ...content } = record as Record<string, unknown>;
  return hash("sha256", canonicalJson(content), "buffer").subarray(0, hashBytes);
}

/** Remembers one push: its records' numbers are consecutive, so their digests need no keys. */
export function keepReceipt(receipt: {
  accountId: string;
  deviceId: string;
  seq: number;
  at: Date;
  firstSeq: number;
  hashes: readonly Buffer[];
}): Statement {
  const { accountId, deviceId, seq, at, firstSeq, hashes } = receipt;
  return prepared(
    `insert into push_receipts (account_id, device_id, last_seq, created_at, first_seq, seq, hashes)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [accountId, deviceId, firstSeq + hashes.length - 1, at, firstSeq, seq, Buffer.concat(hashes)],
  );
}

/** The digests of a device's numbers from `first` to `last`, as far as they are still kept. */
export async function readHashes(
  db: Queryable,
  accountId: string,
  deviceId: string,
  first: number,
  last: number,
): Promise<Map<number, Buffer>> {
  const { rows } = await db.query<{ first_seq: number; hashes: Buffer }>(
    prepared(
      `select first_seq, hashes from push_receipts
       where account_id = $1 and device_id = $2 and last_seq >= $3 and first_seq <= $4`,
      [accountId, deviceId, first, last],
    ),
  );
  const found = new Map<number, Buffer>();
  for (const { first_seq, hashes } of rows)
    for (let i = 0; i * hashBytes < hashes.length; i++)
      found.set(first_seq + i, hashes.subarray(i * hashBytes, (i + 1) * hashBytes));
  return found;
}
