import { instantArray, jsonArray, plainArray } from "../../db/arrays.ts";
import { prepared, type Statement } from "../../db/sql.ts";
import { uuidOfRequestId } from "../../lib/request-id.ts";
import { forAccounts, ofAccountRows } from "../account-rows.ts";
import type { EventType } from "./event-types.ts";

export interface NewEvent {
  accountId: string;
  id: string;
  type: EventType;
  /** The place of its write in the account's order. */
  seq: number;
  /** Its own place among the account's events. */
  sequence: number;
  at: Date;
  /** The same as a text. */
  createdAt: string;
  /** The request that caused it, if there was one. */
  requestId: string | undefined;
  /** The id of the record in it. */
  objectId: string;
  /** Where what it is about happened; undefined for what belongs to no sede. */
  locationId: string | undefined;
  /** Whether an earlier version of the record is so young that its own deliveries may still be under way. */
  follows: boolean;
  /** The record as published at this moment. */
  objectText: string;
}

/** The event as GET /events returns it. `data` comes last, so that a webhook's body can be cut from the same text. */
export function eventText(event: Pick<NewEvent, "id" | "type" | "sequence" | "createdAt" | "objectText">): string {
  return eventPieces(event).join("");
}

function eventPieces(event: Parameters<typeof eventText>[0]): [string, string, string] {
  const { id, type, sequence, createdAt, objectText } = event;
  const head = `{"object":"event","id":"${id}","type":"${type}","created_at":"${createdAt}","sequence":${sequence},"data":{"object":`;
  return [head, objectText, "}}"];
}

/** The first and the last piece are ASCII. */
function bytesOf([head, objectText, end]: ReturnType<typeof eventPieces>): number {
  return head.length + Buffer.byteLength(objectText) + end.length;
}

/** Records events as part of the writing transaction, in the order they were emitted. */
export function recordEvents(events: readonly NewEvent[]): Statement {
  // Most writes record one event; this form has no arrays to take apart.
  const [first, ...others] = events;
  if (first && others.length === 0) return recordOne(first);
  const bodies = events.map(eventPieces);
  const sizes = bodies.map(bytesOf);
  const values = [
    instantArray(events.map(({ at }) => at)),
    plainArray(events.map(({ seq }) => seq)),
    plainArray(events.map(causeOf)),
    plainArray(events.map(({ id }) => id)),
    plainArray(events.map(({ type }) => type)),
    jsonArray(bodies, sizes),
    plainArray(sizes),
  ];
  return ofAccountRows(
    recordForms,
    events.map(({ accountId }) => accountId),
    values,
  );
}

const columns = "created_at, seq, request_id, id, type, body, body_bytes";
const types = ["timestamptz", "bigint", "uuid", "uuid", "text", "json", "int"];

const recordForms = forAccounts(
  `insert into events (account_id, ${columns}) select c.account_id, ${columns.replaceAll(/\w+/g, "r.$&")}`,
  { names: columns, arrays: types.map((type, i) => `$${i + 2}::${type}[]`), last: types.length + 1 },
);

function recordOne(event: NewEvent): Statement {
  const { accountId, id, type, seq, at } = event;
  const text = eventText(event);
  const values = [accountId, at, seq, causeOf(event), id, type, text, Buffer.byteLength(text)];
  return prepared(`insert into events (account_id, ${columns}) values ($1, $2, $3, $4, $5, $6, $7, $8)`, values);
}

function causeOf({ requestId }: NewEvent): string | null {
  return requestId === undefined ? null : uuidOfRequestId(requestId);
}
