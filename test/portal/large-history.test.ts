import { beforeAll, expect, test } from "vitest";
import { withoutTimeouts } from "../../src/db/pool.ts";
import { sql } from "../../src/db/sql.ts";
import { day } from "../../src/lib/clock.ts";
import { shared, sharedService } from "../support/fixtures.ts";
import { openPortal } from "../support/portal.ts";

/** A million with LARGE_HISTORY_ROWS=1000000, which takes a minute or two to load. */
const rows = Number(process.env.LARGE_HISTORY_ROWS ?? 50_000);
/** Times are checked only on request, on an otherwise idle machine. */
const isTimed = process.env.LARGE_HISTORY_ROWS !== undefined;
const days = 28;
/** Nobody notices a page that takes this long. It is ten times what an idle machine of two cores takes. */
const noticeableMs = 1_000;

let endpointId: string;

const service = sharedService();
const portal = shared(() => openPortal(service));
beforeAll(async () => {
  const input = { url: "https://tienda.com.co/webhooks", event_types: ["sale.completed"] };
  endpointId = (await portal.confirmed("/webhook-endpoints", input)).body.endpoint.id;
  const { pool, partitions, clock } = service.deps;
  const now = clock.now().getTime();
  for (let i = 0; i <= days; i++) await partitions.ensure(new Date(now - i * day));
  // UUIDs of version 7, as the service makes them: the instant first. One of 500 failed.
  await withoutTimeouts(pool, async (client) => {
    await client.query(
      `insert into webhook_deliveries (account_id, created_at, id, endpoint_id, event_id, event_type, is_test, state, attempts)
     select $1, at, (v || substr(gen_random_uuid()::text, 16))::uuid, $2, (v || substr(gen_random_uuid()::text, 16))::uuid,
       'sale.completed', false, case when n % 500 = 0 then 'failed' else 'delivered' end,
       format('[{"at":"2026-11-01T00:00:00.000Z","duration_ms":%s,"status":200,"failure":null,"remote_address":null}]', n % 300)::json
     from (
       select n, at, overlay(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') placing '-' from 9 for 0) || '-7' as v
       from (
         select n, date_trunc('milliseconds', $3::timestamptz - (n * $4::bigint / $5::bigint) * interval '1 millisecond') as at
         from generate_series(1, $5::int) n
       ) t
     ) r`,
      [portal.accountId, endpointId, new Date(now), days * day, rows],
    );
    // As autovacuum does, so that counting needs the index alone.
    await client.query("vacuum (analyze) webhook_deliveries");
  });
});

async function timed(path: string): Promise<{ ms: number; body: { data: { id: string }[]; next_cursor: string } }> {
  const startedAt = performance.now();
  const { status, body } = await portal.get(path);
  expect(status).toBe(200);
  return { ms: performance.now() - startedAt, body };
}

test("a long list of deliveries can be opened, paged, filtered and searched", async () => {
  const list = `/webhook-endpoints/${endpointId}/deliveries`;
  const first = await timed(list);
  expect(first.body.data).toHaveLength(25);
  const next = await timed(`${list}?starting_after=${encodeURIComponent(first.body.next_cursor)}`);
  expect(next.body.data).toHaveLength(25);
  const failed = await timed(`${list}?state=failed`);
  expect(failed.body.data).toHaveLength(25);
  const found = await timed(`${list}?q=${next.body.data[7]!.id}`);
  expect(found.body.data).toHaveLength(1);
  const old = new Date(service.deps.clock.now().getTime() - 20 * day).toISOString();
  const before = await timed(`${list}?created_until=${old}`);
  expect(before.body.data).toHaveLength(25);
  const times = { first, next, failed, found, before };
  for (const [name, { ms }] of Object.entries(times)) if (isTimed) expect(ms, name).toBeLessThan(noticeableMs);
});

test("the charts of a week are read from its hours, however many deliveries it had", async () => {
  const spread = Array(18).fill(0).with(8, 600).with(9, 398);
  await service.deps.pool.query(sql`
    insert into webhook_hours (account_id, endpoint_id, hour, delivered, failed, durations)
    select ${portal.accountId}, ${endpointId}, date_trunc('hour', ${service.deps.clock.now()}::timestamptz) - n * interval '1 hour',
      998, 2, ${spread}::int[] from generate_series(0, 200) n`);
  const startedAt = performance.now();
  const { body } = await portal.get("/overview?period=7d");
  if (isTimed) expect(performance.now() - startedAt).toBeLessThan(noticeableMs);
  expect(body.totals.delivered).toBeGreaterThan(160 * 998);
  expect(body.totals.success_rate).toBeCloseTo(0.998, 3);
  expect(body.totals.p50_ms).toBeGreaterThan(150);
  expect(body.totals.p50_ms).toBeLessThan(250);
});
