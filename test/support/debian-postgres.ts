import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, chmodSync, chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { query } from "./embedded.ts";
import { eventually } from "./eventually.ts";
import { freePort } from "./process.ts";

const root = "/usr/lib/postgresql";
const versions = existsSync(root)
  ? readdirSync(root).filter((name) => existsSync(join(root, name, "bin/postgres")))
  : [];
/** The newest PostgreSQL of Debian's packages on this machine. */
const newest = versions.toSorted((a, b) => Number(b) - Number(a))[0];

/** PostgreSQL refuses to run as root: its package's user does it then. */
const owner = process.getuid?.() === 0 ? packageUser() : undefined;

export const hasDebianPostgres = newest !== undefined && (process.getuid?.() !== 0 || owner !== undefined);
export const withoutDebianPostgres = "Debian's PostgreSQL is missing (apt-get install postgresql)";

function packageUser(): { uid: number; gid: number } | undefined {
  const [uid, gid] = ["-u", "-g"].map((what) =>
    spawnSync("id", [what, "postgres"], { encoding: "utf8" }).stdout.trim(),
  );
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined;
}

export interface DebianServer {
  name: string;
  port: number;
  folder: string;
  url(database?: string): string;
  start(settings?: Record<string, string>): Promise<void>;
  /** As a power cut does, for the server and all its processes. */
  kill(): Promise<void>;
  stop(): Promise<void>;
  promote(): Promise<void>;
  /** Adds lines to postgresql.conf. */
  configure(lines: readonly string[]): void;
  query(text: string): ReturnType<typeof query>;
}

const shared = [
  "listen_addresses = '127.0.0.1'",
  "wal_level = replica",
  "max_wal_senders = 10",
  "wal_keep_size = 256MB",
];

/** An empty, durable server in a subfolder. `parent` must be a folder that other users may enter. */
export async function newServer(parent: string, name: string, superuser = "mostrador"): Promise<DebianServer> {
  const server = await planServer(parent, name, superuser);
  tool("initdb", [
    "--pgdata",
    server.folder,
    `--username=${superuser}`,
    "--auth=trust",
    "--encoding=UTF8",
    "--locale=C.UTF-8",
  ]);
  server.configure([`port = ${server.port}`, `unix_socket_directories = '${parent}'`, ...shared]);
  return server;
}

/** Fills a planned server with a copy of a running one: a standby that follows it, or only the base backup. */
export function copyInto(server: DebianServer, primary: DebianServer, isStandby: boolean): void {
  const from = ["--dbname", `host=127.0.0.1 port=${primary.port} user=mostrador application_name=${server.name}`];
  const follow = isStandby ? ["--write-recovery-conf"] : [];
  tool("pg_basebackup", ["--pgdata", server.folder, "--checkpoint=fast", "--wal-method=stream", ...from, ...follow]);
  if (!isStandby) tool("pg_verifybackup", [server.folder]);
  server.configure([`port = ${server.port}`]);
}

/** A folder for archives and sockets that the servers may write to. */
export function ownedFolder(path: string): string {
  mkdirSync(path, { recursive: true });
  if (owner) chownSync(path, owner.uid, owner.gid);
  chmodSync(path, 0o700);
  return path;
}

const made = new Set<DebianServer>();

/** A server with a port and an empty folder, and nothing in it yet. */
export async function planServer(parent: string, name: string, user = "mostrador"): Promise<DebianServer> {
  const [port, folder] = [await freePort(), ownedFolder(join(parent, name))];
  let child: ReturnType<typeof spawn> | undefined;
  const url = (database = "mostrador") => `postgres://${user}@127.0.0.1:${port}/${database}`;
  const end = async (signal: NodeJS.Signals) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
  };
  const server: DebianServer = {
    name,
    port,
    folder,
    url,
    async start(settings = {}) {
      const given = Object.entries(settings).flatMap(([setting, value]) => ["-c", `${setting}=${value}`]);
      child = spawn(programOf("postgres"), ["-D", folder, ...given], { ...owner, cwd: "/", stdio: "ignore" });
      const stopped = child;
      await eventually(() => {
        if (stopped.exitCode !== null) throw new Error(`${name} ended with ${stopped.exitCode}; see its log`);
        return query(url("postgres"), "select 1").catch(() => undefined);
      });
    },
    // The others end when the postmaster is gone; shared memory is left as a crash leaves it.
    kill: () => end("SIGKILL"),
    stop: () => end("SIGINT"),
    async promote() {
      tool("pg_ctl", ["promote", "--pgdata", folder]);
    },
    configure(lines) {
      appendFileSync(join(folder, "postgresql.conf"), `\n${lines.join("\n")}\n`);
    },
    query: (text) => query(url(), text),
  };
  made.add(server);
  return server;
}

/** For the end of a test file, whatever happened in it. */
export async function stopServers(): Promise<void> {
  for (const server of made) await server.kill();
  made.clear();
}

/** Marks a copy so that its start recovers, with these settings. */
export function recoverWith(server: DebianServer, settings: readonly string[]): void {
  server.configure(settings);
  writeFileSync(join(server.folder, "recovery.signal"), "");
  if (owner) chownSync(join(server.folder, "recovery.signal"), owner.uid, owner.gid);
}

/** Runs lines of a shell as the servers' user, with Debian's programs; returns its exit code and what it printed. */
export function shell(
  lines: string,
  env: Record<string, string>,
  cwd: string,
): { status: number | null; said: string } {
  const PATH = `${join(root, newest!, "bin")}:${process.env.PATH}`;
  const { status, stdout, stderr } = spawnSync("sh", ["-euc", lines], {
    ...owner,
    cwd,
    env: { PATH, ...env },
    encoding: "utf8",
  });
  return { status, said: stdout + stderr };
}

function programOf(name: string): string {
  return join(root, newest!, "bin", name);
}

function tool(name: string, args: readonly string[]): void {
  execFileSync(programOf(name), args, { ...owner, cwd: "/", stdio: ["ignore", "ignore", "pipe"] });
}
