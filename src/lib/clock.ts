/** Where business time comes from: the process takes it from outside, so a test moves it instead of sleeping. */
export interface Clock {
  now(): Date;
  /** False while the host's clock and the database's are so far apart that nothing may be written or dropped by them. */
  isTrusted?(): boolean;
}

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** A time plus an offset: the test environment's clock may be moved ahead, never back. */
export interface ShiftedClock extends Clock {
  isTrusted(): boolean;
  offsetMs(): number;
  shiftTo(offsetMs: number): void;
  /** Called whenever the clock was moved: what fell due by that falls due now. Returns how to stop listening. */
  onShift(listener: () => void): () => void;
}

/** Where the time comes from: the machine, unless the caller has something better. */
export interface TimeSource {
  now(): number;
  isTrusted(): boolean;
}

const machine: TimeSource = { now: () => Date.now(), isTrusted: () => true };

export function shiftedClock(source = machine): ShiftedClock {
  let offset = 0;
  const listeners = new Set<() => void>();
  return {
    now: () => new Date(source.now() + offset),
    isTrusted: source.isTrusted,
    offsetMs: () => offset,
    shiftTo(next) {
      if (next <= offset) return;
      offset = next;
      for (const listener of listeners) listener();
    },
    onShift(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const units: Record<string, number> = { ms: 1, s: second, m: minute, min: minute, h: hour, d: day };

/** "26h", "90s", "1d12h" in milliseconds; undefined when the text is no duration. */
export function parseDuration(text: string): number | undefined {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|min|s|m|h|d)/g)];
  if (parts.length === 0 || parts.map((part) => part[0]).join("") !== text) return undefined;
  return parts.reduce((total, [, amount, unit]) => total + Number(amount) * units[unit!]!, 0);
}
