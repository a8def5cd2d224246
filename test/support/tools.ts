import { spawnSync } from "node:child_process";

/** Whether a program of the system is there. Second opinions of others' programs are asked for where they are installed. */
export function isInstalled(program: string): boolean {
  return spawnSync(program, ["--version"], { stdio: "ignore" }).error === undefined;
}
