import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { projectDir } from "./process.ts";
import { receiverHost } from "./receiver.ts";

/** The last commit before upgrades under load: the oldest that a rolling upgrade starts from. */
export const formerCommit = "a623a6110755b6caf106c39896d4f2e8d5422290";

export interface FormerVersion extends AsyncDisposable {
  /** Its checkout, which runs with the packages and the built pages of this one. */
  project: string;
}

/** Undefined in a tree that does not have the commit: an export, or a shallow clone. */
export async function formerVersion(): Promise<FormerVersion | undefined> {
  const run = promisify(execFile);
  const isThere = await run("git", ["cat-file", "-e", `${formerCommit}^{commit}`], { cwd: projectDir }).then(
    () => true,
    () => false,
  );
  if (!isThere) return undefined;
  const project = await mkdtemp(join(tmpdir(), "mostrador-former-"));
  await run("sh", ["-c", 'git archive "$0" | tar -x -C "$1"', formerCommit, project], { cwd: projectDir });
  for (const built of ["node_modules", "portal/dist", "caja/dist"])
    await symlink(join(projectDir, built), join(project, built));
  return { project: `${project}/`, [Symbol.asyncDispose]: () => rm(project, { recursive: true, force: true }) };
}

export interface FormerBusinesses {
  shop: Record<"accountId" | "keyId" | "key", string>;
  office: Record<"accountId" | "keyId" | "key", string>;
  /** Where `simulate` sells. */
  store: Record<"accountId" | "keyId" | "key", string>;
  codes: string[];
  /** Of the webhook at the path that is the account's id. */
  secrets: Record<string, string>;
}

/** Migrates an empty database with a version's own code, and makes businesses in it. */
export async function fillWith(project: string, env: Record<string, string>): Promise<FormerBusinesses> {
  const script = `${projectDir}test/support/fill-former.ts`;
  const child = spawn(process.execPath, [script, project, receiverHost], {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  for await (const chunk of child.stdout) said += chunk;
  return JSON.parse(said) as FormerBusinesses;
}
