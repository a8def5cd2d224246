import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { zipOf } from "../../lib/zip.ts";
import { cliPackage, cliPath } from "./cli-package.ts";
import { downloadsPath } from "./downloads-path.ts";
import { sdkPackage } from "./sdk-package.ts";

/** A file that this installation hands out, made from its own sources: equal sources give equal files. */
export interface Package {
  path: string;
  type: string;
  make: (publicUrl: string) => Promise<string | Buffer>;
}

const root = new URL("../../../", import.meta.url);
const read = (name: string) => readFileSync(new URL(name, root), "utf8");

const phpManifest = JSON.parse(read("sdk-php/composer.json")) as { name: string; version: string };
const [python, php] = [pythonProject(), phpManifest.version];
const wheelName = `mostrador-${python.version}-py3-none-any.whl`;
const phpName = `mostrador-sdk-php-${php}.zip`;

const examples = [
  "express-receiver",
  "sqlite-mirror",
  "php-shop",
  "python-delivery",
  "python-receivers",
  "php-receivers",
];

export const packages: readonly Package[] = [
  { path: "/docs/mostrador-sdk.tgz", type: "application/gzip", make: async () => sdkPackage() },
  { path: cliPath, type: "application/gzip", make: cliPackage },
  { path: `${downloadsPath}/${wheelName}`, type: "application/zip", make: wheel },
  { path: `${downloadsPath}/${phpName}`, type: "application/zip", make: phpArchive },
  { path: `${downloadsPath}/packages.json`, type: "application/json; charset=utf-8", make: composerRepository },
  ...examples.map((name) => ({
    path: `${downloadsPath}/${name}.zip`,
    type: "application/zip",
    make: () => archive(filesOf(`examples/${name}`, `${name}/`)),
  })),
];

type Files = Record<string, string>;

/** A wheel as pip installs it (PEP 427): the sources, and what is known about them. */
function wheel(): Promise<Buffer> {
  const info = `mostrador-${python.version}.dist-info`;
  const sources = filesOf("sdk-python/src/mostrador", "mostrador/");
  const files: Files = { ...sources, [`${info}/METADATA`]: metadata(), [`${info}/WHEEL`]: wheelTags };
  const record = Object.entries(files).map(([name, text]) => {
    const digest = createHash("sha256").update(text).digest("base64url");
    return `${name},sha256=${digest},${Buffer.byteLength(text)}\n`;
  });
  return archive({ ...files, [`${info}/RECORD`]: `${record.join("")}${info}/RECORD,,\n` });
}

const wheelTags = "Wheel-Version: 1.0\nGenerator: mostrador\nRoot-Is-Purelib: true\nTag: py3-none-any\n";

function metadata(): string {
  return `Metadata-Version: 2.1
Name: mostrador
Version: ${python.version}
Summary: ${python.description}
License: ${python.license}
Requires-Python: ${python.needs}
Description-Content-Type: text/markdown

${read("sdk-python/README.md")}`;
}

/** The few lines of pyproject.toml that a wheel repeats. */
function pythonProject(): Record<"version" | "description" | "license" | "needs", string> {
  const text = read("sdk-python/pyproject.toml");
  const value = (pattern: RegExp) => {
    const found = pattern.exec(text)?.[1];
    if (found === undefined) throw new Error(`sdk-python/pyproject.toml has nothing like ${pattern}`);
    return found;
  };
  return {
    version: value(/^version = "(.+)"$/m),
    description: value(/^description = "(.+)"$/m),
    license: value(/^license = \{ text = "(.+)" \}$/m),
    needs: value(/^requires-python = "(.+)"$/m),
  };
}

function phpArchive(): Promise<Buffer> {
  return archive(filesOf("sdk-php", "mostrador-sdk/"));
}

/** What Composer asks a repository for: the one package there is, and where its archive stands. */
async function composerRepository(publicUrl: string): Promise<string> {
  const digest = createHash("sha1")
    .update(await phpArchive())
    .digest("hex");
  const dist = { type: "zip", url: `${publicUrl}${downloadsPath}/${phpName}`, reference: digest, shasum: digest };
  return JSON.stringify({ packages: { [phpManifest.name]: { [php]: { ...phpManifest, dist } } } });
}

function filesOf(folder: string, prefix: string): Files {
  const place = fileURLToPath(new URL(folder, root));
  const found = readdirSync(place, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const names = found.map(({ parentPath, name }) => relative(place, join(parentPath, name)).replaceAll("\\", "/"));
  // What Python leaves behind when a clone is used as it is.
  const own = names.filter((name) => !name.includes("__pycache__")).sort();
  return Object.fromEntries(own.map((name) => [prefix + name, read(`${folder}/${name}`)]));
}

async function archive(files: Files): Promise<Buffer> {
  const entries = Object.entries(files).map(([name, text]) => ({ name, parts: [text] }));
  const parts: Buffer[] = [];
  for await (const part of zipOf(entries)) parts.push(part);
  return Buffer.concat(parts);
}
