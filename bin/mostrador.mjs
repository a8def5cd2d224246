#!/usr/bin/env node
// `npx mostrador …` on whatever Node the machine has: hands over to the Node that the project pins, which runs TypeScript.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import * as nodeModule from "node:module";
import { fileURLToPath } from "node:url";
import { endWithStarter } from "./end-with-starter.mjs";

const pathOf = (path) => fileURLToPath(new URL(path, import.meta.url));
const pinnedNode = pathOf("../node_modules/.bin/node");
/** V8 would let new objects take up to 128 MB before it collects. `npm start`, the image and the systemd unit say it too. */
const memoryOptions = ["--max-semi-space-size=16"];

// Only `start` serves the portal: no other command waits for its build.
const isPortalMissing = process.argv[2] === "start" && !existsSync(pathOf("../portal/dist/index.html"));
if (!existsSync(pinnedNode) || isPortalMissing) {
  // Its output goes to the error output: ours may be piped into a program.
  const { status, error } = spawnSync(process.execPath, [pathOf("../scripts/install.mjs")], {
    stdio: ["ignore", 2, 2],
  });
  if (status !== 0) {
    // Files that this user may not read look as if they were missing.
    console.error(
      `El programa no está completo, o este usuario no puede leerlo (${error?.message ?? `install.mjs terminó con ${status}`}): revise los permisos de ${pathOf("..")} y de node_modules.`,
    );
    process.exit(status ?? 1);
  }
}
const { version } = JSON.parse(readFileSync(pathOf("../node_modules/node/package.json"), "utf8"));
if (process.argv[2] === "listen") endWithStarter();
if (process.versions.node === version) {
  // Before the first TypeScript: what is kept needs no compiler, which would stay in memory.
  nodeModule.enableCompileCache?.();
  await import("../src/main.ts");
} else handOver();

function handOver() {
  const args = [...memoryOptions, fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  const child = spawn(pinnedNode, args, { stdio: "inherit" });
  const isOnTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  for (const signal of ["SIGINT", "SIGHUP", "SIGQUIT", "SIGTERM"]) {
    process.on(signal, () => {
      // A terminal sends its signals to both; twice would look like a person who insists.
      if (signal === "SIGTERM" || !isOnTerminal) child.kill(signal);
    });
  }
  child.once("error", (error) => {
    console.error(
      `No se pudo ejecutar el Node del proyecto (${error.message}): borre node_modules y vuelva a intentar.`,
    );
    process.exit(1);
  });
  child.once("exit", (code, signal) => {
    if (!signal) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
