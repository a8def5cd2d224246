import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { Entry, Identity } from "../protocol.ts";
import { type Meta, metaOf, type NewEntry, type Row, type Store, type StoreChange, type Table } from "../store.ts";
import { withoutSuperseded } from "../superseded.ts";

/** One commit, or one fact in the notation of earlier versions. */
interface Line {
  entries?: Entry[];
  put?: Row[];
  remove?: Pick<Row, "table" | "key">[];
  entry?: Entry;
  identity?: Identity;
  acked?: number;
  /** Entries up to this number were forgotten. */
  pruned?: number;
}

/** The feed brings these again after a restart. */
const isTransient = ({ table, key }: Pick<Row, "table" | "key">) =>
  ["catalog", "document", "stock"].includes(table) || (table === "meta" && (key === "cursor" || key === "stock"));

/**
 * A folder with an append-only journal of lines per enrolment; a line is a commit. When `commit` returns, its entries have
 * been synced to disk. A line that a crash cut off is dropped on opening: its `commit` never returned.
 */
export function openFileStore(folder: string, identity?: Identity): Store<void> {
  mkdirSync(folder, { recursive: true });
  const last = journalsOf(folder).at(-1);
  if (last === undefined && !identity) throw new Error(`${folder} has no identity`);
  let journal = last === undefined ? startJournal(folder, identity!) : openJournal(last);
  return {
    commit: (change) => journal.commit(change),
    lastSeq: () => lastOf(journal.entries),
    entries: async (after, limit) => {
      const from = Math.max(0, after + 1 - (journal.entries[0]?.device_seq ?? 1));
      return journal.entries.slice(from, from + limit);
    },
    prune: async (upTo) => journal.prune(upTo),
    list: async <T>(table: Table, group?: string) => journal.list(table, group) as T[],
    get: async <T>(table: Table, key: string) => journal.rows.get(table)?.get(key)?.value as T | undefined,
    async renumber(next) {
      const { entries, rows } = journal;
      const kept = [...rows.values()].flatMap((table) => [...table.values()]).filter((row) => row.table !== "meta");
      journal.close();
      journal = startJournal(folder, next, withoutSuperseded(entries), kept);
    },
    async rewrite({ entries, put }) {
      const others = new Map(entries.map((entry) => [entry.device_seq, entry]));
      const { rows } = journal;
      for (const row of put) rows.set(row.table, (rows.get(row.table) ?? new Map<string, Row>()).set(row.key, row));
      const kept = [...rows.values()].flatMap((table) => [...table.values()]);
      const all = journal.entries.map((entry) => others.get(entry.device_seq) ?? entry);
      const { file } = journal;
      journal.close();
      // Those of former enrolments hold the same uploads, which this one has sent again.
      for (const former of journalsOf(folder)) if (former !== file) writeFileSync(former, "");
      journal = writeJournal(file, [{ put: kept.filter((row) => !isTransient(row)) }, { entries: all }], kept);
    },
    close: () => journal.close(),
  };
}

interface Journal {
  file: string;
  entries: Entry[];
  rows: Map<Table, Map<string, Row>>;
  commit(change: StoreChange): void;
  prune(upTo: number): number;
  list(table: Table, group?: string): unknown[];
  close(): void;
}

/** Writes the whole journal beside, then puts it in place: a crash leaves the former one or the complete new one. */
function startJournal(
  folder: string,
  identity: Identity,
  entries: readonly NewEntry[] = [],
  rows: readonly Row[] = [],
): Journal {
  const name = `outbox-${String(journalsOf(folder).length + 1).padStart(3, "0")}.jsonl`;
  return writeJournal(join(folder, name), [
    { put: [...metaOf(identity), ...rows.filter((row) => !isTransient(row))] },
    { entries: entries.map((entry, i) => ({ ...entry, device_seq: i + 1 })) },
  ]);
}

/** `rows`: those that it keeps in memory only. */
function writeJournal(file: string, lines: readonly Line[], rows: readonly Row[] = []): Journal {
  const beside = `${file}.new`;
  const handle = openSync(beside, "w");
  writeSync(handle, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  fsyncSync(handle);
  closeSync(handle);
  renameSync(beside, file);
  const journal = openJournal(file);
  journal.commit({ put: rows.filter(isTransient) });
  return journal;
}

function openJournal(file: string): Journal {
  const { lines, keepBytes } = readLines(file);
  const handle = openSync(file, "r+");
  ftruncateSync(handle, keepBytes);
  let position = keepBytes;
  const { entries, rows } = replay(lines);
  const tableOf = (table: Table) => {
    const known = rows.get(table) ?? new Map<string, Row>();
    rows.set(table, known);
    return known;
  };
  return {
    file,
    entries,
    rows,
    commit({ entries: added = [], put = [], remove = [], clear = [] }) {
      const last = lastOf(entries);
      const numbered = added.map((entry, i) => ({ device_seq: last + 1 + i, ...entry }));
      const gone = [...remove, ...clear.flatMap((table) => [...tableOf(table).values()])];
      const line: Line = {
        ...(numbered.length > 0 && { entries: numbered }),
        put: put.filter((row) => !isTransient(row)),
        remove: gone.filter((row) => !isTransient(row)).map(({ table, key }) => ({ table, key })),
      };
      if (numbered.length + line.put!.length + line.remove!.length > 0) {
        position += writeSync(handle, `${JSON.stringify(line)}\n`, position, "utf8");
        if (numbered.length > 0) fsyncSync(handle);
      }
      entries.push(...numbered);
      for (const { table, key } of gone) tableOf(table).delete(key);
      for (const row of put) tableOf(row.table).set(row.key, row);
    },
    prune(upTo) {
      const count = forgotten(entries, upTo);
      if (count > 0)
        position += writeSync(handle, `${JSON.stringify({ pruned: upTo } satisfies Line)}\n`, position, "utf8");
      entries.splice(0, count);
      return count;
    },
    list: (table, group) =>
      [...tableOf(table).values()].filter((row) => group === undefined || row.group === group).map((row) => row.value),
    close: () => closeSync(handle),
  };
}

const lastOf = (entries: readonly Entry[]) => entries.at(-1)?.device_seq ?? 0;

/** How many entries at the beginning go; the last one stays. */
function forgotten(entries: readonly Entry[], upTo: number): number {
  return Math.max(0, Math.min(entries.length - 1, upTo + 1 - (entries[0]?.device_seq ?? 1)));
}

function replay(lines: readonly Line[]): Pick<Journal, "entries" | "rows"> {
  const entries: Entry[] = [];
  const rows = new Map<Table, Map<string, Row>>();
  const set = (row: Row) => rows.set(row.table, (rows.get(row.table) ?? new Map()).set(row.key, row));
  for (const { entries: added = [], put = [], remove = [], entry, identity, acked, pruned } of lines) {
    entries.push(...added, ...(entry ? [entry] : []));
    for (const { table, key } of remove) rows.get(table)?.delete(key);
    for (const row of [...(identity ? metaOf(identity) : []), ...put]) set(row);
    if (pruned !== undefined) entries.splice(0, forgotten(entries, pruned));
    if (acked !== undefined) set({ table: "meta", key: "acked", value: acked });
  }
  return { entries, rows };
}

function readLines(file: string): { lines: Line[]; keepBytes: number } {
  const bytes = readFileSync(file);
  const keepBytes = bytes.lastIndexOf(10) + 1;
  const texts = bytes.subarray(0, keepBytes).toString("utf8").split("\n");
  return { lines: texts.filter((text) => text !== "").map((text) => JSON.parse(text) as Line), keepBytes };
}

/** The files of a register's journals, oldest first. */
export function journalsOf(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => /^outbox-\d+\.jsonl$/.test(name));
  return names.sort().map((name) => join(folder, name));
}

/** A journal's entries, and how many of them were acknowledged. */
export function readJournal(file: string): { entries: Entry[]; acked: number } {
  const { entries, rows } = replay(readLines(file).lines);
  return { entries, acked: (rows.get("meta")?.get("acked")?.value as Meta["acked"] | undefined) ?? 0 };
}
