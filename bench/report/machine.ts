import { execFile } from "node:child_process";
import { cpus, release, totalmem, type } from "node:os";
import { promisify } from "node:util";
import { findProgram } from "../../src/db/embedded/program.ts";

/** The machine of a measurement, without anything that identifies it. */
export interface Machine {
  processor: string;
  memory: string;
  kernel: string;
  node: string;
  postgres: string;
}

export async function describeMachine(): Promise<Machine> {
  const cores = cpus();
  const { postgres } = await findProgram(process.cwd());
  const { stdout } = await promisify(execFile)(postgres, ["--version"]);
  return {
    processor: `${cores.length} × ${cores[0]?.model.trim() ?? "unknown"}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
    // A distribution's suffix may identify who built it.
    kernel: `${type()} ${/^[\d.]+\d/.exec(release())?.[0] ?? ""}`,
    node: process.version.slice(1),
    postgres: /[\d.]+/.exec(stdout)?.[0] ?? "unknown",
  };
}
