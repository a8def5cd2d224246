import { readdirSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";
import { projectDir } from "./process.ts";

const ticksPerSecond = 100;
const lookEveryMs = 250;

interface Seen {
  parent: number;
  /** Of itself and of the children that it has waited for. */
  ticks: number;
}

/**
 * How much processor each file took, with all the processes that it started: services, PostgreSQL, browsers. Wall time says little on
 * a busy machine. Linux only; run with one worker, since what runs at once cannot be told apart.
 */
export default class ProcessorTime implements Reporter {
  #seconds = new Map<string, number>();
  #tree = watchTree();
  #before = 0;

  onTestRunStart(): void {
    this.#before = this.#tree.seconds();
  }

  onTestModuleEnd({ moduleId }: TestModule): void {
    const now = this.#tree.seconds();
    this.#seconds.set(relative(projectDir, moduleId), now - this.#before);
    this.#before = now;
  }

  onTestRunEnd(): void {
    this.#tree.stop();
    for (const [path, seconds] of [...this.#seconds].toSorted(([, a], [, b]) => b - a))
      console.log(`${seconds.toFixed(1).padStart(7)} s  ${path}`);
    const sum = [...this.#seconds.values()].reduce((total, one) => total + one, 0);
    console.log(`${sum.toFixed(1).padStart(7)} s  together`);
  }
}

/** The processor time of this process and of all below it, those included that have ended or lost their parent. */
function watchTree(): { seconds(): number; stop(): void } {
  let ours = new Map<number, Seen>();
  let ofLost = 0;
  const look = () => {
    const all = processes();
    const found = new Map<number, Seen>();
    const isOurs = (pid: number): boolean => {
      const one = all.get(pid);
      if (!one) return false;
      return pid === process.pid || found.has(pid) || ours.has(pid) || isOurs(one.parent);
    };
    for (const [pid, one] of all) if (isOurs(pid)) found.set(pid, one);
    // What its parent waited for is counted there; an orphan's end is told to nobody here.
    for (const [pid, { parent, ticks }] of ours) if (!found.has(pid) && !found.has(parent)) ofLost += ticks;
    ours = found;
  };
  const timer = setInterval(look, lookEveryMs).unref();
  return {
    seconds() {
      look();
      return ([...ours.values()].reduce((sum, { ticks }) => sum + ticks, 0) + ofLost) / ticksPerSecond;
    },
    stop: () => clearInterval(timer),
  };
}

function processes(): Map<number, Seen> {
  const all = new Map<number, Seen>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      // After the name, which is in parentheses and may hold anything: state, parent, …
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0);
      all.set(Number(name), { parent: Number(fields[1]), ticks });
    } catch {
      // It ended meanwhile.
    }
  }
  return all;
}
