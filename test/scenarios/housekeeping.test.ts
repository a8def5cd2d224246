import { describe, expect, test } from "vitest";
import { createPool } from "../../src/db/create-pool.ts";
import { dailyPartitions } from "../../src/db/partitions.ts";
import { sql } from "../../src/db/sql.ts";
import { day, hour } from "../../src/lib/clock.ts";
import { newMetrics } from "../../src/lib/metrics.ts";
import { dailyTables } from "../../src/operations/daily-tables.ts";
import { startMaintenance } from "../../src/operations/start/maintenance.ts";
import { retentionInstant } from "../../src/operations/start/retention.ts";
import { eventually } from "../support/eventually.ts";
import { sharedService } from "../support/fixtures.ts";
import { startService } from "../support/service.ts";
import { stopClock } from "../support/time.ts";

const service = sharedService();

/** One whole round; returns the steps that succeeded. */
async function tidy(deps = service.deps): Promise<string[]> {
  const metrics = newMetrics();
  const maintenance = startMaintenance({ ...deps, metrics });
  const succeeded = await eventually(async () => {
    const text = await metrics.render();
    const found = [...text.matchAll(/^mostrador_housekeeping_success_time_seconds\{step="(\w+)"\} ([1-9]\d*)$/gm)];
    // No test makes the last step fail.
    return found.some(([, step]) => step === "retention") && found;
  });
  await maintenance.stop();
  for (const [, , at] of succeeded) expect(Math.abs(Number(at) - deps.clock.now().getTime() / 1000)).toBeLessThan(60);
  return succeeded.map(([, step]) => step!);
}

async function partitions({ deps } = service): Promise<string[]> {
  const { rows } = await deps.pool.query<{ relname: string }>(
    "select relname from pg_class where relispartition and relkind = 'r' order by 1",
  );
  return rows.map(({ relname }) => relname);
}

const nameOf = (table: string, at: Date) => `${table}_${at.toISOString().slice(0, 10).replaceAll("-", "")}`;
const ago = (ms: number) => new Date(Date.now() - ms);

test("a partition that a crash left unattached is attached by the next attempt", async () => {
  const { pool } = service.deps;
  const at = new Date("2031-05-01T12:00:00Z");
  await pool.query(`create table ${nameOf("events", at)} (like events including all excluding indexes)`);
  expect(await partitions()).not.toContain(nameOf("events", at));
  await dailyPartitions(pool, [{ table: "events", keepDays: 30 }]).ensure(at);
  expect(await partitions()).toContain(nameOf("events", at));
});

test("a step that fails does not keep the others from running", async () => {
  const { pool } = service.deps;
  const all = await tidy();
  expect(all).toEqual([
    "partitions",
    "tombstones",
    "expired",
    "rate_buckets",
    "left_behind",
    "ticket_mails",
    "counter_acts",
    "told_alerts",
    "closed_accounts",
    "people",
    "people_at_counters",
    "late_erasures",
    "certificates",
    "webhook_hours",
    "set_aside",
    "incidents",
    "retention",
  ]);
  await pool.query("alter table quotes rename column deleted_at to gone; alter table rate_buckets rename to gone");
  try {
    expect(await tidy()).toEqual([
      "partitions",
      "expired",
      "left_behind",
      "ticket_mails",
      "counter_acts",
      "told_alerts",
      "closed_accounts",
      "people",
      "people_at_counters",
      "late_erasures",
      "certificates",
      "webhook_hours",
      "set_aside",
      "incidents",
      "retention",
    ]);
  } finally {
    await pool.query("alter table quotes rename column gone to deleted_at; alter table gone rename to rate_buckets");
  }
  expect(await tidy()).toEqual(all);
});

describe("dropping old partitions", () => {
  test("goes by the database's clock, not by the host's", async () => {
    await using own = await startService();
    await own.deps.partitions.ensure(ago(20 * day));
    await tidy(own.deps);
    const before = await partitions(own);
    stopClock(own, new Date(Date.now() + 400 * day));
    const maintenance = startMaintenance(own.deps);
    await maintenance.stop();
    expect(await partitions(own)).toEqual(expect.arrayContaining(before));
  });

  test("does not happen while the two clocks disagree", async () => {
    const { deps } = service;
    await deps.pool.query(
      `create table events_20250101 partition of events for values from ('2025-01-01') to ('2025-01-02')`,
    );
    const maintenance = startMaintenance({ ...deps, clock: { ...deps.clock, isTrusted: () => false } });
    await maintenance.stop();
    expect(await partitions()).toContain("events_20250101");
    await tidy();
    expect(await partitions()).not.toContain("events_20250101");
  });

  test("follows the test environment's clock when it is advanced", async () => {
    await using own = await startService();
    await own.deps.partitions.ensure(own.deps.clock.now());
    const today = nameOf("events", own.deps.clock.now());
    own.deps.clock.shiftTo(40 * day);
    await tidy(own.deps);
    expect(await partitions(own)).not.toContain(today);
  });

  test("waits when the database's clock jumps, an hour for each day of the jump", async () => {
    const { pool } = service.deps;
    const stand = (retention: Date, seen: Date) =>
      pool.query(sql`update installation set retention_at = ${retention}, clock_seen_at = ${seen}`);
    const behind = async () => {
      const { at, isHeldBack } = await retentionInstant(pool);
      return { hours: Math.round((Date.now() - at.getTime()) / hour) + 0, isHeldBack };
    };
    await stand(ago(400 * day), ago(400 * day));
    expect(await behind()).toEqual({ hours: 9600, isHeldBack: true });
    expect(await behind()).toEqual({ hours: 9600, isHeldBack: true });
    await stand(ago(10 * day), ago(hour));
    expect(await behind()).toEqual({ hours: 240 - 25, isHeldBack: true });
    // Correcting the clock brings nothing back and drops nothing early.
    await stand(new Date(Date.now() + 5 * day), new Date(Date.now() + 5 * day));
    expect(await behind()).toEqual({ hours: 0, isHeldBack: false });
    await stand(ago(hour), ago(hour));
    expect(await behind()).toEqual({ hours: 0, isHeldBack: false });
  });
});

test("the demo's history gets no partitions that would be dropped at once", async () => {
  const { deps } = service;
  for (let days = 28; days >= 0; days--) await deps.partitions.ensure(ago(days * day));
  const made = await partitions();
  expect(made).toContain(nameOf("events", ago(28 * day)));
  expect(await deps.partitions.dropExpired(new Date())).toEqual([]);
  for (const { table } of dailyTables) expect(made).toContain(nameOf(table, new Date()));
});

test("every step finds its rows through an index", async () => {
  const { databaseUrl } = service;
  const pool = createPool({ url: `${databaseUrl}?options=-c%20enable_seqscan%3Doff%20-c%20TimeZone%3DUTC`, max: 1 });
  const indexes = [
    ...["customers", "categories", "products", "quotes"].map((table) => `${table}_tombstones`),
    "confirmations_age",
    "portal_sessions_end",
    "portal_sessions_seen",
    "sign_in_failures_age",
    "rate_buckets_age",
    "ticket_mails_settled",
    "counter_acts_age",
  ];
  try {
    await service.business();
    await tidy({ ...service.deps, pool });
    const used = async () => {
      await pool.query("select pg_stat_force_next_flush()");
      const { rows } = await pool.query<{ name: string }>(sql`
        select indexrelname as name from pg_stat_user_indexes where idx_scan > 0 and indexrelname = any(${indexes})`);
      return rows.map(({ name }) => name).toSorted();
    };
    await eventually(async () => (await used()).length === indexes.length, 5_000).catch(() => {});
    expect(await used()).toEqual(indexes.toSorted());
  } finally {
    await pool.end();
  }
});
