import { expect, test } from "vitest";
import { createPool } from "../../src/db/create-pool.ts";
import { withoutTimeouts } from "../../src/db/pool.ts";
import { sharedReads } from "../../src/db/shared-reads.ts";
import { sql } from "../../src/db/sql.ts";
import { isUnavailable, transaction } from "../../src/db/transaction.ts";
import { cuttingProxy } from "../support/cutting-proxy.ts";
import { eventually } from "../support/eventually.ts";
import { freshDatabase } from "../support/service.ts";

test("a database that silently disappears counts as away, and everything works when it is back", async () => {
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
  // A query at the very moment a connection ends may still fail.
  await eventually(async () => (await Promise.allSettled(everyWay())).every(({ status }) => status === "fulfilled"));

  // Statements that are known to take long have no time limit.
  await withoutTimeouts(pool, (client) => client.query("select pg_sleep(1)"));
  await expect(pool.query("select pg_sleep(1)")).rejects.toSatisfy(isUnavailable);
  await reads.stop();
  await pool.end();
  await database.drop();
});
