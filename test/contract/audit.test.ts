import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { lockProblems, readAudit } from "../../scripts/audit.ts";

const read = (name: string) => JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), "utf8"));
const lock = read("package-lock.json");
const manifest = read("package.json");

test("every dependency is pinned by its hash, and only those allowed by name run a script at installation", () => {
  expect(lockProblems(lock, manifest)).toEqual([]);
});

test.each([
  ["without a hash", { integrity: undefined }, "no está fijado"],
  ["with a weak hash", { integrity: "sha1-x" }, "no está fijado"],
  ["from a repository", { resolved: "git+ssh://git@example.com/x.git" }, "no viene de un registro"],
  ["that runs a script", { hasInstallScript: true }, "package.json no lo permite"],
  ["that is a folder", { link: true }, "es un enlace"],
])("a package %s is reported", (_what, change, problem) => {
  const packages = { ...lock.packages, "node_modules/x": { integrity: "sha512-x", ...change } };
  expect(lockProblems({ packages }, manifest)).toEqual([expect.stringContaining(problem)]);
});

test("a version range and an unneeded permission are reported", () => {
  const dependencies = { ...manifest.dependencies, pg: "^8.0.0" };
  const allowScripts = { ...manifest.allowScripts, express: true };
  expect(lockProblems(lock, { ...manifest, dependencies, allowScripts })).toEqual([
    expect.stringContaining("express"),
    expect.stringContaining("pg"),
  ]);
});

test("a severe vulnerability is a problem, an unreachable registry is not", () => {
  const report = (severity: string) =>
    JSON.stringify({ vulnerabilities: { pg: { name: "pg", severity, range: "<9" } } });
  expect(readAudit(report("critical"))).toEqual({ problems: [expect.stringContaining("pg <9")] });
  expect(readAudit(report("moderate"))).toEqual({ problems: [] });
  expect(readAudit(JSON.stringify({ statusCode: 405, message: "405 Method Not Allowed" })).unreachable).toBe("405");
  expect(readAudit("", { code: "ENOENT" }).unreachable).toBe("ENOENT");
});
