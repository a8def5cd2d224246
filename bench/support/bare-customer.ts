import type { Pool } from "../../src/db/pool.ts";
import { prepared } from "../../src/db/sql.ts";
import { searchBits, searchKeys, searchText } from "../../src/engine/search/search-text.ts";
import { uuidv7 } from "../../src/lib/ids.ts";

/** The rows that POST /customers writes, and those of its webhook to an endpoint, in one plain transaction, statement by statement. */
export async function insertBareCustomer(
  database: Pool,
  accountId: string,
  input: object,
  endpointId?: string,
): Promise<{ text: string; event: string }> {
  const at = new Date();
  const id = uuidv7(at);
  const instant = at.toISOString();
  const body = {
    object: "customer",
    id,
    name: "",
    last_name: null,
    email: null,
    phone: null,
    person_type: "person",
    document_type: "CC",
    document_number: null,
    contact_channel: "none",
    deleted_at: null,
    ...input,
    created_at: instant,
    updated_at: instant,
  };
  const text = JSON.stringify(body);
  const eventId = uuidv7(at);
  const event = `{"object":"event","id":"${eventId}","type":"customer.created","created_at":"${instant}","data":{"object":${text}}}`;
  const search = searchText([body.name, body.email, body.document_number]);
  const client = await database.connect();
  await client.query("begin");
  await client.query(
    prepared(
      `insert into customers (account_id, id, created_at, updated_at, seq, email_key, document_number, search, search_keys, search_bits, body,
         revisions, feed_seq)
       values ($1, $2, $3, $3, 1, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [
        accountId,
        id,
        at,
        body.email,
        body.document_number,
        search,
        searchKeys(accountId, search),
        searchBits(search),
        text,
        JSON.stringify({ "*": [1, at.getTime()] }),
        at.getTime(),
      ],
    ),
  );
  await client.query(
    prepared(
      "insert into events (account_id, created_at, id, seq, type, body) values ($1, $2, $3, 1, 'customer.created', $4)",
      [accountId, at, eventId, event],
    ),
  );
  await client.query(
    prepared(
      "insert into idempotency_keys (account_id, key, created_at, fingerprint, status, headers, body) values ($1, $2, $3, $4, 201, '{}', $5)",
      [accountId, id, at, Buffer.alloc(32), text],
    ),
  );
  if (endpointId !== undefined) {
    await client.query(
      prepared(
        `insert into webhook_deliveries (account_id, created_at, id, endpoint_id, event_id, event_type, is_test, state, attempts)
         values ($1, $2, $3, $4, $5, 'customer.created', false, 'delivered', '[{"at":"2026-11-15T12:00:00.000Z","status":200,"duration_ms":2,"failure":null}]')`,
        [accountId, at, uuidv7(at), endpointId, eventId],
      ),
    );
  }
  await client.query("commit");
  client.release();
  return { text, event };
}
