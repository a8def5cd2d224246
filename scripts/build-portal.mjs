// Builds the portal and the register (Caja) when their sources changed. Plain JavaScript on Node 20: scripts/install.mjs calls
// it before `npm start` and `npm test`. Nothing to do costs a few milliseconds: the sources are hashed, some 150 small files.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("..", import.meta.url));

const shared = [
  ...["ui", "scripts/page-build.ts", "scripts/compressed-build.ts", "scripts/typeface-build.ts"],
  "src/sites/typeface/typeface.css",
];

/** What is built, and from what: a change of any of it builds it again. */
const apps = [
  {
    name: "portal",
    title: "el portal",
    sources: ["portal", "src/taxes", "src/lib", "src/api/portal/lists", "register/unsent-file.ts", ...shared],
  },
  {
    name: "caja",
    title: "la caja",
    sources: [
      "caja",
      "register",
      "src/taxes",
      "src/lib/money.ts",
      "src/fiscal/returns",
      "src/fiscal/content",
      ...shared,
    ],
  },
].filter(({ name }) => existsSync(join(root, name)));

export class BuildError extends Error {}

/** True when what is built is what the sources describe. */
export function isPortalCurrent() {
  return apps.every(isCurrent);
}

const distOf = ({ name }) => join(root, name, "dist");
const isCurrent = (app) => readText(join(distOf(app), ".built")) === fingerprint(app);

/** Not synchronous: whoever holds the lock of the installation must go on renewing it. */
export async function buildPortal({ force = false } = {}) {
  for (const app of apps) if (force || !isCurrent(app)) await build(app);
}

async function build(app) {
  const folder = join(root, app.name);
  const wanted = fingerprint(app);
  console.error(`Construyendo ${app.title} (solo la primera vez y cuando cambia)…`);
  // Built beside, then put in place: who serves the old one meanwhile never sees half of the new one.
  const fresh = join(folder, `dist-${process.pid}`);
  try {
    await promisify(execFile)(
      join(root, "node_modules/.bin/node"),
      [join(root, "node_modules/vite/bin/vite.js"), "build", "--outDir", fresh, "--emptyOutDir", "--logLevel", "warn"],
      { cwd: folder, env: { ...process.env, NODE_ENV: "production" } },
    );
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    throw new BuildError(`No se pudo construir ${app.title}:\n${error.stderr || error.message}`);
  }
  writeFileSync(join(fresh, ".built"), wanted);
  const old = join(folder, `dist-${process.pid}-old`);
  if (existsSync(distOf(app))) renameSync(distOf(app), old);
  renameSync(fresh, distOf(app));
  rmSync(old, { recursive: true, force: true });
}

function fingerprint(app) {
  const hash = createHash("sha256").update(readFileSync(join(root, "package-lock.json")));
  for (const name of app.sources.flatMap(filesIn)) hash.update(`\n${name}\n`).update(readFileSync(join(root, name)));
  return `${hash.digest("hex")}\n`;
}

function filesIn(source) {
  const path = join(root, source);
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [source];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length))
    .filter((name) => !/^\w+\/(dist|node_modules)/.test(name) && !/\.test\.ts$/.test(name))
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
    await buildPortal({ force: process.argv.includes("--force") });
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
