import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeAll } from "vitest";
import { type EmbeddedPostgres, startEmbedded } from "../../src/db/embedded.ts";
import { eventually } from "./eventually.ts";
import { sharedFolder } from "./fixtures.ts";
import { projectDir } from "./process.ts";

const unsafe = { fsync: "off", shared_buffers: "16MB" };

type Started = Pick<EmbeddedPostgres, "url" | "pid" | "adopted">;

interface Elsewhere {
  user?: { uid: number; gid: number };
  project?: string;
  staysAlive?: boolean;
}

/** A folder that other users may enter, and ways to start embedded servers in it, which stop after each test. */
export function embeddedServers() {
  const base = sharedFolder("mostrador-");
  const running: { stop(): Promise<void> }[] = [];
  beforeAll(() => chmod(base.path, 0o755));
  afterEach(async () => {
    await Promise.all(running.splice(0).map((server) => server.stop()));
  });

  async function start(dataDir: string, settings: Record<string, string> = unsafe): Promise<EmbeddedPostgres> {
    const server = await startEmbedded({ dataDir, settings });
    running.push(server);
    return server;
  }

  /** Starts it from a separate process, which can be killed or run as another user. */
  function startElsewhere(
    dataDir: string,
    options: Elsewhere = {},
  ): { child: ChildProcess; started: Promise<Started> } {
    const source = `
      const { startEmbedded } = await import(${JSON.stringify(join(options.project ?? projectDir, "src/db/embedded.ts"))});
      const options = ${JSON.stringify({ dataDir, settings: unsafe })};
      try { console.log(JSON.stringify(await startEmbedded(options))); } catch (error) { console.log(String(error)); }
      ${options.staysAlive ? "setInterval(() => {}, 60_000);" : ""}`;
    const args = ["--input-type=module", "--eval", source];
    const child = spawn(process.execPath, args, { ...options.user, cwd: "/", stdio: ["ignore", "pipe", "inherit"] });
    const started = new Promise<Started>((resolve, reject) => {
      child.stdout?.setEncoding("utf8").once("data", (line: string) => {
        if (!line.startsWith("{")) return reject(new Error(line.trim()));
        const found = JSON.parse(line);
        running.push({ stop: () => stopProcess(found.pid) });
        resolve(found);
      });
      child.once("exit", () => reject(new Error("it ended without starting")));
    });
    return { child, started };
  }

  return { base, start, startElsewhere };
}

export async function stopProcess(pid: number): Promise<void> {
  if (isAlive(pid)) process.kill(pid, "SIGINT");
  await eventually(() => !isAlive(pid));
}

export async function query(url: string, text: string) {
  const client = new pg.Client(url);
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

export async function keepRow(url: string): Promise<void> {
  await query(url, "create table kept (id int); insert into kept values (1)");
}

export async function keptRows(url: string): Promise<number> {
  return (await query(url, "select from kept")).length;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie that its new parent has not reaped, as in many containers, is not alive.
    return process.platform !== "linux" || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

export async function ended(child: ChildProcess): Promise<number | null> {
  await eventually(() => child.exitCode !== null || child.signalCode !== null);
  return child.exitCode;
}
