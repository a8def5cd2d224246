import { createHmac, timingSafeEqual } from "node:crypto";

/** A register's place in its account's feed, good for one epoch of the installation. */
export interface FeedCursor {
  epoch: string;
  seq: number;
  /** The account's seq when a snapshot began that is not complete yet: what was deleted before, it never showed. */
  begun?: number | undefined;
}

/** Whose cursor it is, and the installation's key that vouches for it. */
export interface CursorOwner {
  key: string;
  accountId: string;
}

const epochBytes = 16;
const macBytes = 16;
const usualBytes = epochBytes + 8;
const snapshotBytes = usualBytes + 8;
/** Cursors as they were before they were authenticated. Registers still hold some. */
const formerBytes = [28, 36];

/** Opaque to registers: the epoch and the seq, within a snapshot also where that began, and a MAC tied to the account. */
export function encodeFeedCursor({ epoch, seq, begun }: FeedCursor, owner: CursorOwner): string {
  const content = Buffer.alloc(begun === undefined ? usualBytes : snapshotBytes);
  content.write(epoch.replaceAll("-", ""), 0, "hex");
  content.writeBigUInt64BE(BigInt(seq), epochBytes);
  if (begun !== undefined) content.writeBigUInt64BE(BigInt(begun), usualBytes);
  return Buffer.concat([content, mac(content, owner)]).toString("base64url");
}

/**
 * Undefined for a text that is no cursor; "foreign" for one that was not made here for this account. The latter's register
 * reloads, as with a cursor that is too old: an error would leave it asking with the same one for ever.
 */
export function decodeFeedCursor(text: string, owner: CursorOwner): FeedCursor | "foreign" | undefined {
  const bytes = Buffer.from(text, "base64url");
  if (bytes.toString("base64url") !== text) return undefined;
  if (formerBytes.includes(bytes.length)) return "foreign";
  const content = bytes.subarray(0, Math.max(0, bytes.length - macBytes));
  if (content.length !== usualBytes && content.length !== snapshotBytes) return undefined;
  if (!timingSafeEqual(bytes.subarray(-macBytes), mac(content, owner))) return "foreign";
  const hex = content.subarray(0, epochBytes).toString("hex");
  const epoch = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  const begun = content.length === snapshotBytes ? Number(content.readBigUInt64BE(usualBytes)) : undefined;
  return { epoch, seq: Number(content.readBigUInt64BE(epochBytes)), begun };
}

function mac(content: Buffer, { key, accountId }: CursorOwner): Buffer {
  return createHmac("sha256", key).update(`feed cursor\n${accountId}\n`).update(content).digest().subarray(0, macBytes);
}
