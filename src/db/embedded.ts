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
  stopPostmaster,
  tellToStop,
} from "./embedded/postmaster.ts";
import { EmbeddedPostgresError, fileProblem, serverProblem } from "./embedded/problem.ts";
import { findProgram } from "./embedded/program.ts";

export interface EmbeddedPostgres {
  url: string;
  port: number;
  pid: number;
  /** It ran already, left behind by a service that was killed. */
  adopted: boolean;
  isRunning(): Promise<boolean>;
  stop(): Promise<void>;
  /** All that there is time for while a process exits: PostgreSQL is told to end, and does so by itself. */
  stopWithoutWaiting(): void;
}

export interface EmbeddedOptions {
  dataDir: string;
  /** Server parameters that replace the durable defaults; tests pass fsync off. */
  settings?: Record<string, string>;
  database?: string;
  /** Where a server that is started listens; any free port unless told otherwise. */
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
      (candidate) => ensureDatabase(addressOf(candidate, password, "postgres"), database),
    );
    let stopping: Promise<void> | undefined;
    return {
      url: addressOf(postmaster, password, database),
      port: postmaster.port,
      pid: postmaster.pid,
      adopted,
      isRunning: () => isPostmasterOf(postmaster.pid, layout.data),
      stop: () => {
        stopping ??= stopPostmaster(postmaster.pid, layout.data);
        return stopping;
      },
      stopWithoutWaiting: () => tellToStop(postmaster.pid, layout.data),
    };
  } catch (error) {
    throw fileProblem(error, dataDir);
  }
}

/** The address of the PostgreSQL that runs under dataDir, or undefined: how the CLI finds the running one. */
export async function findEmbedded(dataDir: string): Promise<string | undefined> {
  const layout = await findLayout(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw fileProblem(error, dataDir);
  });
  if (!layout) return undefined;
  try {
    const found = await lookAt(layout, 10_000);
    if (found.kind === "none") return undefined;
    return addressOf(found.postmaster, await readPassword(layout), "mostrador");
  } catch (error) {
    throw fileProblem(error, dataDir);
  }
}

/** Failures that pass: the port was taken, another start was faster, a dead server's processes have not noticed yet. */
const passing =
  /could not create any TCP\/IP sockets|lock file "postmaster.pid" (already exists|is empty)|pre-existing shared memory block/;

async function adoptOrLaunch(
  layout: Layout,
  start: (reusedPid: number | undefined) => Promise<Launch>,
  answers: (postmaster: Postmaster) => Promise<boolean>,
): Promise<{ postmaster: Postmaster; adopted: boolean }> {
  let problem = "";
  // Half a minute of what passes; a start that takes long because it recovers is one attempt.
  for (let attempt = 0; attempt < 300; attempt++) {
    const found = await lookAt(layout, 600_000);
    if (found.kind === "none") await removeEmptyLock(join(layout.data, "postmaster.pid"));
    const server = found.kind === "none" ? await start(found.reusedPid) : found;
    if (server.kind !== "died") {
      const { postmaster } = server;
      // A server that was just killed still looks alive for a moment.
      if (await answers(postmaster)) return { postmaster, adopted: server.kind === "running" };
      problem = `el proceso ${postmaster.pid} no responde`;
    } else {
      problem = server.output;
      if (!passing.test(problem)) break;
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
  /** A dead server left its lock file, and another program has its process id now. */
  | { kind: "none"; reusedPid: number | undefined };

/** Looks for the server of these data, and waits for one that is starting or stopping. */
async function lookAt(layout: Layout, patienceMs: number): Promise<Found> {
  const deadline = Date.now() + patienceMs;
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

/** A power cut can leave the lock file without its content, which PostgreSQL refuses for ever. */
async function removeEmptyLock(path: string): Promise<void> {
  const lock = await stat(path).catch(() => undefined);
  // A server that is starting fills it within microseconds.
  if (lock?.size === 0 && Date.now() - lock.mtimeMs > 5_000) await rm(path, { force: true });
}

function addressOf(postmaster: Postmaster, password: string, database: string): string {
  return `postgres://mostrador:${password}@127.0.0.1:${postmaster.port}/${encodeURIComponent(database)}`;
}

/** Answers whether the server took the connection. */
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
    // Another start that ran at the same time created it.
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
