import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { ensureCluster, findLayout, type Layout, openLayout, readPassword } from "./embedded/cluster.ts";
import { type Launch, launch } from "./embedded/launch.ts";
import {
  isAlive,
  isPostmasterOf,
  type Postmaster,
  readLockFile,
  requestStop,
  stopPostmaster,
} from "./embedded/postmaster.ts";
import { EmbeddedPostgresError, fileProblem, serverProblem } from "./embedded/problem.ts";
import { findProgram } from "./embedded/program.ts";

export interface EmbeddedPostgres {
  url: string;
  port: number;
  pid: number;
  /** It was already running: a service that was killed left it behind. */
  adopted: boolean;
  isRunning(): Promise<boolean>;
  stop(): Promise<void>;
  /** For exit handlers: only sends the signal, and PostgreSQL stops on its own. */
  stopWithoutWaiting(): void;
}

export interface EmbeddedOptions {
  dataDir: string;
  /** Server parameters that replace the durable defaults; tests pass fsync off. */
  settings?: Record<string, string>;
  database?: string;
  /** The port for a server that is started; any free one by default. */
  port?: number;
}

/** Starts the PostgreSQL under dataDir/postgres, or adopts the one that already runs there. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { dataDir, settings = {}, database = "mostrador", port } = options;
  try {
    const layout = await openLayout(dataDir);
    const program = await findProgram(layout.data);
    await ensureCluster(layout, program, settings.fsync !== "off");
    const password = await readPassword(layout);
    const { postmaster, adopted } = await adoptOrLaunch(
      layout,
      (reusedPid) => launch(layout, program, settings, { reusedPid, port }),
      (candidate) => ensureDatabase(urlOf(candidate, password, "postgres"), database),
    );
    let stopping: Promise<void> | undefined;
    return {
      url: urlOf(postmaster, password, database),
      port: postmaster.port,
      pid: postmaster.pid,
      adopted,
      isRunning: () => isPostmasterOf(postmaster.pid, layout.data),
      stop: () => {
        stopping ??= stopPostmaster(postmaster.pid, layout.data);
        return stopping;
      },
      stopWithoutWaiting: () => requestStop(postmaster.pid, layout.data),
    };
  } catch (error) {
    throw fileProblem(error, dataDir);
  }
}

/** The URL of the PostgreSQL running under dataDir, or undefined. The CLI uses it to find the service's database. */
export async function findEmbedded(dataDir: string): Promise<string | undefined> {
  const layout = await findLayout(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw fileProblem(error, dataDir);
  });
  if (!layout) return undefined;
  try {
    const found = await findServer(layout, 10_000);
    if (found.kind === "none") return undefined;
    return urlOf(found.postmaster, await readPassword(layout), "mostrador");
  } catch (error) {
    throw fileProblem(error, dataDir);
  }
}

/** The port was taken, another start was faster, or processes of a dead server have not exited yet. */
const temporaryFailure =
  /could not create any TCP\/IP sockets|lock file "postmaster.pid" (already exists|is empty)|pre-existing shared memory block/;

async function adoptOrLaunch(
  layout: Layout,
  start: (reusedPid: number | undefined) => Promise<Launch>,
  isReady: (postmaster: Postmaster) => Promise<boolean>,
): Promise<{ postmaster: Postmaster; adopted: boolean }> {
  let problem = "";
  // Temporary failures are retried for half a minute. A start that is slow because of crash recovery is one attempt.
  for (let attempt = 0; attempt < 300; attempt++) {
    const found = await findServer(layout, 600_000);
    if (found.kind === "none") await removeEmptyLock(join(layout.data, "postmaster.pid"));
    const server = found.kind === "none" ? await start(found.reusedPid) : found;
    if (server.kind !== "died") {
      const { postmaster } = server;
      // A server that was just killed still looks alive for a moment.
      if (await isReady(postmaster)) return { postmaster, adopted: server.kind === "running" };
      problem = `el proceso ${postmaster.pid} no responde`;
    } else {
      problem = server.output;
      if (!temporaryFailure.test(problem)) break;
    }
    await delay(100);
  }
  throw await serverProblem(
    problem,
    layout.home,
    (decisive) => `PostgreSQL no arrancó (${decisive}): mire ${layout.log}, corrija eso y vuelva a iniciar.`,
  );
}

type Found =
  | { kind: "running"; postmaster: Postmaster }
  /** Set when a dead server left its lock file and another program now has its process id. */
  | { kind: "none"; reusedPid: number | undefined };

/** Finds the server of this data directory, waiting while it is starting or stopping. */
async function findServer(layout: Layout, timeoutMs: number): Promise<Found> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const postmaster = await readLockFile(layout.data);
    if (!postmaster) return { kind: "none", reusedPid: undefined };
    if (!(await isPostmasterOf(postmaster.pid, layout.data))) {
      return { kind: "none", reusedPid: isAlive(postmaster.pid) ? postmaster.pid : undefined };
    }
    if (postmaster.status === "ready") return { kind: "running", postmaster };
    if (Date.now() > deadline) {
      throw new EmbeddedPostgresError(
        `PostgreSQL (proceso ${postmaster.pid}) todavía arranca o se detiene: mire ${layout.log} e intente de nuevo.`,
      );
    }
    await delay(20);
  }
}

/** A power cut can leave the lock file without its content, and then PostgreSQL never starts. */
async function removeEmptyLock(path: string): Promise<void> {
  const lock = await stat(path).catch(() => undefined);
  // A server that is starting fills it within microseconds.
  if (lock?.size === 0 && Date.now() - lock.mtimeMs > 5_000) await rm(path, { force: true });
}

function urlOf(postmaster: Postmaster, password: string, database: string): string {
  return `postgres://mostrador:${password}@127.0.0.1:${postmaster.port}/${encodeURIComponent(database)}`;
}

/** Returns whether the server accepted the connection. */
async function ensureDatabase(url: string, database: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    const existing = await client.query("select from pg_database where datname = $1", [database]);
    if (existing.rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(database)}`);
    return true;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) return false;
    if (error.code === cannotConnectNow || error.code === adminShutdown) return false;
    // A concurrent start created it.
    if (error.code === duplicateDatabase || error.code === uniqueViolation) return true;
    if (error.code !== invalidPassword) throw error;
    throw new EmbeddedPostgresError(
      "La contraseña guardada junto a la base de datos no es la suya: recupere el archivo «postgres/password» de DATA_DIR de la copia de seguridad.",
    );
  } finally {
    await client.end().catch(() => {});
  }
}

const duplicateDatabase = "42P04";
const uniqueViolation = "23505";
const cannotConnectNow = "57P03";
const adminShutdown = "57P01";
const invalidPassword = "28P01";
