import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export interface Server {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/** Starts the service, or the bare limit, in its own process, so that it does not share a core with the load. */
export async function startServer(kind: "ours" | "bare", databaseUrl: string): Promise<Server> {
  const child: ChildProcess = spawn(
    process.execPath,
    // With the option of `npm start`.
    ["--max-semi-space-size=16", fileURLToPath(new URL("./serve.ts", import.meta.url)), kind, databaseUrl],
    {
      stdio: ["ignore", "pipe", "inherit", openSync("/dev/null", "w")],
    },
  );
  const lines = createInterface({ input: child.stdout! });
  const [first] = (await once(lines, "line")) as [string];
  lines.close();
  child.stdout!.resume();
  return {
    url: first,
    pid: child.pid!,
    async stop() {
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}
