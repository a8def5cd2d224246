import { ensureDemo } from "../demo/ensure-demo.ts";
import { banner } from "../start/banner.ts";
import { start } from "../start/start.ts";
import { type Command, UsageError } from "./command.ts";
import { progressBar } from "./progress.ts";

export const parts = ["api", "portal", "sync", "workers"] as const;

export const startCommand: Command = {
  name: "start",
  summary: "Enciende el servicio (lo que hace npm start)",
  usage: "[--only api,portal,sync,workers]",
  options: { only: { type: "string" } },
  help: { only: `Partes que enciende este proceso, separadas por comas: ${parts.join(", ")}. Sin ella, todas` },
  async run({ config, options, out }) {
    checkParts(options.only);
    const startedAt = performance.now();
    const running = await start(config, async (deps) => {
      if (config.environment === "test")
        await ensureDemo(deps, progressBar(out, "Preparando el negocio de demostración"));
    });
    stopOnSignal(running.stop);
    const ready = {
      url: config.publicUrl,
      admin_url: `http://127.0.0.1:${config.adminPort}`,
      ready_ms: Math.round(performance.now() - startedAt),
    };
    out.result(ready, await banner(running.deps, ready.ready_ms));
  },
};

function checkParts(only: unknown): void {
  if (only === undefined) return;
  const unknown = String(only)
    .split(",")
    .find((part) => !(parts as readonly string[]).includes(part.trim()));
  if (unknown !== undefined) throw new UsageError(`--only no conoce "${unknown}": use ${parts.join(", ")}.`);
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
