import { describe, expect, test } from "vitest";
import { askOnce } from "../support/citus.ts";
import { type Installation, newInstallation } from "../support/installation.ts";
import { progress } from "../support/long-run.ts";
import { type MixedLoad, startLoad } from "../support/mixed-load.ts";
import { drained, loadProblems } from "../support/mixed-load-checks.ts";

const patienceMs = 180_000;

/** The mixed load of the fault tests on a distributed database, while `disturb` runs; then everything must be there, once. */
async function underLoad(disturb: (installation: Installation, load: MixedLoad) => Promise<unknown>): Promise<void> {
  await using installation = await newInstallation();
  const service = await installation.start();
  await using load = await startLoad(installation, { seed: 1 });
  const tell = () =>
    `acked ${JSON.stringify(load.acked)}, refused ${load.refusals}, delivered ${load.arrivals.size}, odd ${load.odd.length}`;
  const stopTelling = progress(tell);
  const underWay = new Set<string>();
  await load.more(20, patienceMs);
  await disturb(installation, load);
  await load.more(20, patienceMs);
  const { rows } = await installation.ask((pool) => pool.query<{ id: string }>("select id from webhook_queue"));
  for (const { id } of rows) underWay.add(id);
  await load.end();
  await installation.ask((pool) => drained(pool, 200_000));
  await load.endReading();
  stopTelling();
  console.log(tell());
  expect(await installation.ask((pool) => loadProblems(pool, installation, load, underWay))).toEqual([]);
  expect(await service.stop()).toBe(0);
}

/** Empties one node of shards, or fills it again, and waits until all have moved. */
async function rebalance(installation: Installation, hasShards: boolean): Promise<void> {
  await installation.ask(async (pool) => {
    await pool.query(
      `select citus_set_node_property(nodename, nodeport, 'shouldhaveshards', $1) from pg_dist_node
       where groupid = (select max(groupid) from pg_dist_node)`,
      [hasShards],
    );
    await pool.query("select citus_rebalance_start()");
    for (;;) {
      const { rows } = await pool.query(
        "select state from citus_rebalance_status() where state not in ('finished', 'cancelled', 'failed')",
      );
      if (rows.length === 0) break;
      await pool.query("select pg_sleep(0.5)");
    }
    const { rows } = await pool.query("select state, details from citus_rebalance_status()");
    expect(rows.map(({ state }) => state as string)).toEqual(["finished"]);
    const there = await pool.query(
      `select from citus_shards s join pg_dist_node n using (nodename, nodeport)
       where n.groupid = (select max(groupid) from pg_dist_node) and s.citus_table_type = 'distributed'`,
    );
    expect(there.rowCount! > 0).toBe(hasShards);
  });
}

/** Adds an empty server to the nodes of the installation's database. Returns what takes the database from it again. */
async function addNode(installation: Installation, address: string): Promise<() => Promise<void>> {
  const url = new URL(address);
  const { rows } = await installation.ask((pool) => pool.query<{ name: string }>("select current_database() as name"));
  const { name } = rows[0]!;
  // Citus looks on the new node for the database that it was given in, and a clone still names the template.
  const databases = ["template", name];
  for (const one of databases)
    await askOnce(address, (client) => client.query(`create database ${one} template template0 encoding 'UTF8'`));
  url.pathname = `/${name}`;
  await askOnce(url.href, (client) => client.query("create extension citus"));
  await installation.ask((pool) => pool.query("select citus_add_node($1, $2)", [url.hostname, Number(url.port)]));
  return async () => {
    for (const one of databases) await askOnce(address, (client) => client.query(`drop database ${one} with (force)`));
  };
}

/** A server with the extension that is not among the nodes. */
const { CITUS_SPARE_NODE: spare } = process.env;
const timeout = 1_500_000;

describe.skipIf(!process.env.CITUS_URL || !process.env.LONG)("on Citus, with LONG=1", () => {
  test(
    "shards move to another node and back under load: nothing fails but for clean 503s, nothing is lost or doubled",
    {
      timeout,
    },
    () =>
      underLoad(async (installation, load) => {
        await rebalance(installation, false);
        await load.more(10, patienceMs);
        await rebalance(installation, true);
      }),
  );

  test.skipIf(!spare)("so it is when a node is added and gets its share", { timeout }, async () => {
    let remove = async () => {};
    try {
      await underLoad(async (installation) => {
        remove = await addNode(installation, spare!);
        await rebalance(installation, true);
      });
    } finally {
      await remove();
    }
  });
});
