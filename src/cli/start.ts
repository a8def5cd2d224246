import { isatty } from "node:tty";
import type { Logger } from "pino";
import type { Deps } from "../deps.ts";
import { lacksDemo } from "../operations/demo/ensure-demo.ts";
import { banner, describeStart, type Ready } from "../operations/start/banner.ts";
import { printOnlyJson } from "../operations/start/only-json.ts";
import { openLog } from "../operations/start/open-log.ts";
import { type Part, parts, start } from "../operations/start/start.ts";
import { type Command, UsageError } from "./command.ts";
import { runBeside } from "./run-beside.ts";
import { Interruption, stopSignal } from "./stop-signal.ts";

export const startCommand: Command = {
  name: "start",
  summary: "Enciende el servicio (lo que hace npm start)",
  usage: "[--only api,portal,sync,caja,workers]",
  options: { only: `Partes que enciende este proceso, separadas por comas: ${parts.join(", ")}. Sin ella, todas` },
  async run({ config, options, out }) {
    const only = readParts(options.only);
    const startedAt = performance.now();
    const opened = openLog(config);
    const { log } = opened;
    const isForPeople = isatty(1) && !out.json;
    if (!isForPeople) printOnlyJson(log);
    const stopping = stopSignal();
    const stopped = tellStop(log, stopping);
    const prepare = async (deps: Deps) => {
      if (config.demo && (await lacksDemo(deps))) await buildDemo(isForPeople, stopping, log);
    };
    const running = await start(config, { only, prepare, stopping, opened }).catch((error: unknown) => {
      if (!stopping.aborted) throw error;
      stopped();
      // A requested stop is no failure for a supervisor.
      process.exit(0);
    });
    const stop = () => exitAfter(running.stop, stopped, log);
    stopping.addEventListener("abort", () => void stop());
    if (stopping.aborted) return stop();
    const ready = await describeStart(running.deps, Math.round(performance.now() - startedAt));
    if (isForPeople) out.result(ready, banner(ready));
    else announce(log, ready);
  },
};

function readParts(only: unknown): readonly Part[] {
  if (only === undefined) return parts;
  const requested = String(only)
    .split(",")
    .map((part) => part.trim());
  const unknown = requested.find((part) => !(parts as readonly string[]).includes(part));
  if (unknown !== undefined) throw new UsageError(`--only no conoce "${unknown}": use ${parts.join(", ")}.`);
  return parts.filter((part) => requested.includes(part));
}

/** Whatever the level of the log: scripts wait for this line as people wait for the banner. */
function announce(log: Logger, ready: Ready): void {
  log.child({}, { level: "info" }).info(ready, "Mostrador está listo");
}

/** In a process of its own: what building four weeks of sales takes of memory, the service would keep. */
async function buildDemo(isForPeople: boolean, stopping: AbortSignal, log: Logger): Promise<void> {
  log.info("building the demo shop");
  await runBeside(["demo"], { isForPeople, stopping });
  log.info("the demo shop is built");
}

/** Logs that a stop began and why; returns what logs its end. One that a second signal cuts short is logged as such. */
function tellStop(log: Logger, stopping: AbortSignal): () => void {
  let hasEnded = false;
  let beganAt = 0;
  const fields = () => ({
    signal: stopping.reason instanceof Interruption ? stopping.reason.signal : undefined,
    ms: Math.round(performance.now() - beganAt),
  });
  stopping.addEventListener("abort", () => {
    beganAt = performance.now();
    log.info({ signal: fields().signal }, "stopping");
  });
  // Before the listener that writes the log's last lines.
  process.prependListener("exit", () => {
    if (stopping.aborted && !hasEnded) log.warn(fields(), "stopped without waiting for what was under way");
  });
  return () => {
    hasEnded = true;
    log.info(fields(), "stopped");
  };
}

async function exitAfter(stop: () => Promise<void>, stopped: () => void, log: Logger): Promise<void> {
  try {
    await stop();
    stopped();
    process.exit(0);
  } catch (error) {
    log.error({ err: error }, "the stop failed");
    process.exit(1);
  }
}
