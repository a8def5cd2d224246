import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** From package.json. */
export const version: string = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version;

/** What this process was built from. Shown by `--version`, in the log, the metrics and `/healthz`. */
export const commit: string = commitOf(root) ?? "unknown";

/** Of one build alone, unlike the version: "0.1.0+a623a61bd0c2". */
export const build: string = commit === "unknown" ? version : `${version}+${commit.slice(0, 12)}`;

/**
 * The commit of a folder: from the file that `git archive` or the build of an image fills in, and in a checkout, where that file
 * holds only a placeholder, from .git.
 */
export function commitOf(folder: string): string | undefined {
  return [read(join(folder, "build-commit")), headOf(join(folder, ".git"))]
    .map((text) => text?.trim())
    .find((text) => text !== undefined && /^[0-9a-f]{40,64}$/.test(text));
}

function headOf(path: string): string | undefined {
  const gitDir = statSync(path, { throwIfNoEntry: false })?.isFile() ? linkedDir(path) : path;
  const head = read(join(gitDir, "HEAD"))?.trim();
  if (!head?.startsWith("ref: ")) return head;
  const ref = head.slice("ref: ".length);
  const common = resolve(gitDir, read(join(gitDir, "commondir"))?.trim() ?? ".");
  return read(join(common, ref)) ?? packedRef(common, ref);
}

/** In a worktree .git is a file that names the folder. */
function linkedDir(path: string): string {
  return resolve(
    path,
    "..",
    read(path)
      ?.replace(/^gitdir: /, "")
      .trim() ?? "",
  );
}

function packedRef(gitDir: string, ref: string): string | undefined {
  const line = read(join(gitDir, "packed-refs"))
    ?.split("\n")
    .find((one) => one.endsWith(` ${ref}`));
  return line?.split(" ")[0];
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
