import { uuidBytes, uuidOfBytes } from "../../../lib/ids.ts";
import { acceptedKeys, currentKey, hmac, isMacOfAny, type SecretKeys } from "../../../lib/secret-keys.ts";

/** A register's position in its account's feed, valid for one epoch of the installation. */
export interface FeedCursor {
  epoch: string;
  seq: number;
  /** During a snapshot: the account's seq when it began. Records deleted before that were never sent. */
  snapshotSeq?: number | undefined;
}

/** The cursor's account, and the installation's key for its MAC. */
export interface CursorOwner {
  key: SecretKeys;
  accountId: string;
}

const epochBytes = 16;
const macBytes = 16;
const usualBytes = epochBytes + 8;
const snapshotBytes = usualBytes + 8;
/** Lengths of cursors from before they had a MAC. Some registers still have them. */
const formerBytes = [28, 36];

/** Opaque to registers: epoch, seq, the snapshot's seq if there is one, and a MAC bound to the account. */
export function encodeFeedCursor({ epoch, seq, snapshotSeq }: FeedCursor, owner: CursorOwner): string {
  const content = Buffer.alloc(snapshotSeq === undefined ? usualBytes : snapshotBytes);
  content.set(uuidBytes(epoch));
  content.writeBigUInt64BE(BigInt(seq), epochBytes);
  if (snapshotSeq !== undefined) content.writeBigUInt64BE(BigInt(snapshotSeq), usualBytes);
  return Buffer.concat([content, macOf(content, owner, currentKey(owner.key))]).toString("base64url");
}

/**
 * Undefined for a text that is not a cursor; "foreign" for one that was not made here for this account. A register with a
 * foreign cursor must reload, as with one that is too old; otherwise it would send the same cursor for ever.
 */
export function decodeFeedCursor(text: string, owner: CursorOwner): FeedCursor | "foreign" | undefined {
  const bytes = Buffer.from(text, "base64url");
  if (bytes.toString("base64url") !== text) return undefined;
  if (formerBytes.includes(bytes.length)) return "foreign";
  const content = bytes.subarray(0, Math.max(0, bytes.length - macBytes));
  if (content.length !== usualBytes && content.length !== snapshotBytes) return undefined;
  if (!isMacOfAny(bytes.subarray(-macBytes), acceptedKeys(owner.key), (key) => macOf(content, owner, key)))
    return "foreign";
  const epoch = uuidOfBytes(content.subarray(0, epochBytes));
  const snapshotSeq = content.length === snapshotBytes ? Number(content.readBigUInt64BE(usualBytes)) : undefined;
  return { epoch, seq: Number(content.readBigUInt64BE(epochBytes)), snapshotSeq };
}

function macOf(content: Buffer, { accountId }: CursorOwner, key: string): Buffer {
  return hmac(key, `feed cursor\n${accountId}\n`, content).subarray(0, macBytes);
}
