import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { shared } from "./fixtures.ts";
import { projectDir } from "./process.ts";

const run = promisify(execFile);

/**
 * The SDK packed by `npm pack`, as an integrator installs it, in a folder of its own. Without its scripts, which would
 * rebuild sdk/dist while another file of tests packs it; the committed build is checked to be current.
 */
export async function packSdk(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "mostrador-sdk-"));
  await run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], { cwd: `${projectDir}sdk` });
  const [file] = await readdir(folder);
  return join(folder, file!);
}

/** A folder with the packed SDK installed, for all tests of the file; `packed` is the archive it came from. */
export function sharedSdkFolder(prefix: string): { path: string; packed: string } {
  return shared(async () => {
    const path = await mkdtemp(join(tmpdir(), prefix));
    const packed = await packSdk();
    await installSdk(path, packed);
    return {
      path,
      packed,
      async [Symbol.asyncDispose]() {
        for (const one of [path, dirname(packed)]) await rm(one, { recursive: true, force: true });
      },
    };
  });
}

/** Installs the packed SDK in an empty folder, without a network. */
export async function installSdk(folder: string, packed: string): Promise<void> {
  await run("npm", ["init", "-y"], { cwd: folder });
  await run("npm", ["install", packed, "--offline", "--no-audit", "--no-fund"], { cwd: folder });
}
