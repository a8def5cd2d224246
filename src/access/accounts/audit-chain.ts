import { createHash } from "node:crypto";

/** All that an entry says, as it is stored. */
export interface SaidEntry {
  account_id: string;
  id: string;
  created_at: Date;
  action: string;
  /** The stored text itself: a column of type json keeps it to the byte. */
  details: string;
  actor: string;
  session_id: string | null;
  remote_address: string | null;
  person_id: string | null;
  person_name: string | null;
  role: string | null;
}

/** Where an entry is in its account's chain. */
export interface ChainedEntry extends SaidEntry {
  seq: number;
  /** Null in what nobody but a stranger can have written. */
  previous: Buffer | null;
  hash: Buffer | null;
  times: number | null;
  times_hash: Buffer | null;
  /** The digest of what it said before `details` was replaced, which the chain still holds. */
  replaced: Buffer | null;
}

/** The columns of a SaidEntry, for a select. */
export const saidColumns =
  "account_id, id, created_at, action, details, actor, session_id, remote_address, person_id, person_name, role";
export const chainColumns = `${saidColumns}, seq, previous, hash, times, times_hash, replaced`;

/** The digest of all that an entry says: of a JSON array with its fields in this order, which no other entry can have. */
export function contentOf(entry: SaidEntry): Buffer {
  return digest(
    JSON.stringify([
      "mostrador audit 1",
      entry.account_id,
      entry.id,
      entry.created_at.toISOString(),
      entry.action,
      entry.details,
      entry.actor,
      entry.session_id,
      entry.remote_address,
      entry.person_id,
      entry.person_name,
      entry.role,
    ]),
  );
}

/** As the statement in record-audit.ts computes it. */
export function chainHash(previous: Buffer, seq: number, content: Buffer): Buffer {
  return digest(Buffer.concat([previous, int8(seq), content]));
}

/** Of a count of repetitions, as the statements that count compute it. */
export function timesHash(hash: Buffer, times: number): Buffer {
  return digest(Buffer.concat([hash, int8(times)]));
}

function int8(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(value));
  return bytes;
}

function digest(data: string | Buffer): Buffer {
  return createHash("sha256").update(data).digest();
}
