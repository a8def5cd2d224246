import type { Deps } from "../deps.ts";
import { ensureDemo } from "../operations/demo/ensure-demo.ts";
import { banner } from "../operations/start/banner.ts";
import { type Part, parts, start } from "../operations/start/start.ts";
import { type Command, UsageError } from "./command.ts";
import { progressBar } from "./progress.ts";
import { stopSignal } from "./stop-signal.ts";

export const startCommand: Command = {
  name: "start",
  summary: "Enciende el servicio (lo que hace npm start)",
  usage: "[--only api,portal,sync,caja,workers]",
  options: { only: `Partes que enciende este proceso, separadas por comas: ${parts.join(", ")}. Sin ella, todas` },
  async run({ config, options, out }) {
    const only = readParts(options.only);
    const startedAt = performance.now();
    const stopping = stopSignal();
    const prepare = async (deps: Deps) => {
      if (config.environment === "test")
        await ensureDemo(deps, progressBar(out, "Preparando el negocio de demostración"));
    };
    const running = await start(config, { only, prepare, stopping }).catch((error: unknown) => {
      if (!stopping.aborted) throw error;
      // A line break first, because the progress bar may be unfinished. A requested stop is no failure for a supervisor.
      out.note("\nDetenido.");
      process.exit(0);
    });
    stopping.addEventListener("abort", () => void exitAfter(running.stop));
    if (stopping.aborted) return exitAfter(running.stop);
    const ready = {
      url: config.publicUrl,
      admin_url: `http://127.0.0.1:${config.adminPort}`,
      ready_ms: Math.round(performance.now() - startedAt),
    };
    out.result(ready, await banner(running.deps, ready.ready_ms));
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

async function exitAfter(stop: () => Promise<void>): Promise<void> {
  await stop().then(
    () => process.exit(0),
    () => process.exit(1),
  );
}
