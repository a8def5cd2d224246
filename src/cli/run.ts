import { readConfig } from "../config.ts";
import { EmbeddedPostgresError } from "../db/embedded/problem.ts";
import { ConfigError } from "../lib/setting-values.ts";
import { build } from "../lib/version.ts";
import { StartError } from "../operations/start/start-error.ts";
import { groups } from "./commands.ts";
import { installationHere } from "./here.ts";
import { type Program, runLine } from "./run-line.ts";

/** Runs one command line of the service; returns the exit code. */
export function runCli(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const program: Program = {
    groups,
    version: build,
    called: env.MOSTRADOR_COMMAND ?? "npx mostrador",
    about: "Mostrador: la interfaz pública de un punto de venta.",
    remarks: "Los ajustes se leen del entorno (PORT, DATA_DIR, DATABASE_URL, …); vea docs/operations.md.",
    readConfig: () => readConfig(env),
    here: installationHere(() => readConfig(env)),
    expected: [ConfigError, StartError, EmbeddedPostgresError],
    logs: "start",
  };
  return runLine(program, argv, env);
}
