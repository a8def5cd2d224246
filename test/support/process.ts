import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Ready } from "../../src/operations/start/banner.ts";

export const projectDir = fileURLToPath(new URL("../../", import.meta.url));

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** `mostrador <args>` as a separate process, whose output the test reads and which it ends. */
export function spawnMostrador(args: readonly string[], env: Record<string, string> = {}) {
  return spawn(process.execPath, [`${projectDir}src/main.ts`, ...args], { cwd: projectDir, env: environment(env) });
}

/**
 * The environment of a command: only what the test gives it, and where Node finds what it has compiled before. `main.ts` looks there by
 * itself, but has to be stripped of its types first, with a compiler that takes longer to load than a short command.
 */
function environment(env: Record<string, string>): NodeJS.ProcessEnv {
  const XDG_STATE_HOME = join(tmpdir(), "mostrador-test-state");
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  return { PATH, HOME, XDG_STATE_HOME, LOG_LEVEL: "warn", ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }), ...env };
}

/** Runs `mostrador <args>` to its end. */
export async function mostrador(
  args: readonly string[],
  env: Record<string, string> = {},
  input = "",
  project = projectDir,
): Promise<Finished> {
  const child = spawn(process.execPath, [`${project}src/main.ts`, ...args], {
    cwd: project,
    env: environment(env),
  });
  child.stdin.on("error", () => {}).end(input);
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => (stdout += chunk));
  child.stderr.on("data", (chunk) => (stderr += chunk));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout, stderr };
}

/** Runs `mostrador <args> --json`, which must succeed and write nothing to stderr, and reads what it prints. */
export async function mostradorJson(args: readonly string[], env: Record<string, string> = {}, input = "") {
  const { code, stdout, stderr } = await mostrador([...args, "--json"], env, input);
  if (code !== 0 || stderr !== "") throw new Error(`mostrador ${args.join(" ")} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

export interface StartedService {
  url: string;
  /** Serves health, readiness and metrics. */
  adminUrl: string;
  process: ChildProcess;
  /** All it printed until it was ready. */
  banner: string;
  /** The line by which it said so. */
  ready: Ready;
  /** Everything it printed so far: the banner and its log. */
  printed(): string;
  /** As an operator stops it: SIGTERM, then wait. */
  stop(): Promise<number | null>;
  /** As a power cut does: the whole process group at once. */
  kill(): Promise<void>;
}

const readyLine = /^\{.*"msg":"Mostrador está listo"\}$/m;

/**
 * `mostrador start`, on free ports by default, once it is ready; rejects with what it printed when it ends
 * instead. `spawned` receives the process before it is ready; `project` may be the folder of another version.
 */
export async function startMostrador(
  env: Record<string, string>,
  args: readonly string[] = [],
  spawned: (child: ChildProcess) => void = () => {},
  project = projectDir,
): Promise<StartedService> {
  const [port, adminPort] = [env.PORT ?? (await freePort()), env.ADMIN_PORT ?? (await freePort())];
  const child = spawn(process.execPath, [`${project}src/main.ts`, "start", ...args], {
    cwd: project,
    env: environment({ PORT: String(port), ADMIN_PORT: String(adminPort), ...env }),
    detached: true,
  });
  spawned(child);
  let said = "";
  const banner = await new Promise<string>((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      said += chunk;
      // Former versions print a banner.
      if (readyLine.test(said) || said.includes("Ctrl+C")) resolve(said);
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.once("exit", () => reject(new Error(said)));
  });
  const end = async (signal: NodeJS.Signals, group: boolean) => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const exited = once(child, "exit");
    process.kill(group ? -child.pid! : child.pid!, signal);
    return ((await exited) as [number | null])[0];
  };
  return {
    url: `http://127.0.0.1:${port}`,
    adminUrl: `http://127.0.0.1:${adminPort}`,
    process: child,
    banner,
    ready: JSON.parse(readyLine.exec(banner)?.[0] ?? "{}"),
    printed: () => said,
    stop: () => end("SIGTERM", false),
    async kill() {
      await end("SIGKILL", true);
    },
  };
}

export interface RunningCommand {
  /** The next line of its output, as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: what a script reads
  next(): Promise<any>;
  stop(): Promise<void>;
}

/** `mostrador <args> --json` that runs until it is stopped. */
export function runMostrador(args: readonly string[], env: Record<string, string>): RunningCommand {
  const child = spawn(process.execPath, [`${projectDir}src/main.ts`, ...args, "--json"], {
    cwd: projectDir,
    env: environment(env),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    next: async () => JSON.parse(String((await lines.next()).value)),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      await exited;
    },
  };
}

/**
 * A port for a process that is about to listen. Never one that the system assigns itself (from 32768 on Linux): an
 * outgoing connection might take it first.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    const server = createServer();
    try {
      await once(server.listen(port, "127.0.0.1"), "listening");
    } catch {
      continue;
    }
    server.close();
    await once(server, "close");
    return port;
  }
}
