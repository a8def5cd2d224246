import { prepared } from "../../../db/sql.ts";
import type { Write } from "../../../engine/writing/write.ts";
import { uuidv7 } from "../../../lib/ids.ts";
import { storableText } from "../../../lib/json.ts";
import { maxRecordBytes, type RawRecord } from "../protocol.ts";
import type { Batch } from "./batch.ts";

/** Quarantined records and conflicts, for the owner to see. */
export function storeQuarantined(
  write: Write,
  deviceId: string,
  quarantined: readonly { record: RawRecord & { type?: unknown; id?: unknown }; reason: string }[],
): void {
  if (quarantined.length === 0) return;
  const storable = (value: unknown) => (typeof value === "string" ? storableText(value.slice(0, 100)) : null);
  const rows = quarantined.map(({ record, reason }) => ({
    device_seq: record.device_seq,
    type: storable(record.type),
    record_id: storable(record.id),
    reason: storable(reason),
    // A record quarantined for its size is cut here too: its register still has the whole.
    raw: JSON.stringify(record).slice(0, maxRecordBytes).toWellFormed(),
  }));
  write.addStatement(
    prepared(
      `insert into quarantined_records (account_id, device_id, received_at, device_seq, type, record_id, reason, raw)
       select $1::uuid, $2::uuid, $3::timestamptz, r.* from json_to_recordset($4::json)
         as r(device_seq bigint, type text, record_id text, reason text, raw text)
       on conflict do nothing`,
      [write.accountId, deviceId, write.at, JSON.stringify(rows)],
    ),
  );
}

export function storeConflicts({ write, deviceId, conflicts }: Batch): void {
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
