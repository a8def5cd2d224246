import type { Statement } from "../../db/sql.ts";
import { must } from "../../lib/must.ts";
import type { Room } from "../deliveries/delivery-signal.ts";
import { fanOut } from "../deliveries/fan-out.ts";
import { type NewEvent, recordEvents } from "../events/record-event.ts";
import { type PutRow, putRecords } from "../resources/put-records.ts";
import type { Change, RecordBody, Resource, Stored } from "../resources/resource.ts";
import { type NewResponse, storeResponses } from "./stored-responses.ts";

/** What writes of one account have changed and not sent yet. */
export interface Changes {
  accountId: string;
  puts: Map<Resource, Map<string, PutRow>>;
  counted: Map<Resource, Change<Stored<RecordBody>>[]>;
  events: NewEvent[];
  /** Given if the events have receivers: the room for their deliveries, and the time. */
  fanOut: { rooms: Room[]; now: Date } | undefined;
  responses: NewResponse[];
}

export function noChanges(accountId: string): Changes {
  return { accountId, puts: new Map(), counted: new Map(), events: [], fanOut: undefined, responses: [] };
}

/** One statement per table stores the changes of all these accounts. */
export function storeChanges(all: readonly Changes[]): Statement[] {
  const resources = new Set(all.flatMap(({ puts }) => [...puts.keys()]));
  const events = all.flatMap((one) => one.events);
  const fannedOut = all.flatMap((one) => (one.fanOut ? [{ ...one.fanOut, events: one.events }] : []));
  const responses = all.flatMap((one) => one.responses);
  return [
    ...Array.from(resources, (resource) => {
      const rows = all.flatMap(({ puts }) => [...(puts.get(resource)?.values() ?? [])]);
      return putRecords(resource, rows);
    }),
    ...all.flatMap(({ accountId, counted }) =>
      Array.from(counted, ([resource, changes]) =>
        must(resource.totals, "Only kinds with totals are counted")(accountId, changes),
      ).flat(),
    ),
    ...(events.length > 0 ? [recordEvents(events)] : []),
    ...(fannedOut.length > 0 ? [fanOut(fannedOut)] : []),
    ...(responses.length > 0 ? [storeResponses(responses)] : []),
  ];
}
