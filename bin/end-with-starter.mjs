import { spawnSync } from "node:child_process";

/** A terminal or an npx that is killed cannot tell its children: they would go on forwarding for nobody. (`start` outlives a shell.) */
export function endWithStarter() {
  const parent = process.ppid;
  // npm and npx start a shell that starts this process, and that outlives them.
  const npm = process.env.npm_execpath === undefined ? undefined : parentOf(parent);
  const isThere = () => process.ppid === parent && (npm === undefined || isAlive(npm));
  setInterval(() => isThere() || process.exit(0), 500).unref();
}

/** Undefined where nobody can tell. */
function parentOf(pid) {
  const { stdout } = spawnSync("ps", ["-o", "ppid=", "-p", String(pid)], { encoding: "utf8" });
  return Number(stdout?.trim()) || undefined;
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Of another user.
    return error.code === "EPERM";
  }
}
