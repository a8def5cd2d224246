// Names in package-lock.json the optional packages that npm left out of it. npm writes a lock file without the packages for other
// systems when its registry does not have them, and `npm ci` then refuses it. What is added has the version that its parent asks
// for and no hash, because nobody here has seen the package; npm skips it wherever it is for another system.
//   npm run lock           after every `npm install` that changed the lock file
//   npm run lock -- --check
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const file = fileURLToPath(new URL("../package-lock.json", import.meta.url));
const lock = JSON.parse(readFileSync(file, "utf8"));
const missing = missingFrom(lock.packages);

if (process.argv.includes("--check")) {
  if (missing.length > 0) {
    console.error(`package-lock.json lacks ${missing.length} optional packages: npm run lock names them.`);
    process.exitCode = 1;
  }
} else if (missing.length > 0) {
  const all = { ...lock.packages, ...Object.fromEntries(missing) };
  const [root, ...paths] = Object.keys(all).sort((a, b) => (a < b ? -1 : 1));
  lock.packages = Object.fromEntries([root, ...paths].map((path) => [path, all[path]]));
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(`${missing.length} optional packages were added to package-lock.json.`);
}

function missingFrom(packages) {
  const found = new Map();
  for (const [path, parent] of Object.entries(packages))
    for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
      const [own, shared] = [`${path}/node_modules/${name}`, `node_modules/${name}`];
      const isOne = /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version);
      if (packages[own] || (packages[shared] && (!isOne || packages[shared].version === version))) continue;
      if (!isOne) throw new Error(`${path}: ${name}@${version} is not one version`);
      found.set(packages[shared] ? own : shared, {
        version,
        ...systemOf(name),
        ...((parent.dev || parent.devOptional) && { dev: true }),
        optional: true,
      });
    }
  return [...found];
}

/** What such packages say of themselves, by their names: @biomejs/cli-linux-x64-musl. */
function systemOf(name) {
  const words = name.split("/").at(-1).split(/[-_]/);
  const one = (known) => known.filter((word) => words.includes(word));
  const os = one([
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
  const cpu = one(["arm", "arm64", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "x64", "wasm32"]);
  const libc = words.some((word) => word.startsWith("musl"))
    ? ["musl"]
    : words.some((word) => word.startsWith("gnu"))
      ? ["glibc"]
      : [];
  return {
    ...(os.length > 0 && { os }),
    ...(cpu.length > 0 && { cpu }),
    ...(os.includes("linux") && libc.length > 0 && { libc }),
  };
}
