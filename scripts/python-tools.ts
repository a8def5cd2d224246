import { execFile } from "node:child_process";
import { access, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * A tool of PyPI in a virtual environment of its own, kept between runs: the path of its program, or undefined where
 * there is no Python 3 or nowhere to get the tool from.
 */
export async function pythonTool(name: string, version: string): Promise<string | undefined> {
  const home = fileURLToPath(new URL(`../node_modules/.cache/python/${name}-${version}`, import.meta.url));
  const program = join(home, "bin", name);
  if (await exists(program)) return program;
  try {
    await mkdir(home, { recursive: true });
    await run("python3", ["-m", "venv", "--clear", home]);
    await run(join(home, "bin", "pip"), ["install", "--quiet", `${name}==${version}`]);
    return program;
  } catch {
    return undefined;
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
