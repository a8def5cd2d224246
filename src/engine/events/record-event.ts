import { bytesOf, jsonArray } from "../../db/json-array.ts";
import { prepared, type Statement } from "../../db/sql.ts";
import { uuidOfRequestId } from "../../lib/request-id.ts";
import type { EventType } from "./event-types.ts";

export interface NewEvent {
  id: string;
  type: EventType;
  /** The record as published at this moment. */
  objectText: string;
}

/** The event as GET /events returns it. `data` comes last, so that a webhook's body can be cut from the same text. */
export function eventText(id: string, type: EventType, createdAt: Date, objectText: string): string {
  return eventPieces(id, type, createdAt.toISOString(), objectText).join("");
}

function eventPieces(id: string, type: EventType, createdAt: string, objectText: string): string[] {
  const head = `{"object":"event","id":"${id}","type":"${type}","created_at":"${createdAt}","data":{"object":`;
  return [head, objectText, "}}"];
}

/** The events' place in the account's order, and the request that caused them. */
export interface EventContext {
  accountId: string;
  at: Date;
  seq: number;
  requestId: string | undefined;
}

/** Records events as part of the writing transaction, in the order they were emitted. */
export function recordEvents({ accountId, at, seq, requestId }: EventContext, events: readonly NewEvent[]): Statement {
  const instant = at.toISOString();
  const ids = events.map(({ id }) => id);
  const bodies = events.map(({ id, type, objectText }) => eventPieces(id, type, instant, objectText));
  return prepared(
    `insert into events (account_id, created_at, seq, request_id, id, type, body, body_bytes)
     select $1::uuid, $2::timestamptz, $3::bigint, $7::uuid, r.id, r.type, r.body, r.bytes
     from unnest($4::uuid[], $5::text[], $6::json[], $8::int[]) as r(id, type, body, bytes)`,
    [
      accountId,
      at,
      seq,
      ids,
      events.map(({ type }) => type),
      jsonArray(bodies),
      requestId && uuidOfRequestId(requestId),
      bodies.map(bytesOf),
    ],
  );
}
