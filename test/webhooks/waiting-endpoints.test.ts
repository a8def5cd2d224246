import { expect, test } from "vitest";
import { createPool, type Queryable } from "../../src/db/pool.ts";
import { day } from "../../src/lib/clock.ts";
import { waitingEndpoints } from "../../src/webhooks/queue/waiting-endpoints.ts";
import { freshDatabase } from "../support/service.ts";

/** Fills the queues of `count` endpoints, one account each, with `length` deliveries due a minute apart, the first `now`. */
const fill = (db: Queryable, count: number, length: number, now: Date) =>
  db.query(
    `with accounts as materialized (select gen_random_uuid() as account_id from generate_series(1, $1))
     insert into webhook_queue (account_id, endpoint_id, due_at, id, created_at, event_id, event_type)
     select account_id, account_id, $3::timestamptz + n * interval '1 minute', gen_random_uuid(), $3, gen_random_uuid(), 'sale.created'
     from accounts, generate_series(0, $2 - 1) n`,
    [count, length, now],
  );

test("the walk over the queue finds each endpoint once with its oldest delivery, and reads little of long queues", async () => {
  const database = await freshDatabase();
  const pool = createPool({ url: database.url, max: 1 });
  let [rowsRead, statements] = [0, 0];
  const counted = {
    query: async (...args: Parameters<typeof pool.query>) => {
      const result = await (pool.query as (...all: unknown[]) => Promise<{ rows: unknown[] }>)(...args);
      rowsRead += (result.rows as { deliveries: number }[]).reduce((sum, { deliveries }) => sum + deliveries, 0);
      statements += 1;
      return result;
    },
  } as unknown as Queryable;
  const longQueues = { endpoints: [] };
  const now = new Date();
  const look = async () =>
    (await waitingEndpoints(counted, longQueues)).map(({ accountId, endpointId, dueAt }) => [
      accountId,
      endpointId,
      dueAt,
    ]);
  const truth = async () => {
    const { rows } = await pool.query({
      text: `select account_id, endpoint_id, min(due_at) from webhook_queue group by 1, 2 order by 1, 2`,
      rowMode: "array",
    });
    return rows;
  };
  try {
    expect(await look()).toEqual([]);
    await fill(pool, 63, 1, now);
    expect(await look()).toEqual(await truth());
    await fill(pool, 1, 1, new Date(now.getTime() + day));
    expect(await look()).toEqual(await truth());
    await fill(pool, 400, 3, now);
    await fill(pool, 30, 500, now);
    expect(await look()).toEqual(await truth());
    // Those with long queues are known now, but not what happens between them.
    await fill(pool, 10, 2, now);
    await fill(pool, 2, 700, now);
    await pool.query(
      "delete from webhook_queue where endpoint_id in (select endpoint_id from webhook_queue order by id limit 3)",
    );
    expect(await look()).toEqual(await truth());
    [rowsRead, statements] = [0, 0];
    expect(await look()).toEqual(await truth());
    // Of 16 000 and more.
    expect(rowsRead).toBeLessThan(3_000);
    expect(statements).toBeLessThan(5);
    await pool.query("delete from webhook_queue");
    expect(await look()).toEqual([]);
    statements = 0;
    expect(await look()).toEqual([]);
    expect(statements).toBe(1);
  } finally {
    await pool.end();
    await database.drop();
  }
});
