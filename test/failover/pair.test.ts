import { chmod } from "node:fs/promises";
import { afterAll, expect, test } from "vitest";
import {
  copyInto,
  type DebianServer,
  hasDebianPostgres,
  newServer,
  planServer,
  stopServers,
  withoutDebianPostgres,
} from "../support/debian-postgres.ts";
import { query } from "../support/embedded.ts";
import { eventually } from "../support/eventually.ts";
import { sharedFolder } from "../support/fixtures.ts";
import { newInstallation } from "../support/installation.ts";
import { longRun, progress } from "../support/long-run.ts";
import { startLoad } from "../support/mixed-load.ts";
import { drained, loadProblems } from "../support/mixed-load-checks.ts";

/** From the loss of the primary to the next acknowledged writes, with the promotion in between. */
const withinMs = longRun("FAILOVER_MS", 10_000).value;
const patienceMs = 120_000;
const folder = sharedFolder("mostrador-pair-");
afterAll(stopServers);

const reason = !process.env.LONG
  ? "it runs with `npm run test:failover`"
  : hasDebianPostgres
    ? ""
    : withoutDebianPostgres;

/** From here on a commit is acknowledged only once the standby has it on disk. */
async function requireStandby(primary: DebianServer, standby: DebianServer): Promise<void> {
  await primary.query(`alter system set synchronous_standby_names = '${standby.name}'`);
  await primary.query("select pg_reload_conf()");
  await eventually(async () => {
    const rows = await primary.query("select sync_state from pg_stat_replication");
    return rows.some((row) => row.sync_state === "sync");
  }, patienceMs);
}

/** The steps of docs/operations.md for a primary that still answers: it takes no writes, and nobody stays connected to it. */
async function fence(primary: DebianServer): Promise<void> {
  await primary.query("alter system set default_transaction_read_only = on");
  await primary.query("select pg_reload_conf()");
  await primary.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = 'mostrador' and pid <> pg_backend_pid()",
  );
}

test("a standby takes over under load, twice: nothing acknowledged is lost, also while the old primary can still be read", {
  timeout: 900_000,
}, async (context) => {
  if (reason) return context.skip(reason);
  await chmod(folder.path, 0o777);
  const first = await newServer(folder.path, "first");
  await first.start();
  await query(first.url("postgres"), "create database mostrador");
  const [second, third] = [await planServer(folder.path, "second"), await planServer(folder.path, "third")];
  copyInto(second, first, true);
  await second.start();
  await requireStandby(first, second);
  const DATABASE_URL = `postgres://mostrador@${[first, second, third].map(({ port }) => `127.0.0.1:${port}`).join(",")}/mostrador?target_session_attrs=read-write`;

  await using installation = await newInstallation({ DATABASE_URL });
  const service = await installation.start();
  await using load = await startLoad(installation, { seed: 1 });
  const stopTelling = progress(() => `acked ${JSON.stringify(load.acked)}, refused ${load.refusals}`);
  const underWay = new Set<string>();
  const tookMs: number[] = [];
  const takeOver = async (lose: () => Promise<void>, next: DebianServer) => {
    await load.more(50, patienceMs);
    const since = performance.now();
    await lose();
    await next.promote();
    await load.more(1, withinMs);
    tookMs.push(Math.round(performance.now() - since));
    const { rows } = await installation.ask((pool) =>
      pool.query<{ id: string }>("select id from webhook_queue where leased_until is not null"),
    );
    for (const { id } of rows) underWay.add(id);
  };

  await takeOver(() => first.kill(), second);
  copyInto(third, second, true);
  await third.start();
  await requireStandby(second, third);
  await takeOver(() => fence(second), third);
  expect((await second.query("show default_transaction_read_only"))[0].default_transaction_read_only).toBe("on");

  await load.end();
  await installation.ask((pool) => drained(pool, 200_000));
  await load.endReading();
  stopTelling();
  console.log(`back after ${tookMs.join(" and ")} ms; acked ${JSON.stringify(load.acked)}, refused ${load.refusals}`);
  expect(await installation.ask((pool) => loadProblems(pool, installation, load, underWay))).toEqual([]);
  expect(load.acked.registers).toBeGreaterThan(0);
  expect(await service.stop()).toBe(0);
  for (const server of [second, third]) await server.stop();
});
