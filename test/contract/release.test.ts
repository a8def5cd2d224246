import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sharedFolder, sharedService } from "../support/fixtures.ts";
import { projectDir } from "../support/process.ts";

const folder = sharedFolder("mostrador-release-");
const read = (name: string) => readFileSync(join(projectDir, name), "utf8");
const own = JSON.parse(read("package.json"));
const lock = JSON.parse(read("package-lock.json")) as { packages: Record<string, { version: string; dev?: boolean }> };
const npm = (...args: string[]) => spawnSync("npm", args, { cwd: projectDir, encoding: "utf8" });

test("the image's base comes by its digest: no FROM names a tag, and the argument has no default", () => {
  const lines = read("Dockerfile").split("\n");
  const bases = lines.filter((line) => /^\s*FROM\s/i.test(line));
  expect(bases).toEqual([`FROM \${NODE_IMAGE}`]);
  expect(lines.filter((line) => /^\s*ARG\s+NODE_IMAGE/i.test(line))).toEqual(["ARG NODE_IMAGE"]);
  expect(read("compose.yaml")).toMatch(/NODE_IMAGE: \$\{NODE_IMAGE:\?.*releasing\.md\}/);
});

test("the image installs what is locked", () => {
  const dockerfile = read("Dockerfile");
  expect(dockerfile).toContain("RUN node scripts/install-locked.mjs");
  expect(dockerfile).not.toContain("npm install");
});

test("npm ci takes the lock file, which is afterwards as it was", () => {
  const files = ["package.json", "package-lock.json", "scripts/install-locked.mjs"];
  for (const name of files) cpSync(join(projectDir, name), join(folder.path, name));
  const script = ["scripts/install-locked.mjs", "--dry-run", "--offline", "--ignore-scripts"];
  const { status, stderr } = spawnSync("node", script, { cwd: folder.path, encoding: "utf8" });
  expect({ status, stderr }).toMatchObject({ status: 0 });
  for (const name of files) expect(readFileSync(join(folder.path, name), "utf8")).toBe(read(name));
});

test("npm run sbom lists every production dependency in CycloneDX, and nothing of development", () => {
  const { status, stdout } = npm("run", "--silent", "sbom");
  expect(status).toBe(0);
  const bom = JSON.parse(stdout);
  expect(bom).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.5", version: 1 });
  expect(bom.serialNumber).toMatch(/^urn:uuid:[0-9a-f-]{36}$/);
  expect(bom.metadata.component).toMatchObject({
    type: "application",
    name: "mostrador",
    purl: `pkg:npm/mostrador@${own.version}`,
  });
  const listed = new Set(bom.components.map(({ name, version }: Record<string, string>) => `${name}@${version}`));
  const wanted = Object.entries(lock.packages)
    .filter(([path, { dev }]) => path !== "" && !dev)
    .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, "")}@${version}`);
  expect([...listed].toSorted()).toEqual([...new Set(wanted)].toSorted());
  for (const [name, version] of Object.entries(own.dependencies)) expect(listed).toContain(`${name}@${version}`);
  const refs = new Set(bom.components.map((component: Record<string, string>) => component["bom-ref"]));
  for (const { purl } of bom.components) expect(purl).toMatch(/^pkg:npm\/.+@.+/);
  for (const { dependsOn } of bom.dependencies) for (const ref of dependsOn) expect(refs).toContain(ref);
});

test("without a license file, the readme says that there is none and who decides", () => {
  if (existsSync(join(projectDir, "LICENSE"))) return;
  expect(own.license).toBe("UNLICENSED");
  expect(read("README.md")).toMatch(/UNLICENSED.*\n?.*owner's decision/);
});

describe("/.well-known/security.txt", () => {
  const service = sharedService({
    SECURITY_CONTACT: "seguridad@tienda.example",
    PUBLIC_URL: "https://api.tienda.example",
  });

  test("names the contact, where it stands, its languages, and a day less than a year ahead", async () => {
    const answer = await fetch(`${service.baseUrl}/.well-known/security.txt`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
    const lines = (await answer.text()).trimEnd().split("\n");
    const fields = Object.fromEntries(lines.map((line) => line.split(/: (.*)/, 2)));
    expect(Object.keys(fields)).toHaveLength(lines.length);
    expect(fields).toEqual({
      Contact: "mailto:seguridad@tienda.example",
      Expires: expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00:00\.000Z$/),
      "Preferred-Languages": "es, en",
      Canonical: "https://api.tienda.example/.well-known/security.txt",
    });
    const days = (Date.parse(fields.Expires!) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(30);
    expect(days).toBeLessThan(365);
  });

  test("is not there when nobody is named: answers to the sender of mails are read by nobody", async () => {
    await using without = await service.sibling({ SECURITY_CONTACT: "" });
    expect((await fetch(`${without.baseUrl}/.well-known/security.txt`)).status).toBe(404);
  });
});
