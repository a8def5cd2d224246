import { closeSync, existsSync, fsyncSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/** A record as it waits to be uploaded. */
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

/** Who this register is, as its enrolment said. */
export interface Identity {
  device_id: string;
  token: string;
  account_id: string;
  epoch: string;
}

/**
 * Everything a register recorded, on disk, in order, for good. An append-only journal of lines: what `record` returned
 * from has been synced to the disk, and a line cut off by a crash is dropped on opening, because nobody was told of it.
 */
export interface Outbox {
  identity: Identity;
  entries(): readonly Entry[];
  record(entries: readonly Omit<Entry, "device_seq">[]): void;
  /** What was not acked yet, oldest first. */
  pending(limit: number): Entry[];
  ackedSeq(): number;
  /** Notes what the server acked: never more than was recorded, and less only if the server lost something. */
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
  let who = lines.flatMap((line) => ("identity" in line ? [line.identity] : [])).at(-1);
  const entries = lines.flatMap((line) => ("entry" in line ? [line.entry] : []));
  let acked = lines.flatMap((line) => ("acked" in line ? [line.acked] : [])).at(-1) ?? 0;

  function append(added: readonly Line[], isDurable: boolean): void {
    const text = added.map((line) => `${JSON.stringify(line)}\n`).join("");
    position += writeSync(handle, text, position, "utf8");
    if (isDurable) fsyncSync(handle);
  }
  if (!who) {
    if (!identity) throw new Error(`${file} has no identity`);
    who = identity;
    append([{ identity }], true);
  }
  return {
    identity: who,
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
      // Losing this line only means asking again: the server answers "duplicate".
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
