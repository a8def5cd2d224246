import type { Entry, Identity } from "./protocol.ts";

/** An entry before the store gave it its number. */
export type NewEntry = Omit<Entry, "device_seq">;

/** What a register keeps besides its outbox. `meta` has its identity and position; the rest is by id. */
export const tables = ["meta", "catalog", "ticket", "sale", "shift", "document", "stock"] as const;
export type Table = (typeof tables)[number];

export interface Row {
  table: Table;
  key: string;
  value: unknown;
  /** Rows of one group are listed together: the sales of a shift. */
  group?: string;
}

export interface StoreChange {
  entries?: readonly NewEntry[];
  put?: readonly Row[];
  remove?: readonly Pick<Row, "table" | "key">[];
  clear?: readonly Table[];
}

/**
 * Where a register keeps its records. A commit happens whole or not at all, and one with entries is durable when it is done:
 * when it returns for a store that writes synchronously, when its promise resolves for one that does not.
 */
export interface Store<Done extends void | Promise<void> = void | Promise<void>> {
  /** Numbers the entries after the last one, without gaps, in the same step that stores them. */
  commit(change: StoreChange): Done;
  /** The last number that was given out; 0 at first. */
  lastSeq(): number;
  /** Entries above a number, in order. */
  entries(after: number, limit: number): Promise<Entry[]>;
  list<T>(table: Table, group?: string): Promise<T[]>;
  get<T>(table: Table, key: string): Promise<T | undefined>;
  /** Forgets the entries up to a number, but never the last one: the next number follows it. Returns how many there were. */
  prune(upTo: number): Promise<number>;
  /** Numbers all entries that still count anew from 1 for a new enrolment; nothing counts as acknowledged any more. */
  renumber(identity: Identity): Promise<void>;
  /** Puts others in the place of entries that were acknowledged, under their numbers, with rows: nothing is left of what they said. */
  rewrite(change: { entries: readonly Entry[]; put: readonly Row[] }): Promise<void>;
  close(): void;
}

/** The rows of `meta`, by key. */
export interface Meta {
  identity: Identity;
  /** The last number that the server acknowledged. */
  acked: number;
  /** The installation's epoch when it acknowledged it. Another epoch means a database restored from a backup. */
  epoch: string;
  cursor: string;
  /** What the register knew when the feed was read up to the cursor. */
  capabilities: readonly string[];
}

export function metaRow<Key extends keyof Meta>(key: Key, value: Meta[Key]): Row {
  return { table: "meta", key, value };
}

/** What a renumbered store starts from. */
export function metaOf(identity: Identity): Row[] {
  return [metaRow("identity", identity), metaRow("acked", 0), metaRow("epoch", identity.epoch), metaRow("cursor", "")];
}
