// Builds the portal when its sources changed. Plain JavaScript on Node 20: scripts/install.mjs calls it before `npm start`
// and `npm test`. Nothing to do costs a few milliseconds: the sources are hashed, about 60 small files.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("..", import.meta.url));
const portal = join(root, "portal");
const dist = join(portal, "dist");
const stamp = join(dist, ".built");

export class BuildError extends Error {}

/** True when the built portal is the one that the sources describe. */
export function isPortalCurrent() {
  return readText(stamp) === fingerprint();
}

/** Not synchronous: whoever holds the lock of the installation must go on renewing it. */
export async function buildPortal() {
  const wanted = fingerprint();
  console.error("Construyendo el portal (solo la primera vez y cuando cambia)…");
  // Built beside, then put in place: who serves the old one meanwhile never sees half of the new one.
  const fresh = join(portal, `dist-${process.pid}`);
  try {
    await promisify(execFile)(
      join(root, "node_modules/.bin/node"),
      [join(root, "node_modules/vite/bin/vite.js"), "build", "--outDir", fresh, "--emptyOutDir", "--logLevel", "warn"],
      { cwd: portal, env: { ...process.env, NODE_ENV: "production" } },
    );
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    throw new BuildError(`El portal no se pudo construir:\n${error.stderr || error.message}`);
  }
  writeFileSync(join(fresh, ".built"), wanted);
  const old = join(portal, `dist-${process.pid}-old`);
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(fresh, dist);
  rmSync(old, { recursive: true, force: true });
}

function fingerprint() {
  const hash = createHash("sha256").update(readFileSync(join(root, "package-lock.json")));
  for (const name of sources()) hash.update(`\n${name}\n`).update(readFileSync(join(portal, name)));
  return `${hash.digest("hex")}\n`;
}

function sources() {
  return readdirSync(portal, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(portal.length + 1))
    .filter((name) => !/^(dist|node_modules)/.test(name))
    .sort();
}

function readText(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    if (!isPortalCurrent() || process.argv.includes("--force")) await buildPortal();
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
