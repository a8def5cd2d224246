import { type ChildProcess, spawn } from "node:child_process";
import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { projectDir } from "./process.ts";
import { installSdk, packSdk } from "./sdk-package.ts";

export interface Example extends AsyncDisposable {
  folder: string;
  /** Runs one of its files; `env` is its whole environment. */
  start(file: string, env: Record<string, string>): ChildProcess & { said(): string };
}

/** An example as an integrator has it: its own folder with the packed SDK and the given packages. */
export async function installExample(name: string, packages: readonly string[] = []): Promise<Example> {
  const folder = await mkdtemp(join(tmpdir(), `mostrador-${name}-`));
  const packed = await packSdk();
  await installSdk(folder, packed);
  await rm(dirname(packed), { recursive: true });
  await cp(`${projectDir}examples/${name}`, folder, { recursive: true });
  for (const one of packages) await symlink(`${projectDir}node_modules/${one}`, join(folder, "node_modules", one));
  return {
    folder,
    start(file, env) {
      const child = spawn(process.execPath, [file], {
        cwd: folder,
        env: { PATH: process.env.PATH, NODE_NO_WARNINGS: "1", ...env },
      });
      let said = "";
      child.stdout.on("data", (chunk) => (said += chunk));
      child.stderr.on("data", (chunk) => (said += chunk));
      return Object.assign(child, { said: () => said });
    },
    async [Symbol.asyncDispose]() {
      await rm(folder, { recursive: true, force: true });
    },
  };
}
