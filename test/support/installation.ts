import type { ChildProcess } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withAccountLock } from "../../src/access/accounts/account-lock.ts";
import { createEnrolmentCode } from "../../src/access/devices/create-enrolment-code.ts";
import { warehouses } from "../../src/business/inventory/resource.ts";
import { createPool } from "../../src/db/create-pool.ts";
import { findEmbedded, startEmbedded } from "../../src/db/embedded.ts";
import { migrate } from "../../src/db/migrate.ts";
import type { Pool } from "../../src/db/pool.ts";
import { eventTypes } from "../../src/engine/events/event-types.ts";
import { connect } from "../../src/operations/start/database.ts";
import { createEndpoint } from "../../src/webhooks/endpoints/create-endpoint.ts";
import { secretBox } from "../../src/webhooks/endpoints/secret-box.ts";
import { eventually } from "./eventually.ts";
import { fiscalBusiness } from "./fiscal.ts";
import { freePort, type StartedService, startMostrador } from "./process.ts";
import { type Receiver, receiverHost, startReceiver } from "./receiver.ts";
import { store, warehouseBody } from "./records.ts";
import { type Business, freshDatabase, type Service, serve } from "./service.ts";

const registers = 2;
const codesPerRegister = 3;

/** A complete installation that a test may damage: its own durable PostgreSQL, `mostrador start`, a receiver. */
export interface Installation extends AsyncDisposable {
  dataDir: string;
  /** The same after every start. */
  url: string;
  adminUrl: string;
  /** The business with registers and with documents at the authority. */
  shop: Business;
  /** A business that uses the API alone: only its clients change its records. */
  office: Business;
  /** Codes for registers to enrol with. */
  codes: string[];
  receiver: Receiver;
  start(spawned?: (child: ChildProcess) => void): Promise<StartedService>;
  /** The process id of the running PostgreSQL. */
  postmaster(): Promise<number>;
  /** Runs `work` on a pool of its own, since the database may be killed at any time. */
  ask<T>(work: (pool: Pool) => Promise<T>): Promise<T>;
}

/**
 * Every event of both businesses goes to the receiver. The database keeps running, and the first start adopts it; with
 * CITUS_URL it is one on that Citus. With DATABASE_URL among the settings, that empty one is used, and it is the caller's to end.
 */
export async function newInstallation(
  settings: Record<string, string> = {},
  dataDir?: string,
  now: () => Date = () => new Date(),
): Promise<Installation> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), "mostrador-faults-")));
  const onCitus = process.env.CITUS_URL && !settings.DATABASE_URL ? await freshDatabase() : undefined;
  const given = settings.DATABASE_URL ?? onCitus?.url;
  const receiver = await startReceiver({ now });
  const [port, adminPort] = [String(await freePort()), String(await freePort())];
  const env = {
    DATA_DIR: folder,
    PORT: port,
    ADMIN_PORT: adminPort,
    SECRET_KEY: "k".repeat(32),
    RATE_LIMIT_PER_SECOND: "0",
    LOG_LEVEL: "fatal",
    WEBHOOK_RESOLVE: `${receiverHost}=127.0.0.1:${receiver.port}`,
    WEBHOOK_CA_FILE: receiver.caFile,
    ...settings,
    ...(given && { DATABASE_URL: given }),
  };
  const running = new Set<StartedService>();
  const url = given ?? (await startEmbedded({ dataDir: folder })).url;
  const made = await makeBusinesses(url, env.SECRET_KEY, receiver);
  return {
    ...made,
    dataDir: folder,
    url: `http://127.0.0.1:${port}`,
    adminUrl: `http://127.0.0.1:${adminPort}`,
    receiver,
    async start(spawned) {
      const started = await startMostrador(env, [], spawned);
      running.add(started);
      return started;
    },
    async postmaster() {
      return Number((await readFile(join(folder, "postgres/data/postmaster.pid"), "utf8")).split("\n")[0]);
    },
    async ask(work) {
      // A database that was killed while it answered may not be back when the answer arrives.
      const pool = given
        ? await connect(given, { max: 2 })
        : createPool({ url: await eventually(() => findEmbedded(folder)), max: 2, applicationName: "test" });
      try {
        return await work(pool);
      } finally {
        await pool.end();
      }
    },
    async [Symbol.asyncDispose]() {
      for (const started of running) await started.kill();
      if (await findEmbedded(folder)) await (await startEmbedded({ dataDir: folder })).stop();
      await receiver[Symbol.asyncDispose]();
      await onCitus?.drop();
      if (dataDir === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

async function makeBusinesses(url: string, SECRET_KEY: string, receiver: Receiver) {
  const pool = createPool({ url, max: 1 });
  await migrate(pool);
  await pool.end();
  const service = await serve(url, { SECRET_KEY });
  try {
    const shop = await fiscalBusiness(service, { posTo: 10_000_000 });
    const office = await service.business();
    await store(service.deps, office.accountId, warehouses, (at) => [{ body: warehouseBody(at) }]);
    for (const { accountId } of [shop, office]) await addEndpoint(service, accountId, receiver);
    const codes: string[] = [];
    for (let i = 0; i < registers * codesPerRegister; i++)
      codes.push((await createEnrolmentCode(service.deps, { accountId: shop.accountId, name: "Caja" })).code);
    return { shop, office, codes };
  } finally {
    await service[Symbol.asyncDispose]();
  }
}

async function addEndpoint({ deps }: Service, accountId: string, receiver: Receiver): Promise<void> {
  const path = `/${accountId}`;
  const wish = { url: `https://${receiverHost}${path}`, event_types: [...eventTypes] };
  const { secret } = await withAccountLock(deps, accountId, (client) =>
    createEndpoint(client, secretBox(deps.config.secretKey), accountId, wish, deps.clock.now()),
  );
  receiver.secrets.set(path, [secret]);
}
