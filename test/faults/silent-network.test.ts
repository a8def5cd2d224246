import { expect, test } from "vitest";
import { createPool, withoutTimeouts } from "../../src/db/pool.ts";
import { sharedReads } from "../../src/db/shared-reads.ts";
import { sql } from "../../src/db/sql.ts";
import { isUnavailable, transaction } from "../../src/db/transaction.ts";
import { cuttingProxy } from "../support/cutting-proxy.ts";
import { freshDatabase } from "../support/service.ts";
import { eventually } from "../support/webhooks.ts";

test("a database that vanished without a word counts as away, and all is well when it is back", async () => {
  const database = await freshDatabase();
  await using proxy = await cuttingProxy(database.url, { share: 0, seed: 1 });
  const pool = createPool({ url: proxy.url, queryMs: 500 });
  const reads = sharedReads(pool);
  const everyWay = () => [
    pool.query("select 1"),
    reads.query(sql`select 1`),
    reads.query(sql`select 2`),
    transaction(pool, (client) => client.query("select 1")),
  ];
  await Promise.all(everyWay());
  proxy.silence(true);
  for (const outcome of await Promise.allSettled(everyWay()))
    expect(outcome).toSatisfy(({ status, reason }) => status === "rejected" && isUnavailable(reason));
  proxy.silence(false);
  // Who asks in the very moment of a connection's end may still be told of it.
  await eventually(async () => (await Promise.allSettled(everyWay())).every(({ status }) => status === "fulfilled"));

  // What is known to take long is waited for.
  await withoutTimeouts(pool, (client) => client.query("select pg_sleep(1)"));
  await expect(pool.query("select pg_sleep(1)")).rejects.toSatisfy(isUnavailable);
  await reads.stop();
  await pool.end();
  await database.drop();
});
