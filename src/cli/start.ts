import { ensureDemo } from "../demo/ensure-demo.ts";
import type { Deps } from "../deps.ts";
import { banner } from "../start/banner.ts";
import { type Part, parts, start } from "../start/start.ts";
import { type Command, UsageError } from "./command.ts";
import { progressBar } from "./progress.ts";

export const startCommand: Command = {
  name: "start",
  summary: "Enciende el servicio (lo que hace npm start)",
  usage: "[--only api,portal,sync,workers]",
  options: { only: { type: "string" } },
  help: { only: `Partes que enciende este proceso, separadas por comas: ${parts.join(", ")}. Sin ella, todas` },
  async run({ config, options, out }) {
    const only = readParts(options.only);
    const startedAt = performance.now();
    const prepare = async (deps: Deps) => {
      if (config.environment === "test")
        await ensureDemo(deps, progressBar(out, "Preparando el negocio de demostración"));
    };
    const running = await start(config, prepare, only);
    stopOnSignal(running.stop);
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
  const asked = String(only)
    .split(",")
    .map((part) => part.trim());
  const unknown = asked.find((part) => !(parts as readonly string[]).includes(part));
  if (unknown !== undefined) throw new UsageError(`--only no conoce "${unknown}": use ${parts.join(", ")}.`);
  return parts.filter((part) => asked.includes(part));
}

/** The first signal lets requests end and stops the database cleanly; a second one does not wait. */
function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1);
      stopping = true;
      stop().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
  }
}
