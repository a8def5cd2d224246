// `npm ci`, which installs what package-lock.json names and nothing else, for the image and for an installation from a release.
// npm leaves the packages for other systems out of a lock file when its registry does not have them, and `npm ci` then refuses
// that file. They are named to it for as long as it runs, with the version that their parent asks for; npm skips what is for
// another system. The file itself keeps only what has a hash. Plain JavaScript on Node 20 without node_modules.
//   NODE_ENV=production node scripts/install-locked.mjs [options of npm ci]
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const file = `${root}package-lock.json`;
const text = readFileSync(file, "utf8");
const lock = JSON.parse(text);
const missing = missingFrom(lock.packages);
for (const [path, { os, cpu }] of missing)
  if (os?.includes(process.platform) && cpu?.includes(process.arch))
    console.error(
      `${path} is for a system like this one and has no hash in package-lock.json: npm may install it unchecked.`,
    );

try {
  lock.packages = { ...lock.packages, ...Object.fromEntries(missing) };
  writeFileSync(file, JSON.stringify(lock, null, 2));
  const args = ["ci", "--no-audit", "--no-fund", ...process.argv.slice(2)];
  const { status } = spawnSync("npm", args, { cwd: root, stdio: "inherit", shell: process.platform === "win32" });
  process.exitCode = status ?? 1;
} finally {
  writeFileSync(file, text);
}

function missingFrom(packages) {
  const found = new Map();
  for (const [path, parent] of Object.entries(packages))
    for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
      const isOne = /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version);
      const [own, shared] = [`${path}/node_modules/${name}`, `node_modules/${name}`];
      if (packages[own] || (packages[shared] && (!isOne || packages[shared].version === version))) continue;
      if (!isOne) throw new Error(`${path}: ${name}@${version} is not one version`);
      const isOfDevelopment = parent.dev || parent.devOptional;
      const place = packages[shared] ? own : shared;
      found.set(place, { version, ...systemOf(name), ...(isOfDevelopment && { dev: true }), optional: true });
    }
  return [...found];
}

/** What such packages say of themselves, by their names: @biomejs/cli-linux-x64-musl. */
function systemOf(name) {
  const words = name.split("/").at(-1).split(/[-_]/);
  const oneOf = (known) => known.filter((word) => words.includes(word));
  const os = oneOf([
    "aix",
    "android",
    "darwin",
    "freebsd",
    "linux",
    "netbsd",
    "openbsd",
    "openharmony",
    "sunos",
    "win32",
  ]);
  const cpu = oneOf(["arm", "arm64", "ia32", "loong64", "ppc64", "riscv64", "s390x", "wasm32", "x64"]);
  const isMusl = words.some((word) => word.startsWith("musl"));
  return {
    ...(os.length > 0 && { os }),
    ...(cpu.length > 0 && { cpu }),
    ...(os.includes("linux") && { libc: [isMusl ? "musl" : "glibc"] }),
  };
}
