/** The source of business time. It is injected, so that a test moves the clock instead of sleeping. */
export interface Clock {
  now(): Date;
  /** False while the host's clock and the database's are too far apart to write or drop anything by them. */
  isTrusted?(): boolean;
}

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** A clock with an offset: in the test environment it may be moved ahead, never back. */
export interface ShiftedClock extends Clock {
  isTrusted(): boolean;
  offsetMs(): number;
  shiftTo(offsetMs: number): void;
  /** Called whenever the clock was moved, because work may have become due. Returns a function that unsubscribes. */
  onShift(listener: () => void): () => void;
}

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

/** "26h", "90s", "1d12h" in milliseconds; undefined if the text is not a duration. */
export function parseDuration(text: string): number | undefined {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|min|s|m|h|d)/g)];
  if (parts.length === 0 || parts.map((part) => part[0]).join("") !== text) return undefined;
  return parts.reduce((total, [, amount, unit]) => total + Number(amount) * units[unit!]!, 0);
}
