import { prepared } from "../../../db/sql.ts";
import type { Write } from "../../../engine/writing/write.ts";
import { uuidv7 } from "../../../lib/ids.ts";
import { storableText } from "../../../lib/json.ts";
import { build } from "../../../lib/version.ts";
import { maxRecordBytes, type RawRecord } from "../protocol.ts";
import type { Aside } from "./outcome.ts";
import type { WorkingSet } from "./working-set.ts";

/** Keeps records as they came, for the owner to see and for another attempt. */
export function storeAside(
  write: Write,
  deviceId: string,
  some: readonly { record: RawRecord & { type?: unknown; id?: unknown }; aside: Aside }[],
): void {
  if (some.length === 0) return;
  const storable = (value: unknown) => (typeof value === "string" ? storableText(value.slice(0, 200)) : null);
  const rows = some.map(({ record, aside }) => ({
    device_seq: record.device_seq,
    type: storable(record.type),
    record_id: storable(record.id),
    reason: storable(aside.reason),
    raw: rawOf(record),
    state: aside.state,
  }));
  write.addStatement(
    prepared(
      `insert into quarantined_records (account_id, device_id, received_at, tried_at, tried_by, device_seq, type, record_id, reason, raw, state)
       select $1::uuid, $2::uuid, $3::timestamptz, $3::timestamptz, $4, r.* from json_to_recordset($5::json)
         as r(device_seq bigint, type text, record_id text, reason text, raw text, state text)
       on conflict do nothing`,
      [write.accountId, deviceId, write.at, build, JSON.stringify(rows)],
    ),
  );
}

/** A record's size is judged without its numbers. */
const numbersLength = 200;

/** One that is too large is cut; its register still has the whole. */
function rawOf(record: RawRecord): string {
  const text = JSON.stringify(record);
  return text.length > maxRecordBytes + numbersLength ? text.slice(0, maxRecordBytes).toWellFormed() : text;
}

export function storeConflicts({ write, deviceId, conflicts }: WorkingSet): void {
  if (conflicts.length === 0) return;
  const rows = conflicts.map(({ record, conflict }) => ({
    id: uuidv7(write.at),
    device_seq: record.deviceSeq,
    type: record.type,
    record_id: record.id,
    field: conflict.unit,
    kept: conflict.kept ?? null,
    lost: conflict.lost ?? null,
  }));
  write.addStatement(
    prepared(
      `insert into conflicts (account_id, device_id, found_at, id, device_seq, type, record_id, field, kept, lost)
       select $1::uuid, $2::uuid, $3::timestamptz, r.* from json_to_recordset($4::json)
         as r(id uuid, device_seq bigint, type text, record_id uuid, field text, kept json, lost json)`,
      [write.accountId, deviceId, write.at, JSON.stringify(rows)],
    ),
  );
}
