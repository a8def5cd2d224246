import { prepared, sql } from "../../../db/sql.ts";
import type { Write } from "../../../engine/writing/write.ts";
import type { Finding } from "../../../fiscal/findings/finding.ts";
import type { Incoming } from "./read-record.ts";

/** What is odd in records that were applied all the same, as the owner sees it. */
export interface Flags {
  /** Reads how these records are flagged; asking for one that was not read finds none. */
  load(records: readonly Named[]): Promise<void>;
  of(record: Named): readonly Finding[];
  /** An empty list takes the flag away. */
  set(record: Named, findings: readonly Finding[]): void;
  /** Stores what changed, with the write. */
  keep(deviceId: string): void;
}

type Named = Pick<Incoming, "type" | "id" | "deviceSeq">;

/** Enough to see what is wrong; a broken register must not fill the database with complaints about one record. */
const maxFindings = 100;

export function newFlags(write: Write): Flags {
  const stored = new Map<string, Finding[]>();
  const changed = new Map<string, { record: Named; findings: readonly Finding[] }>();
  return {
    async load(records) {
      if (records.length === 0) return;
      const { rows } = await write.client.query<{ type: string; record_id: string; findings: string }>(sql`
        select type, record_id, findings from flagged_records
        where account_id = ${write.accountId} and record_id = any(${records.map(({ id }) => id)}::uuid[])`);
      for (const { type, record_id, findings } of rows) stored.set(keyOf(type, record_id), JSON.parse(findings));
    },
    of: ({ type, id }) => changed.get(keyOf(type, id))?.findings ?? stored.get(keyOf(type, id)) ?? [],
    set(record, findings) {
      const key = keyOf(record.type, record.id);
      if (findings.length === 0 && !stored.has(key)) changed.delete(key);
      else changed.set(key, { record, findings: findings.slice(0, maxFindings) });
    },
    keep(deviceId) {
      const all = [...changed.values()];
      const gone = all.filter(({ findings }) => findings.length === 0);
      const flagged = all.filter(({ findings }) => findings.length > 0);
      if (gone.length > 0) write.addStatement(removeFlags(write, gone));
      if (flagged.length > 0) write.addStatement(putFlags(write, deviceId, flagged));
    },
  };
}

function keyOf(type: string, id: string): string {
  return `${type} ${id}`;
}

function removeFlags({ accountId }: Write, gone: readonly { record: Named }[]) {
  const [types, ids] = [gone.map(({ record }) => record.type), gone.map(({ record }) => record.id)];
  return sql`
    delete from flagged_records f using unnest(${ids}::uuid[], ${types}::text[]) as g(id, type)
    where f.account_id = ${accountId} and f.record_id = g.id and f.type = g.type`;
}

function putFlags(write: Write, deviceId: string, flagged: readonly { record: Named; findings: readonly Finding[] }[]) {
  const rows = flagged.map(({ record, findings }) => ({
    record_id: record.id,
    type: record.type,
    device_seq: record.deviceSeq,
    findings,
  }));
  return prepared(
    `insert into flagged_records (account_id, device_id, found_at, record_id, type, device_seq, findings)
     select $1::uuid, $2::uuid, $3::timestamptz, r.* from json_to_recordset($4::json)
       as r(record_id uuid, type text, device_seq bigint, findings json)
     on conflict (account_id, record_id, type) do update set device_id = excluded.device_id,
       device_seq = excluded.device_seq, found_at = excluded.found_at, findings = excluded.findings`,
    [write.accountId, deviceId, write.at, JSON.stringify(rows)],
  );
}
