import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));

interface Block {
  kind: "new" | "in";
  path: string;
  text: string;
}

/** The blocks of the page: whole files, or a place and what comes after it. */
async function blocks(): Promise<Block[]> {
  const page = await readFile(join(root, "docs/adding-a-resource.md"), "utf8");
  return [...page.matchAll(/^```\w+ (new|in)=(\S+)\n(.*?)\n```$/gms)].map(([, kind, path, text]) => ({
    kind: kind as Block["kind"],
    path: path!,
    text: text!,
  }));
}

async function applied({ kind, path, text }: Block, folder: string): Promise<{ path: string; text: string }> {
  if (kind === "new") return { path: path.replace("<next>", await nextMigration()), text: `${text}\n` };
  const [place, added] = text.split("\n// and then\n");
  const before = await readFile(join(folder, path), "utf8");
  expect(before.split(`${place}\n`), `once in ${path}: ${place}`).toHaveLength(2);
  return { path, text: before.replace(`${place}\n`, () => `${place}\n${added}\n`) };
}

async function nextMigration(): Promise<string> {
  const last = (await readdir(join(root, "migrations"))).sort().at(-1)!;
  return String(Number(last.slice(0, 4)) + 1).padStart(4, "0");
}

test("every place that the page names exists once", async () => {
  const all = await blocks();
  expect(all.filter(({ kind }) => kind === "new")).toHaveLength(5);
  expect(all.filter(({ kind }) => kind === "in")).toHaveLength(7);
  for (const block of all) await applied(block, root);
});

test.runIf(process.env.LONG)(
  "what the page says compiles, and its resource works",
  async () => {
    const copy = await mkdtemp(join(tmpdir(), "mostrador-tutorial-"));
    onTestFinished(() => rm(copy, { recursive: true, force: true }));
    const { stdout } = await run("git", ["ls-files", "-z"], { cwd: root, maxBuffer: 64 * 1024 ** 2 });
    for (const file of stdout.split("\0").filter(Boolean)) await cp(join(root, file), join(copy, file));
    await symlink(join(root, "node_modules"), join(copy, "node_modules"));
    for (const block of await blocks()) {
      const { path, text } = await applied(block, copy);
      await mkdir(dirname(join(copy, path)), { recursive: true });
      await writeFile(join(copy, path), text);
    }
    const inCopy = (...words: string[]) => run(process.execPath, words, { cwd: copy, maxBuffer: 64 * 1024 ** 2 });
    await inCopy("scripts/generate.ts");
    for (const project of [".", "portal", "caja"])
      await inCopy("node_modules/typescript/bin/tsc", "--noEmit", "-p", project);
    const tests = [
      "test/api/brands.test.ts",
      "test/contract/closed-lists.test.ts",
      "test/contract/permissions.test.ts",
    ];
    await inCopy("node_modules/vitest/vitest.mjs", "run", ...tests);
  },
  900_000,
);
