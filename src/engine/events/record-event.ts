import { bytesOf, instantArray, jsonArray, plainArray } from "../../db/arrays.ts";
import { ofAccounts, prepared, type Statement, unnested } from "../../db/sql.ts";
import { uuidOfRequestId } from "../../lib/request-id.ts";
import type { EventType } from "./event-types.ts";

export interface NewEvent {
  accountId: string;
  id: string;
  type: EventType;
  /** Its place in the account's order. */
  seq: number;
  at: Date;
  /** The same as a text. */
  createdAt: string;
  /** The request that caused it, if there was one. */
  requestId: string | undefined;
  /** The record as published at this moment. */
  objectText: string;
}

/** The event as GET /events returns it. `data` comes last, so that a webhook's body can be cut from the same text. */
export function eventText(event: Pick<NewEvent, "id" | "type" | "createdAt" | "objectText">): string {
  return eventPieces(event).join("");
}

function eventPieces({ id, type, createdAt, objectText }: Parameters<typeof eventText>[0]): string[] {
  const head = `{"object":"event","id":"${id}","type":"${type}","created_at":"${createdAt}","data":{"object":`;
  return [head, objectText, "}}"];
}

/**
 * Records events as part of the writing transaction, in the order they were emitted. Of several, the account is taken from its
 * clock's row: where tables are distributed, that tells which one shard the statement is for.
 */
export function recordEvents(events: readonly NewEvent[]): Statement {
  // Most writes record one event; this form has no arrays to take apart.
  if (events.length === 1) return recordOne(events[0]!);
  const bodies = events.map(eventPieces);
  const accounts = events.map(({ accountId }) => accountId);
  return prepared(recordText, [
    plainArray([...new Set(accounts)]),
    plainArray(accounts),
    instantArray(events.map(({ at }) => at)),
    plainArray(events.map(({ seq }) => seq)),
    plainArray(events.map(causeOf)),
    plainArray(events.map(({ id }) => id)),
    plainArray(events.map(({ type }) => type)),
    jsonArray(bodies),
    plainArray(bodies.map(bytesOf)),
  ]);
}

const columns = "account_id, created_at, seq, request_id, id, type, body, body_bytes";
const arrays = ["uuid", "timestamptz", "bigint", "uuid", "uuid", "text", "json", "int"].map(
  (type, i) => `$${i + 2}::${type}[]`,
);

const recordText = `insert into events (${columns})
  select c.account_id, r.created_at, r.seq, r.request_id, r.id, r.type, r.body, r.body_bytes
  from account_clock c join ${unnested(...arrays)} as r(${columns}) on r.account_id = c.account_id
  where ${ofAccounts("c")}`;

function recordOne(event: NewEvent): Statement {
  const { accountId, id, type, seq, at } = event;
  const text = eventText(event);
  const values = [accountId, at, seq, causeOf(event), id, type, text, Buffer.byteLength(text)];
  return prepared(`insert into events (${columns}) values ($1, $2, $3, $4, $5, $6, $7, $8)`, values);
}

function causeOf({ requestId }: NewEvent): string | null {
  return requestId === undefined ? null : uuidOfRequestId(requestId);
}
