import { plainArray } from "../../../db/arrays.ts";
import { type Read, reading, withoutReading } from "../../../db/read.ts";
import { prepared, sql } from "../../../db/sql.ts";
import type { Write } from "../../../engine/writing/write.ts";
import type { Finding } from "../../../fiscal/findings/finding.ts";
import type { Incoming } from "./read-record.ts";

/** Problems in records that were applied all the same. The owner sees them in the portal. */
export interface Flags {
  /** Takes in stored flags. `get` finds none for records whose flags were not read. */
  add(stored: StoredFlags): void;
  get(record: RecordRef): readonly Finding[];
  /** An empty list removes the flag. */
  set(record: RecordRef, findings: readonly Finding[]): void;
  /** What `set` has changed so far. */
  changes(): { record: RecordRef; before: readonly Finding[]; after: readonly Finding[] }[];
  /** Adds the changed flags to the write. */
  store(deviceId: string): void;
}

export type RecordRef = Pick<Incoming, "type" | "id" | "deviceSeq"> & {
  /** Whose record it is, if not of the register that uploads. */
  deviceId?: string;
};

interface Flagged {
  record: RecordRef;
  findings: readonly Finding[];
}

/** A broken register must not fill the database with findings about one record. */
const maxFindings = 100;

type StoredFlags = ReadonlyMap<string, readonly Finding[]>;

/** The flags of these records. */
export function storedFlags(accountId: string, records: readonly RecordRef[]): Read<StoredFlags> {
  if (records.length === 0) return withoutReading(() => new Map());
  const statement = sql`
    select type, record_id, findings from flagged_records
    where account_id = ${accountId} and record_id = any(${plainArray(records.map(({ id }) => id))}::uuid[])`;
  return reading(
    statement,
    (rows: { type: string; record_id: string; findings: string }[]) =>
      new Map(rows.map(({ type, record_id, findings }) => [keyOf(type, record_id), JSON.parse(findings)])),
  );
}

export function newFlags(write: Write, found: StoredFlags): Flags {
  const stored = new Map(found);
  const changed = new Map<string, Flagged>();
  return {
    add(more) {
      for (const [key, findings] of more) stored.set(key, findings);
    },
    get: ({ type, id }) => changed.get(keyOf(type, id))?.findings ?? stored.get(keyOf(type, id)) ?? [],
    set(record, findings) {
      const key = keyOf(record.type, record.id);
      if (findings.length === 0 && !stored.has(key)) changed.delete(key);
      else changed.set(key, { record, findings: findings.slice(0, maxFindings) });
    },
    changes: () =>
      Array.from(changed, ([key, { record, findings }]) => ({
        record,
        before: stored.get(key) ?? [],
        after: findings,
      })),
    store(deviceId) {
      const all = [...changed.values()];
      const cleared = all.filter(({ findings }) => findings.length === 0);
      const flagged = all.filter(({ findings }) => findings.length > 0);
      if (cleared.length > 0) write.addStatement(removeFlags(write, cleared));
      if (flagged.length > 0) write.addStatement(putFlags(write, deviceId, flagged));
    },
  };
}

function keyOf(type: string, id: string): string {
  return `${type} ${id}`;
}

function removeFlags({ accountId }: Write, cleared: readonly { record: RecordRef }[]) {
  const [types, ids] = [cleared.map(({ record }) => record.type), cleared.map(({ record }) => record.id)];
  return sql`
    delete from flagged_records f using unnest(${ids}::uuid[], ${types}::text[]) as g(id, type)
    where f.account_id = ${accountId} and f.record_id = g.id and f.type = g.type`;
}

function putFlags(write: Write, deviceId: string, flagged: readonly Flagged[]) {
  const rows = flagged.map(({ record, findings }) => ({
    device_id: record.deviceId ?? deviceId,
    record_id: record.id,
    type: record.type,
    device_seq: record.deviceSeq,
    findings,
  }));
  return prepared(
    `insert into flagged_records (account_id, found_at, device_id, record_id, type, device_seq, findings)
     select $1::uuid, $2::timestamptz, r.* from json_to_recordset($3::json)
       as r(device_id uuid, record_id uuid, type text, device_seq bigint, findings json)
     on conflict (account_id, record_id, type) do update set device_id = excluded.device_id,
       device_seq = excluded.device_seq, found_at = excluded.found_at, findings = excluded.findings`,
    [write.accountId, write.at, JSON.stringify(rows)],
  );
}
