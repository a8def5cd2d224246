import { hash } from "node:crypto";
import type { Queryable } from "../../../db/pool.ts";
import { prepared, type Statement } from "../../../db/sql.ts";
import { canonicalJson } from "../../../lib/json.ts";

/** As long as tombstones. An older sequence number can no longer be compared and counts as a fork, which loses no data. */
export const receiptRetentionDays = 180;

/** Of a digest in hexadecimal. */
const hashLength = 16;

/** A record's content, whatever the order of its keys. Its base_seq may have changed since the register's first attempt. */
export function contentText(record: object): string {
  const { device_seq: _number, base_seq: _base, ...content } = record as Record<string, unknown>;
  return canonicalJson(content);
}

/** The digest of a record's content, by which a repeated upload is known. */
export function contentHash(text: string): string {
  return hash("sha256", text, "hex").slice(0, hashLength);
}

/** Records one push. Its sequence numbers are consecutive, so the digests need no keys. */
export function storeReceipt(receipt: {
  accountId: string;
  deviceId: string;
  seq: number;
  at: Date;
  firstSeq: number;
  hashes: readonly string[];
}): Statement {
  const { accountId, deviceId, seq, at, firstSeq, hashes } = receipt;
  return prepared(
    `insert into push_receipts (account_id, device_id, last_seq, created_at, first_seq, seq, hashes)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [accountId, deviceId, firstSeq + hashes.length - 1, at, firstSeq, seq, Buffer.from(hashes.join(""), "hex")],
  );
}

/** The digests of a device's sequence numbers from `first` to `last`, if still stored. */
export async function readHashes(
  db: Queryable,
  accountId: string,
  deviceId: string,
  first: number,
  last: number,
): Promise<Map<number, string>> {
  const { rows } = await db.query<{ first_seq: number; hashes: Buffer }>(
    prepared(
      `select first_seq, hashes from push_receipts
       where account_id = $1 and device_id = $2 and last_seq >= $3 and first_seq <= $4`,
      [accountId, deviceId, first, last],
    ),
  );
  const found = new Map<number, string>();
  for (const { first_seq, hashes } of rows) {
    const texts = hashes.toString("hex");
    for (let i = 0; i * hashLength < texts.length; i++)
      found.set(first_seq + i, texts.slice(i * hashLength, (i + 1) * hashLength));
  }
  return found;
}
