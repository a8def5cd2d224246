import { statfs } from "node:fs/promises";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { countSetAside } from "../../api/sync/set-aside/due.ts";
import type { NodeWatch } from "../../db/nodes.ts";
import { partitionDaysAhead } from "../../db/partitions.ts";
import { poolReadOnlyReason } from "../../db/read-only.ts";
import { isNodeAway } from "../../db/transaction.ts";
import type { Deps } from "../../deps.ts";
import { pendingDocuments } from "../../fiscal/documents/pending-documents.ts";
import type { Metrics, Reading } from "../../lib/metrics.ts";
import { commit, version } from "../../lib/version.ts";
import { pendingMails } from "../../mail/pending-mails.ts";
import { pendingDeliveries } from "../../webhooks/queue/due-endpoints.ts";
import type { LongQueues } from "../../webhooks/queue/waiting-endpoints.ts";
import { dailyTables } from "../daily-tables.ts";

type ObservedPool = { name: string; pool: Deps["pool"] };

/** Metrics of the process: memory, CPU time and event loop delay. */
export function observeProcess(metrics: Metrics): void {
  const loop = monitorEventLoopDelay({ resolution: 20 });
  loop.enable();
  metrics.collect(() => {
    const { user, system } = process.cpuUsage();
    const lateSeconds = Math.max(0, loop.percentile(99) / 1e9 - 0.02);
    loop.reset();
    const labels = { version, commit, node: process.versions.node };
    return [
      { name: "mostrador_build_info", help: "Always 1; version and commit are in the labels.", labels, value: 1 },
      {
        name: "process_cpu_seconds_total",
        help: "Processor time used.",
        type: "counter",
        value: (user + system) / 1e6,
      },
      { name: "process_resident_memory_bytes", help: "Memory in use.", value: process.memoryUsage.rss() },
      {
        name: "process_start_time_seconds",
        help: "When the process started, in Unix time.",
        value: Math.round(performance.timeOrigin) / 1000,
      },
      {
        name: "mostrador_event_loop_late_seconds",
        help: "How late the event loop came, 99th percentile since the last reading.",
        value: lateSeconds,
      },
    ];
  });
}

export function observePool(metrics: Metrics, { name, pool }: ObservedPool): () => void {
  const help = "Connections to PostgreSQL, how many there may be, and requests that wait for one.";
  return metrics.collect(() => {
    const counts = { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount, max: pool.options.max };
    const labelled = Object.entries(counts).map(([state, value]) => ({ labels: { pool: name, state }, value }));
    return labelled.map((reading) => ({ name: "mostrador_pool_connections", help, ...reading }));
  });
}

/** The disk of an embedded database. Of another server's disk only its own exporter knows. */
export function observeDisk(metrics: Metrics, dataDir: string): void {
  metrics.collect(async () => {
    const { bavail, blocks, bsize } = await statfs(dataDir);
    return [
      { name: "mostrador_disk_free_bytes", help: "Free space on the disk of DATA_DIR.", value: bavail * bsize },
      { name: "mostrador_disk_size_bytes", help: "Size of the disk of DATA_DIR.", value: blocks * bsize },
    ];
  });
}

export function observeNodes(metrics: Metrics, nodes: NodeWatch): void {
  metrics.collect(() => [
    {
      name: "mostrador_database_nodes_away",
      help: "Nodes of a Citus that do not answer; only the businesses there are affected.",
      value: nodes.away().length,
    },
  ]);
}

/** Scrapes may be frequent and come from several places: the database is queried at most this often. */
const queryEveryMs = 5_000;

/** Work waiting in the database, for any process. If the database is down or refuses writes, only that is reported. */
export function observeQueues(metrics: Metrics, deps: Deps): void {
  let latest: { at: number; readings: Promise<Reading[]> } | undefined;
  const longQueues: LongQueues = { endpoints: [] };
  const read = () => readQueues(deps, longQueues).catch((error) => [up(isNodeAway(error) ? 1 : 0)]);
  metrics.collect(() => {
    if (!latest || performance.now() - latest.at > queryEveryMs) latest = { at: performance.now(), readings: read() };
    return latest.readings;
  });
}

async function readQueues({ pool, clock }: Deps, longQueues: LongQueues): Promise<Reading[]> {
  if ((await poolReadOnlyReason(pool)) !== undefined) return [up(0)];
  const now = clock.now();
  const queues = [
    { queue: "webhooks", ...(await pendingDeliveries(pool, now, longQueues)) },
    { queue: "fiscal", ...(await pendingDocuments(pool, now)) },
    { queue: "mail", ...(await pendingMails(pool, now)) },
  ];
  return [
    up(1),
    ...queues.map(({ queue, pending }) => ({
      name: "mostrador_queue_pending",
      help: "What still has to be done, counted up to 100 000.",
      labels: { queue },
      value: pending,
    })),
    ...queues.map(({ queue, oldestDue }) => ({
      name: "mostrador_queue_age_seconds",
      help: "How long the oldest that is due has been waiting.",
      labels: { queue },
      value: oldestDue ? Math.max(0, (now.getTime() - oldestDue.getTime()) / 1000) : 0,
    })),
    ...Object.entries(await countSetAside(pool)).map(([state, value]) => ({
      name: "mostrador_set_aside_records",
      help: "Uploaded records that are not stored: waiting for a fault of ours to be mended, or refused for their content.",
      labels: { state },
      value,
    })),
    {
      name: "mostrador_partition_days_ahead",
      help: "For how many days after today every daily table has its partition; -1 when one of today is missing.",
      value: await partitionDaysAhead(pool, dailyTables, now),
    },
  ];
}

function up(value: 0 | 1): Reading {
  return { name: "mostrador_database_up", help: "Whether PostgreSQL answers and takes writes.", value };
}
