import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { sharedFolder } from "../../test/support/fixtures.ts";
import { commitOf } from "./version.ts";

const folder = sharedFolder("mostrador-version-");
const run = promisify(execFile);

const author = ["-c", "user.name=x", "-c", "user.email=x@example.com"];
async function git(...args: string[]): Promise<string> {
  return (await run("git", [...author, ...args], { cwd: join(folder.path, "checkout") })).stdout.trim();
}

async function gitIsMissing(): Promise<boolean> {
  return run("git", ["--version"]).then(
    () => false,
    () => true,
  );
}

test("a checkout, its worktree, packed refs, a detached head and an archive all know their commit", async (context) => {
  if (await gitIsMissing()) return context.skip("git is not installed");
  const checkout = join(folder.path, "checkout");
  await mkdir(checkout);
  await git("init", "--quiet", "--initial-branch=trunk");
  await writeFile(join(checkout, "build-commit"), "$Format:%H$\n");
  await writeFile(join(checkout, ".gitattributes"), "build-commit export-subst\n");
  await git("add", ".");
  await git("commit", "--quiet", "--message=one");
  const commit = await git("rev-parse", "HEAD");
  expect(commitOf(checkout)).toBe(commit);

  await git("worktree", "add", "--quiet", "-b", "other", join(folder.path, "worktree"));
  expect(commitOf(join(folder.path, "worktree"))).toBe(commit);

  await git("archive", "--output=../archive.tar", "HEAD");
  await mkdir(join(folder.path, "archive"));
  await run("tar", ["-xf", "archive.tar", "-C", "archive"], { cwd: folder.path });
  expect(commitOf(join(folder.path, "archive"))).toBe(commit);

  await git("pack-refs", "--all");
  expect(commitOf(checkout)).toBe(commit);
  await git("checkout", "--quiet", "--detach");
  expect(commitOf(checkout)).toBe(commit);
});

test("an image knows the commit that its build wrote down, and a folder without one knows none", async () => {
  const image = join(folder.path, "image");
  await mkdir(image);
  expect(commitOf(image)).toBeUndefined();
  await writeFile(join(image, "build-commit"), "$Format:%H$\n");
  expect(commitOf(image)).toBeUndefined();
  await writeFile(join(image, "build-commit"), `${"ab".repeat(20)}\n`);
  expect(commitOf(image)).toBe("ab".repeat(20));
  await rm(image, { recursive: true });
});
