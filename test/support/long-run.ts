import { writeSync } from "node:fs";

/** A number that the everyday run keeps small and `npm run test:faults` sets. */
export function longRun(name: string, otherwise: number): { value: number; isLong: boolean } {
  const value = Number(process.env[name] ?? otherwise);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`${name} must be a whole number from 1`);
  return { value, isLong: value > otherwise };
}

/**
 * How soon the service must serve again after a fault, as its documentation promises. The everyday run shares two cores
 * with other files, and perhaps with other programs, so it only waits for what would never come.
 */
export function recoveryMs(isLong: boolean): number {
  return isLong ? 10_000 : 60_000;
}

const everyMs = 10_000;

/** Reports progress every ten seconds, bypassing the reporter, which holds back output until a test ends. */
export function progress(tell: () => string): () => void {
  const timer = setInterval(() => writeSync(2, `${new Date().toISOString().slice(11, 19)} ${tell()}\n`), everyMs);
  return () => clearInterval(timer);
}
