// Prints the CycloneDX list of what is installed in production, from the lock file. `npm sbom --omit dev` alone would leave out
// what production and development share, Vite among it: so npm is shown a project without development.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const read = (name) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), "utf8"));
const [own, lock] = [read("package.json"), read("package-lock.json")];
delete own.devDependencies;
delete lock.packages[""].devDependencies;
lock.packages = Object.fromEntries(Object.entries(lock.packages).filter(([, { dev }]) => !dev));

const folder = mkdtempSync(join(tmpdir(), "mostrador-sbom-"));
try {
  // npm names the list after its folder.
  const project = join(folder, own.name);
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), JSON.stringify(own));
  writeFileSync(join(project, "package-lock.json"), JSON.stringify(lock));
  const args = ["sbom", "--sbom-format=cyclonedx", "--sbom-type=application", "--package-lock-only"];
  const { status } = spawnSync("npm", args, { cwd: project, stdio: "inherit" });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
