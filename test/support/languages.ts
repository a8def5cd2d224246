import { spawnSync } from "node:child_process";

const answers = (program: string, ...args: string[]) => spawnSync(program, args, { encoding: "utf8" });

/** Python 3.10 or later, of whoever runs the tests. */
export const python =
  answers("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 10))").status === 0 ? "python3" : undefined;
export const withoutPython = "needs Python 3.10 or later as python3";
