import { crc32 } from "node:zlib";

/** A register's place in its account's feed, good for one epoch of the installation. */
export interface FeedCursor {
  epoch: string;
  seq: number;
  /** The account's seq when a snapshot began that is not complete yet: what was deleted before, it never showed. */
  begun?: number | undefined;
}

const epochBytes = 16;
const usualBytes = epochBytes + 12;
const snapshotBytes = usualBytes + 8;

/** Opaque to registers: the epoch, the account's mark and the seq; within a snapshot also where that began. */
export function encodeFeedCursor({ epoch, seq, begun }: FeedCursor, accountId: string): string {
  const bytes = Buffer.alloc(begun === undefined ? usualBytes : snapshotBytes);
  bytes.write(epoch.replaceAll("-", ""), 0, "hex");
  bytes.writeUInt32BE(crc32(accountId), epochBytes);
  bytes.writeBigUInt64BE(BigInt(seq), epochBytes + 4);
  if (begun !== undefined) bytes.writeBigUInt64BE(BigInt(begun), usualBytes);
  return bytes.toString("base64url");
}

/** Undefined for a text that is no cursor; "foreign" for the cursor of another account. */
export function decodeFeedCursor(text: string, accountId: string): FeedCursor | "foreign" | undefined {
  const bytes = Buffer.from(text, "base64url");
  const isSnapshot = bytes.length === snapshotBytes;
  if ((!isSnapshot && bytes.length !== usualBytes) || bytes.toString("base64url") !== text) return undefined;
  if (bytes.readUInt32BE(epochBytes) !== crc32(accountId)) return "foreign";
  const hex = bytes.subarray(0, epochBytes).toString("hex");
  const epoch = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  const seq = Number(bytes.readBigUInt64BE(epochBytes + 4));
  return { epoch, seq, begun: isSnapshot ? Number(bytes.readBigUInt64BE(usualBytes)) : undefined };
}
