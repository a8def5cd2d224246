import { crc32 } from "node:zlib";

/** A register's place in its account's feed, good for one epoch of the installation. */
export interface FeedCursor {
  epoch: string;
  seq: number;
}

const epochBytes = 16;

/** Opaque to registers: the epoch, the account's mark and the seq. */
export function encodeFeedCursor({ epoch, seq }: FeedCursor, accountId: string): string {
  const bytes = Buffer.alloc(epochBytes + 12);
  bytes.write(epoch.replaceAll("-", ""), 0, "hex");
  bytes.writeUInt32BE(crc32(accountId), epochBytes);
  bytes.writeBigUInt64BE(BigInt(seq), epochBytes + 4);
  return bytes.toString("base64url");
}

/** Undefined for a text that is no cursor; "foreign" for the cursor of another account. */
export function decodeFeedCursor(text: string, accountId: string): FeedCursor | "foreign" | undefined {
  const bytes = Buffer.from(text, "base64url");
  if (bytes.length !== epochBytes + 12 || bytes.toString("base64url") !== text) return undefined;
  if (bytes.readUInt32BE(epochBytes) !== crc32(accountId)) return "foreign";
  const hex = bytes.subarray(0, epochBytes).toString("hex");
  const epoch = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return { epoch, seq: Number(bytes.readBigUInt64BE(epochBytes + 4)) };
}
