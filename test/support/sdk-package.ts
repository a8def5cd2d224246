import { execFile } from "node:child_process";
import { mkdtemp, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { projectDir } from "./process.ts";

const run = promisify(execFile);

/** The SDK as `npm pack` makes it, in a folder of its own: what an integrator installs. */
export async function packSdk(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "mostrador-sdk-"));
  await run("npm", ["pack", "--pack-destination", folder], { cwd: `${projectDir}sdk` });
  const [file] = await readdir(folder);
  return join(folder, file!);
}

/** An empty directory with the packed SDK installed, without a network. */
export async function installSdk(folder: string, packed: string): Promise<void> {
  await run("npm", ["init", "-y"], { cwd: folder });
  await run("npm", ["install", packed, "--offline", "--no-audit", "--no-fund"], { cwd: folder });
}
