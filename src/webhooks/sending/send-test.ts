import type { Client } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import type { EventType } from "../../engine/events/event-types.ts";
import { uuidv7 } from "../../lib/ids.ts";
import { lockEndpoint } from "../endpoints/store.ts";
import { testBody, testType } from "./delivery-body.ts";
import { exampleBody } from "./example-event.ts";

/**
 * Queues a test for an endpoint, even a deactivated one: webhook.test, or the example of any type. It is not in the event log,
 * and is tried once.
 */
export async function sendTest(
  client: Client,
  accountId: string,
  endpointId: string,
  now: Date,
  type?: EventType,
): Promise<string> {
  await lockEndpoint(client, accountId, endpointId);
  const eventId = uuidv7(now);
  const deliveryId = uuidv7(now);
  const body = type === undefined ? testBody(eventId, now) : exampleBody(type, eventId, now);
  await client.query(sql`
    insert into webhook_queue (account_id, endpoint_id, due_at, id, created_at, event_id, event_type, is_test, body)
    values (${accountId}, ${endpointId}, ${now}, ${deliveryId}, ${now}, ${eventId}, ${type ?? testType}, true, ${body})`);
  return deliveryId;
}
