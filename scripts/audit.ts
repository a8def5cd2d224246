// Looks at the dependencies as the lock file pins them. What needs no network is always checked: every package is pinned
// by a SHA-512, comes from a registry, and runs a script at installation only if package.json allows it by name. Known
// vulnerabilities are asked of the registry; where it cannot be asked, that is said and not taken for a failure.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("..", import.meta.url));
const severe = ["high", "critical"];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = lockProblems(read("package-lock.json"), read("package.json"));
  const advisories = await askAdvisories();
  if (advisories.unreachable !== undefined) {
    console.error(
      `Vulnerabilidades conocidas: SIN COMPROBAR, el registro de npm no respondió la consulta (${advisories.unreachable}).`,
    );
  } else problems.push(...advisories.problems);
  for (const problem of problems) console.error(problem);
  const packages = Object.keys(read("package-lock.json").packages).length - 1;
  if (problems.length === 0) console.error(`Dependencias: ${packages} paquetes fijados por su SHA-512, sin novedades.`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

interface Lock {
  packages: Record<string, { integrity?: string; resolved?: string; link?: boolean; hasInstallScript?: boolean }>;
}

interface Manifest {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  allowScripts?: Record<string, boolean>;
}

type Advisories = { unreachable: string } | { unreachable?: undefined; problems: string[] };

function read(name: string) {
  return JSON.parse(readFileSync(new URL(name, `file://${root}`), "utf8"));
}

/** What is wrong with a lock file, by itself and against what package.json allows. */
export function lockProblems(lock: Lock, manifest: Manifest): string[] {
  const scripts = Object.entries(manifest.allowScripts ?? {});
  const allowed = new Set(scripts.filter(([, isAllowed]) => isAllowed).map(([name]) => name));
  const installing = new Set<string>();
  const problems: string[] = [];
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path === "") continue;
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    if (entry.link) problems.push(`${name}: es un enlace a una carpeta, no un paquete del registro.`);
    else if (!/^sha512-/.test(entry.integrity ?? "")) problems.push(`${name}: no está fijado por un SHA-512.`);
    if (/^(git|file|http:)/.test(entry.resolved ?? "")) problems.push(`${name}: no viene de un registro por https.`);
    if (!entry.hasInstallScript) continue;
    installing.add(name);
    if (!allowed.has(name)) problems.push(`${name}: ejecuta un script al instalarse y package.json no lo permite.`);
  }
  for (const name of allowed) {
    if (!installing.has(name)) problems.push(`${name}: package.json le permite un script que ya no tiene.`);
  }
  for (const [name, range] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
    if (!/^\d/.test(range)) problems.push(`${name}: package.json admite más de una versión (${range}).`);
  }
  return problems;
}

/** Vulnerabilities that matter in what is installed to run, or why they are not known. */
async function askAdvisories(): Promise<Advisories> {
  // Not asked twice: whoever has no way out should not wait to hear so.
  const options = ["audit", "--json", "--omit=dev", "--fetch-retries=0", "--fetch-timeout=15000"];
  return promisify(execFile)("npm", options, { cwd: root }).then(
    ({ stdout }) => readAudit(stdout),
    (error: { stdout?: string; code?: string | number }) => readAudit(error.stdout ?? "", error),
  );
}

/** npm ends with an error both when it found something and when it could not ask: only its report tells them apart. */
export function readAudit(stdout: string, failure?: { code?: string | number }): Advisories {
  const report = parsed(stdout);
  if (!report) return { unreachable: String(failure?.code ?? "npm no dio un informe") };
  const { vulnerabilities, statusCode, code, message } = report;
  if (!vulnerabilities) return { unreachable: String(statusCode ?? code ?? message ?? "sin motivo") };
  const found = Object.values(vulnerabilities).filter(({ severity }) => severe.includes(severity));
  return {
    problems: found.map(({ name, severity, range }) => `${name} ${range}: vulnerabilidad conocida (${severity}).`),
  };
}

interface AuditReport {
  vulnerabilities?: Record<string, { name: string; severity: string; range: string }>;
  statusCode?: number;
  code?: string;
  message?: string;
}

function parsed(text: string): AuditReport | undefined {
  try {
    return JSON.parse(text) as AuditReport;
  } catch {
    return undefined;
  }
}
