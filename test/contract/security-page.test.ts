import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url);
const page = readFileSync(new URL("docs/security.md", root), "utf8");

test("every test that the security page names exists", () => {
  const named = page.matchAll(/`((?:src|test)\/[\w./{},-]+\.ts)`/g).flatMap(([, path]) => spread(path!));
  const paths = [...new Set(named)];
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
});

test("all ten risks have a row, and each row has a test", () => {
  const rows = page.split("\n").filter((line) => /^\| API\d+ /.test(line));
  expect(rows.map((row) => Number(/\d+/.exec(row)![0]))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  for (const row of rows) expect(row.split(" | ").at(-1)).toMatch(/\.test\.ts`|check-response/);
});

test("every chapter of ASVS 5 has a row, with a test or the reason why it has none", () => {
  const rows = page.split("\n").filter((line) => /^\| V\d+ /.test(line));
  expect(rows.map((row) => Number(/\d+/.exec(row)![0]))).toEqual(Array.from({ length: 17 }, (_, i) => i + 1));
  for (const row of rows) {
    const [, , held = "", proof = ""] = row.split(" | ").flatMap((cell, i) => (i === 0 ? ["", cell] : [cell]));
    expect(/\.test\.ts`|test\/fuzz/.test(proof) || /^(not used|not offered)$/.test(held), row).toBe(true);
  }
});

/** `a/{b,c}.ts` names two files. */
function spread(path: string): string[] {
  const [, before, names, after] = /^(.*)\{(.*)\}(.*)$/.exec(path) ?? [];
  return names === undefined ? [path] : names.split(",").map((name) => `${before}${name}${after}`);
}
