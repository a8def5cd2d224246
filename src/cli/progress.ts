import type { Output } from "./command.ts";

/** Called with the completed share, from 0 to 1. */
export type Progress = (done: number) => void;

const cells = 28;

/** A progress bar on a terminal; elsewhere one line at the start and one at the end. */
export function progressBar(out: Output, title: string): Progress {
  if (out.json) return () => {};
  if (!process.stderr.isTTY) {
    let printed = -1;
    return (done) => {
      const now = done >= 1 ? 1 : 0;
      if (now > printed) out.note(now === 0 ? `${title}…` : `${title}: listo.`);
      printed = Math.max(printed, now);
    };
  }
  return (done) => {
    const full = Math.round(Math.min(1, done) * cells);
    const bar = "█".repeat(full) + "░".repeat(cells - full);
    process.stderr.write(`\r${title} ${bar} ${String(Math.round(done * 100)).padStart(3)} %${done >= 1 ? "\n" : ""}`);
  };
}
