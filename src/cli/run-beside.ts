import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { StartError } from "../operations/start/start-error.ts";

const program = fileURLToPath(new URL("../../bin/mostrador.mjs", import.meta.url));

/**
 * Runs another command of ours beside this process, on the same settings. A person sees its progress; otherwise only what it said
 * when it failed is kept.
 */
export async function runBeside(
  args: readonly string[],
  { isForPeople, stopping }: { isForPeople: boolean; stopping: AbortSignal },
): Promise<void> {
  const child = spawn(process.execPath, [...process.execArgv, program, ...args], {
    stdio: ["ignore", "ignore", isForPeople ? "inherit" : "pipe"],
  });
  const stop = () => child.kill();
  stopping.addEventListener("abort", stop);
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-2_000);
  });
  try {
    const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
    if (code !== 0 && !stopping.aborted)
      throw new StartError(`No terminó «mostrador ${args.join(" ")}» (${signal ?? code}): ${said.trim()}`);
  } finally {
    stopping.removeEventListener("abort", stop);
  }
}
