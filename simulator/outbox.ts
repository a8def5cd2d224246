import { closeSync, existsSync, fsyncSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/** A record in the upload queue. */
export interface Entry {
  device_seq: number;
  type: string;
  id: string;
  op: "upsert" | "delete";
  base_seq: number;
  edited_at: string;
  changed: string[] | null;
  data: object;
}

/** What the enrolment returned. */
export interface Identity {
  device_id: string;
  token: string;
  account_id: string;
  epoch: string;
}

/**
 * Everything a register recorded, in order, in an append-only journal of lines. When `record` returns, its entries have been
 * synced to disk. A line cut off by a crash is dropped on opening: its `record` never returned.
 */
export interface Outbox {
  identity: Identity;
  entries(): readonly Entry[];
  record(entries: readonly Omit<Entry, "device_seq">[]): void;
  /** Entries that are not acknowledged yet, oldest first. */
  pending(limit: number): Entry[];
  ackedSeq(): number;
  /** Stores the last number that the server acknowledged. It goes back only if the server lost records. */
  acked(seq: number): void;
  close(): void;
}

type Line = { identity: Identity } | { entry: Entry } | { acked: number };

export function openOutbox(file: string, identity?: Identity): Outbox {
  mkdirSync(dirname(file), { recursive: true });
  const { lines, keepBytes } = readLines(file);
  const handle = openSync(file, existsSync(file) ? "r+" : "w+");
  ftruncateSync(handle, keepBytes);
  let position = keepBytes;
  let owner = lines.flatMap((line) => ("identity" in line ? [line.identity] : [])).at(-1);
  const entries = lines.flatMap((line) => ("entry" in line ? [line.entry] : []));
  let acked = lines.flatMap((line) => ("acked" in line ? [line.acked] : [])).at(-1) ?? 0;

  function append(added: readonly Line[], isDurable: boolean): void {
    const text = added.map((line) => `${JSON.stringify(line)}\n`).join("");
    position += writeSync(handle, text, position, "utf8");
    if (isDurable) fsyncSync(handle);
  }
  if (!owner) {
    if (!identity) throw new Error(`${file} has no identity`);
    owner = identity;
    append([{ identity }], true);
  }
  return {
    identity: owner,
    entries: () => entries,
    record(added) {
      const numbered = added.map((entry, i) => ({ device_seq: entries.length + 1 + i, ...entry }));
      append(
        numbered.map((entry) => ({ entry })),
        true,
      );
      entries.push(...numbered);
    },
    pending: (limit) => entries.slice(acked, acked + limit),
    ackedSeq: () => acked,
    acked(seq) {
      const next = Math.min(seq, entries.length);
      if (next === acked) return;
      acked = next;
      // If this line is lost, the records are uploaded again and the server answers "duplicate".
      append([{ acked }], false);
    },
    close: () => closeSync(handle),
  };
}

function readLines(file: string): { lines: Line[]; keepBytes: number } {
  if (!existsSync(file)) return { lines: [], keepBytes: 0 };
  const bytes = readFileSync(file);
  const keepBytes = bytes.lastIndexOf(10) + 1;
  const lines: Line[] = [];
  for (const text of bytes.subarray(0, keepBytes).toString("utf8").split("\n")) {
    if (text !== "") lines.push(JSON.parse(text));
  }
  return { lines, keepBytes };
}
