import { prepared, type Statement } from "../db/sql.ts";
import type { EventType } from "./event-types.ts";

export interface NewEvent {
  id: string;
  type: EventType;
  /** The resource's published text at this moment. */
  objectText: string;
}

/** The event as GET /events returns it. `data` comes last, so that a webhook's body can be cut from the same text. */
export function eventText(id: string, type: EventType, createdAt: Date, objectText: string): string {
  return `{"object":"event","id":"${id}","type":"${type}","created_at":"${createdAt.toISOString()}","data":{"object":${objectText}}}`;
}

/** Records events as part of the writing transaction, in the order they were emitted. */
export function recordEvents(accountId: string, at: Date, seq: number, events: readonly NewEvent[]): Statement {
  const rows = events.map(
    ({ id, type, objectText }) => `{"id":"${id}","type":"${type}","body":${eventText(id, type, at, objectText)}}`,
  );
  return prepared(
    `insert into events (account_id, created_at, seq, id, type, body)
     select $1::uuid, $2::timestamptz, $3::bigint, r.id, r.type, r.body
     from json_to_recordset($4::json) as r(id uuid, type text, body json)`,
    [accountId, at, seq, `[${rows.join(",")}]`],
  );
}
