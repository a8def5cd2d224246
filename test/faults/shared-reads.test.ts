import { expect, test } from "vitest";
import { createPool } from "../../src/db/create-pool.ts";
import { sharedReads } from "../../src/db/shared-reads.ts";
import { sql } from "../../src/db/sql.ts";
import { freshDatabase } from "../support/service.ts";

test("of the reads that share a packet, one that fails fails alone, and those behind it are answered", async () => {
  const database = await freshDatabase();
  const pool = createPool({ url: database.url });
  const reads = sharedReads(pool);
  const divide = (by: number) => reads.query<{ share: number }>(sql`select 12 / ${by}::int as share`);
  const texts: string[] = [];
  pool.on("connect", (client) => {
    const send = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((...args: unknown[]) => {
      texts.push(...((args[0] as { texts?: string[] }).texts ?? []));
      return send(...args);
    }) as typeof client.query;
  });

  const outcomes = await Promise.allSettled([1, 0, 2, 3, 0, 4].map(divide));
  expect(outcomes.map((one) => (one.status === "fulfilled" ? one.value.rows[0]!.share : one.reason.code))).toEqual([
    12,
    "22012",
    6,
    4,
    "22012",
    3,
  ]);
  // Six, then the four behind the first that failed, then the one behind the second.
  expect(texts).toHaveLength(11);
  expect((await divide(6)).rows).toEqual([{ share: 2 }]);
  await reads.stop();
  await pool.end();
  await database.drop();
});
