import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { accessCache } from "../../access/api-keys/access-cache.ts";
import { shareLimits } from "../../api/http/shared-limits.ts";
import { buildApp, servedParts } from "../../app.ts";
import type { Config } from "../../config.ts";
import { migrate } from "../../db/migrate.ts";
import { dailyPartitions } from "../../db/partitions.ts";
import { readOnlyReason } from "../../db/read-only.ts";
import type { Deps } from "../../deps.ts";
import { deliverySignal } from "../../engine/deliveries/delivery-signal.ts";
import { feedSignal } from "../../engine/writing/feed-signal.ts";
import { authorityFor } from "../../fiscal/authority/authority-for.ts";
import { fiscalWorker } from "../../fiscal/documents/worker.ts";
import { bell } from "../../lib/bell.ts";
import { shiftedClock } from "../../lib/clock.ts";
import { type Metrics, newMetrics } from "../../lib/metrics.ts";
import { unlessAborted } from "../../lib/unless-aborted.ts";
import { version } from "../../lib/version.ts";
import { startNoticeMails } from "../../mail/mail-notices.ts";
import { startExpiryNotices } from "../../mail/notice-expiring.ts";
import { startMailWorker } from "../../mail/worker.ts";
import { startWebhookWorker } from "../../webhooks/queue/worker.ts";
import { parseFixedAddresses } from "../../webhooks/sending/resolve-host.ts";
import { dailyTables } from "../daily-tables.ts";
import { buildAdmin } from "./admin.ts";
import { compareClocks } from "./compare-clocks.ts";
import { connect, openDatabase } from "./database.ts";
import { keepEmbedded } from "./keep-embedded.ts";
import { listenForChanges, readClockOffset } from "./listener.ts";
import { createLogger } from "./logger.ts";
import { startMaintenance } from "./maintenance.ts";
import { observePool, observeProcess, observeQueues } from "./observe-process.ts";
import { newOutage } from "./outage.ts";
import { holdInstallation } from "./single-use.ts";
import { StartError } from "./start-error.ts";
import { watchDescriptors } from "./watch-descriptors.ts";

export interface Running {
  deps: Deps;
  stop(): Promise<void>;
}

/** The parts of the service that a process may run alone. */
export const parts = [...servedParts, "workers"] as const;
export type Part = (typeof parts)[number];

export interface StartOptions {
  only?: readonly Part[];
  /** What is done before the service says that it is ready. */
  prepare?: (deps: Deps) => Promise<void>;
  /** Ends a start that takes long, with the signal's reason. */
  stopping?: AbortSignal;
}

/**
 * Database, schema, service: in this order, and down again in the reverse one. A process that stops says so first, goes on
 * serving for as long as its operator asked, and then ends what it has begun.
 */
export async function start(
  config: Config,
  { only = parts, prepare = async () => {}, stopping }: StartOptions = {},
): Promise<Running> {
  checkWebhookSettings(config);
  const undo: (() => Promise<unknown> | unknown)[] = [];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const outage = newOutage();
    const log = createLogger(config.logLevel, 1, outage.hides);
    log.info({ version }, "starting");
    const database = await openDatabase(config);
    if (database.embedded) {
      const hold = await holdInstallation(database.url);
      if (!hold) {
        throw new StartError(
          `Ya hay un Mostrador usando ${config.dataDir}. Deténgalo primero, o use otra carpeta y otros puertos: DATA_DIR=otra PORT=4000 ADMIN_PORT=4001 npm start`,
        );
      }
      const kept = keepEmbedded(database.embedded, hold, { dataDir: config.dataDir, log });
      undo.push(() => kept.stop());
    }
    const pool = await connect(database.url, {
      onError: (error) => log.warn({ err: error }, "database connection lost"),
    });
    undo.push(() => pool.end());
    if ((await readOnlyReason(pool)) !== undefined)
      throw new StartError(
        "La base de datos no admite escrituras: es una réplica o tiene default_transaction_read_only. Apunte DATABASE_URL al servidor principal.",
      );
    const ran = await migrate(pool, (name) => log.info({ migration: name }, "applying a migration"));
    if (ran.length > 0) log.info({ migrations: ran }, "the schema is up to date");
    undo.push(outage.watch(database.url, log));

    const metrics = newMetrics();
    const time = await compareClocks(pool, log, metrics);
    undo.push(() => time.stop());
    const deps = await makeDeps({ config, pool, log, metrics, clock: shiftedClock(time) });
    undo.push(() => deps.sharedLimits?.stop());
    let listening = true;
    let serving = false;
    let draining = false;
    const listener = await listenForChanges({
      ...deps,
      url: database.url,
      onState: (connected) => (listening = connected),
    });
    undo.push(() => listener.stop());
    const admin = buildAdmin(deps, {
      listening: () => listening,
      serving: () => serving,
      draining: () => draining,
      clock: time.standing,
    });
    undo.push(() => admin.close());
    const descriptors = watchDescriptors(log);
    undo.push(() => descriptors.stop());
    await listen(admin, config.adminHost, config.adminPort, "ADMIN_PORT");
    const app = buildApp(
      deps,
      servedParts.filter((part) => only.includes(part)),
    );
    let stopWorkers = async () => {};
    undo.push(() => Promise.all([app.close(), stopWorkers()]));
    // A port that is taken is told before minutes are spent on anything else; ready it is only after `prepare`.
    const isServing = only.some((part) => part !== "workers");
    if (isServing) await listen(app, config.host, config.port, "PORT");
    // Reads are served meanwhile, and /readyz tells what it waits for.
    await unlessAborted(stopping, () => time.untilTrusted());
    await unlessAborted(stopping, () => prepare(deps));
    serving = true;
    if (only.includes("workers")) stopWorkers = await startWorkers(deps, database.url);
    const maintenance = startMaintenance(deps);
    undo.push(() => maintenance.stop());
    undo.push(async () => {
      draining = true;
      if (!isServing) return;
      app.endConnectionsWithNextAnswer();
      await delay(config.drainSeconds * 1000);
    });
    return { deps, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Connections of their own: behind a crowd of writers that wait for one account, deliveries would wait too. */
const workerConnections = 4;

async function startWorkers(deps: Deps & { metrics: Metrics }, url: string): Promise<() => Promise<void>> {
  const pool = await connect(url, {
    max: workerConnections,
    onError: (error) => deps.log.warn({ err: error }, "database connection lost"),
  });
  const stopObserving = observePool(deps.metrics, { name: "workers", pool });
  const own = { ...deps, pool };
  const fiscal = fiscalWorker(own, authorityFor(own));
  fiscal.start();
  const workers = [
    startMailWorker(own),
    startExpiryNotices(own),
    startNoticeMails(own),
    startWebhookWorker(own),
    fiscal,
  ];
  return async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    stopObserving();
    await pool.end();
  };
}

type Given = Pick<Deps, "config" | "pool" | "log" | "clock"> & { metrics: Metrics };

async function makeDeps(given: Given): Promise<Deps & { metrics: Metrics }> {
  const { config, pool, log, metrics } = given;
  await readClockOffset(pool, given.clock);
  const deps = {
    ...given,
    partitions: dailyPartitions(pool, dailyTables),
    access: accessCache(pool),
    deliveries: deliverySignal(),
    changes: bell(),
    mail: bell(),
    feed: feedSignal(),
    // The embedded database has one service at a time.
    ...(config.databaseUrl !== undefined && {
      sharedLimits: shareLimits(pool, (error) => log.warn({ err: error }, "rate limits not shared; trying again")),
    }),
  };
  observeProcess(metrics);
  observePool(metrics, { name: "api", pool });
  observeQueues(metrics, deps);
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
      throw new StartError(`El puerto ${port} ya está en uso. Elija otro: ${setting}=${port + 1000} npm start`, {
        cause: error,
      });
    }
    if (code === "EACCES" || code === "EADDRNOTAVAIL") {
      throw new StartError(`No se puede escuchar en ${host}:${port} (${code}). Revise HOST y ${setting}.`, {
        cause: error,
      });
    }
    throw error;
  }
}
