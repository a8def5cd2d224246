import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { readClockOffset } from "../../access/accounts/test-clock.ts";
import { startAlerts } from "../../alerts/find-alerts.ts";
import { startNoticeMails } from "../../alerts/mail-notices.ts";
import { shareLimits } from "../../api/http/shared-limits.ts";
import { buildApp, servedParts } from "../../app.ts";
import { startOrderExpiry } from "../../business/orders/expire.ts";
import type { Config } from "../../config.ts";
import { awaitsDistribution, distribute } from "../../db/distribute.ts";
import { migrate } from "../../db/migrate.ts";
import { type NodeWatch, watchNodes } from "../../db/nodes.ts";
import type { Pool } from "../../db/pool.ts";
import { readOnlyReason } from "../../db/read-only.ts";
import type { Deps } from "../../deps.ts";
import { authorityFor } from "../../fiscal/authority/authority-for.ts";
import { startTicketMails } from "../../fiscal/documents/mail-tickets.ts";
import { fiscalWorker } from "../../fiscal/documents/worker.ts";
import { shiftedClock } from "../../lib/clock.ts";
import { type Metrics, newMetrics } from "../../lib/metrics.ts";
import { unlessAborted } from "../../lib/unless-aborted.ts";
import { commit, version } from "../../lib/version.ts";
import { startExpiryNotices } from "../../mail/mail-expiring-keys.ts";
import { startMailWorker } from "../../mail/worker.ts";
import { documentFiles } from "../../paper/attachments.ts";
import { newPress } from "../../paper/press.ts";
import { startErasures } from "../../privacy/erase/worker.ts";
import { startWeeklySummaries } from "../../reports/weekly-summary.ts";
import { watchIncidents } from "../../sites/status/incidents.ts";
import { startWebhookWorker } from "../../webhooks/queue/worker.ts";
import { parseFixedAddresses } from "../../webhooks/sending/resolve-host.ts";
import { offerDemoRegister } from "../demo/demo-register.ts";
import { startFills } from "../fills/worker.ts";
import { requireOwnSettings, settleIdentity } from "../installation/identity.ts";
import { makeDeps, onPool } from "../make-deps.ts";
import { buildAdmin } from "./admin.ts";
import { collectAtRest } from "./collect-at-rest.ts";
import { compareClocks } from "./compare-clocks.ts";
import { connect, openDatabase } from "./database.ts";
import { holdInstallation } from "./hold-installation.ts";
import { listenForChanges } from "./listener.ts";
import { startMaintenance } from "./maintenance.ts";
import { observeDisk, observeNodes, observePool, observeProcess, observeQueues } from "./observe-process.ts";
import { type OpenLog, openLog } from "./open-log.ts";
import { StartError } from "./start-error.ts";
import { superviseEmbedded } from "./supervise-embedded.ts";
import { watchDescriptors } from "./watch-descriptors.ts";
import { watchSchema } from "./watch-schema.ts";
import { watchStalls } from "./watch-stalls.ts";

export interface Running {
  deps: Deps;
  stop(): Promise<void>;
}

/** The parts of the service that a process may run separately. */
export const parts = [...servedParts, "workers"] as const;
export type Part = (typeof parts)[number];

export interface StartOptions {
  only?: readonly Part[];
  /** Runs before the service reports that it is ready. */
  prepare?: (deps: Deps) => Promise<void>;
  /** Aborts the start, which then rejects with the signal's reason. */
  stopping?: AbortSignal;
  /** The process's log, if the caller opened it. */
  opened?: OpenLog;
}

type Cleanup = (() => Promise<unknown> | unknown)[];

/**
 * Starts the database, the schema and the service, in this order; `stop` undoes it in reverse. A stopping process first
 * reports that it is not ready, keeps serving for as long as its operator configured, and then finishes its work.
 */
export async function start(
  config: Config,
  { only = parts, prepare = async () => {}, stopping, opened = openLog(config) }: StartOptions = {},
): Promise<Running> {
  checkWebhookSettings(config);
  const cleanup: Cleanup = [];
  const stop = async () => {
    for (const step of cleanup.splice(0).reverse()) await step();
  };
  try {
    const { log, outage } = opened;
    log.info({ version, commit }, "starting");
    const { pool, url } = await openSchema(config, log, cleanup);
    cleanup.push(outage.watch(url, log));

    const metrics = newMetrics();
    const nodes = await openNodes(pool, url, log, metrics);
    cleanup.push(() => nodes.stop());
    const time = await compareClocks(pool, log, metrics);
    cleanup.push(() => time.stop());
    const deps = await serviceDeps(pool, config, { log, metrics, clock: shiftedClock(time) });
    cleanup.push(() => deps.sharedLimits?.stop());
    let listening = true;
    let serving = false;
    let draining = false;
    const listener = await listenForChanges({ ...deps, url, onState: (connected) => (listening = connected) });
    cleanup.push(() => listener.stop());
    const schema = await watchSchema(pool, log);
    cleanup.push(() => schema.stop());
    const admin = buildAdmin(deps, {
      listening: () => listening,
      serving: () => serving,
      draining: () => draining,
      clock: time.status,
      newerSchema: schema.newer,
      nodesAway: nodes.away,
    });
    cleanup.push(() => admin.close());
    const watches = [watchDescriptors(log), collectAtRest(), watchStalls(metrics)];
    cleanup.push(() => stopAll(watches));
    await listen(admin, config.adminHost, config.adminPort, "ADMIN_PORT");
    const app = buildApp(
      deps,
      servedParts.filter((part) => only.includes(part)),
    );
    if (only.includes("caja")) offerDemoRegister(app, deps);
    let stopWorkers = async () => {};
    cleanup.push(() => Promise.all([app.close(), stopWorkers()]));
    // A port in use is reported before minutes are spent on `prepare`, although the service is ready only after it.
    const isServing = only.some((part) => part !== "workers");
    if (isServing) await listen(app, config.host, config.port, "PORT");
    // Meanwhile reads are served, and /readyz says what is missing.
    await unlessAborted(stopping, () => time.untilTrusted());
    await unlessAborted(stopping, () => prepare(deps));
    serving = true;
    if (only.includes("workers")) stopWorkers = await startWorkers(deps, url, nodes);
    const [maintenance, filling, incidents] = [startMaintenance(deps), startFills(deps), watchIncidents(deps)];
    cleanup.push(() => Promise.all([maintenance.stop(), filling.stop(), incidents.stop()]));
    cleanup.push(async () => {
      draining = true;
      if (!isServing) return;
      app.closeConnectionsAfterResponse();
      await delay(config.drainSeconds * 1000);
    });
    return { deps, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function stopAll(watches: readonly { stop(): void }[]): void {
  for (const watch of watches) watch.stop();
}

/** Opens the installation's database with the current schema, and supervises an embedded PostgreSQL. */
async function openSchema(config: Config, log: Logger, cleanup: Cleanup): Promise<{ pool: Pool; url: string }> {
  const { url, embedded } = await openDatabase(config);
  if (embedded) {
    const hold = await holdInstallation(url);
    if (!hold) {
      throw new StartError(
        `Ya hay un Mostrador usando ${config.dataDir}. Deténgalo primero, o use otra carpeta y otros puertos: DATA_DIR=otra PORT=4000 ADMIN_PORT=4001 npm start`,
      );
    }
    const supervisor = superviseEmbedded(embedded, hold, { dataDir: config.dataDir, log });
    cleanup.push(() => supervisor.stop());
  }
  const pool = await connect(url, {
    max: config.databaseConnections,
    onError: (error) => log.warn({ err: error }, "database connection lost"),
  });
  cleanup.push(() => pool.end());
  if ((await readOnlyReason(pool)) !== undefined)
    throw new StartError(
      "La base de datos no admite escrituras: es una réplica o tiene default_transaction_read_only. Apunte DATABASE_URL al servidor principal.",
    );
  await requireOwnSettings(pool, config);
  const ran = await migrate(pool, {
    onRun: (name) => log.info({ migration: name }, "applying a migration"),
    onWait: (name) => log.warn({ migration: name }, "a table is in use; the migration is tried again in a moment"),
  });
  await settleIdentity(pool, config);
  if (ran.length > 0) log.info({ migrations: ran }, "the schema is up to date");
  if (await awaitsDistribution(pool))
    throw new StartError(
      "La base de datos tiene Citus y sus datos todavía no están repartidos. Deténgalo todo, repártalos con npx mostrador migrate y vuelva a iniciar: vea docs/operations.md, «Shards».",
    );
  await distribute(pool, (table) => log.info({ table }, "distributing a table"));
  return { pool, url };
}

async function openNodes(pool: Pool, url: string, log: Logger, metrics: Metrics): Promise<NodeWatch> {
  const nodes = await watchNodes(pool, url, {
    onChange(away) {
      if (away.length > 0) log.error({ nodes: away }, "nodes of the database are away; their businesses get 503");
      else log.warn("all nodes of the database are back");
    },
  });
  observeNodes(metrics, nodes);
  return nodes;
}

/** They have a separate pool: many writers that wait for one account must not delay deliveries. */
async function startWorkers(
  deps: Deps & { metrics: Metrics },
  url: string,
  nodes: NodeWatch,
): Promise<() => Promise<void>> {
  const pool = await connect(url, {
    max: deps.config.databaseWorkerConnections,
    onError: (error) => deps.log.warn({ err: error }, "database connection lost"),
  });
  nodes.share(pool);
  const stopObserving = observePool(deps.metrics, { name: "workers", pool });
  const own = { ...deps, ...onPool(pool) };
  const fiscal = fiscalWorker(own, authorityFor(own));
  fiscal.start();
  const press = newPress();
  const workers = [
    startMailWorker(own, { filesOf: documentFiles(own, press) }),
    startExpiryNotices(own),
    startNoticeMails(own),
    startTicketMails(own),
    startWeeklySummaries(own),
    startErasures(own),
    startOrderExpiry(own),
    startAlerts(own),
    startWebhookWorker(own),
    fiscal,
  ];
  return async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    await press.stop();
    stopObserving();
    await pool.end();
  };
}

async function serviceDeps(
  pool: Pool,
  config: Config,
  own: Pick<Deps, "log" | "clock"> & { metrics: Metrics },
): Promise<Deps & { metrics: Metrics }> {
  const { log, metrics } = own;
  await readClockOffset(pool, own.clock);
  const deps = makeDeps(pool, config, {
    ...own,
    // Only one process at a time uses the embedded database.
    ...(config.databaseUrl !== undefined && {
      sharedLimits: shareLimits(pool, (error) => log.warn({ err: error }, "rate limits not shared; trying again")),
    }),
  });
  observeProcess(metrics);
  observePool(metrics, { name: "api", pool });
  observeQueues(metrics, deps);
  if (config.databaseUrl === undefined) observeDisk(metrics, config.dataDir);
  return deps;
}

function checkWebhookSettings({ webhookResolve, webhookCaFile }: Config): void {
  if (parseFixedAddresses(webhookResolve) === undefined)
    throw new StartError(
      "WEBHOOK_RESOLVE no se entiende: escriba hooks.ejemplo.com=127.0.0.1:8443, separados por comas.",
    );
  if (webhookCaFile !== undefined && !existsSync(webhookCaFile))
    throw new StartError(`WEBHOOK_CA_FILE=${webhookCaFile} no existe. Indique un certificado en formato PEM.`);
}

async function listen(app: FastifyInstance, host: string, port: number, setting: string): Promise<void> {
  try {
    await app.listen({ host, port, listenTextResolver: (address) => `listening at ${address}` });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") {
      throw new StartError(
        `El puerto ${port} ya está en uso. Elija otro con ${setting}, por ejemplo ${setting}=${port + 1000}.`,
        {
          cause: error,
        },
      );
    }
    if (code === "EACCES" || code === "EADDRNOTAVAIL") {
      throw new StartError(`No se puede escuchar en ${host}:${port} (${code}). Revise HOST y ${setting}.`, {
        cause: error,
      });
    }
    throw error;
  }
}
