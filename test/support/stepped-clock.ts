import { readFileSync } from "node:fs";

// Loaded before a program (`node --import`): its wall clock is the machine's plus the milliseconds in the file that
// STEPPED_CLOCK names, read again on SIGUSR2. Timers are not affected, as when a machine's clock is set.

const Real = Date;
let offsetMs = 0;

globalThis.Date = class extends Real {
  constructor(...parts: unknown[]) {
    super(...((parts.length === 0 ? [Real.now() + offsetMs] : parts) as [number]));
  }
  static override now(): number {
    return Real.now() + offsetMs;
  }
} as DateConstructor;

process.on("SIGUSR2", () => {
  offsetMs = Number(readFileSync(process.env.STEPPED_CLOCK!, "utf8"));
});
