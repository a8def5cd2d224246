import { resources } from "../../business/registry.ts";
import { type EventType, events } from "../../engine/events/event-types.ts";
import { EndpointRecord } from "../endpoints/endpoint-record.ts";
import { apiVersion } from "./delivery-body.ts";

/** The body of an event of this type with the reference's example as its record: what a receiver will get, without real data. */
export function exampleBody(type: EventType, eventId: string, at: Date): string {
  const { object, example } = events[type];
  const schemas = [...resources.map(({ schema }) => schema), EndpointRecord] as { $id?: string; examples?: object[] }[];
  const record = { ...schemas.find(({ $id }) => $id === object)?.examples?.[0], ...example };
  return JSON.stringify({
    id: eventId,
    type,
    created_at: at.toISOString(),
    api_version: apiVersion,
    data: { object: record },
  });
}
