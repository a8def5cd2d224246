import { type Cashier, isPin } from "./cashiers.ts";
import type { Row, Store } from "./store.ts";

/** After this many wrong PINs in a row each further attempt waits longer. */
export const freeAttempts = 3;
/** From this one on the owner is told. */
export const toldFrom = 10;
const longestWaitMs = 5 * 60_000;

interface Wrong {
  count: number;
  /** When the last one was tried, in ms. */
  at: number;
  /** Of the PIN that was guessed at: with a new one she begins anew. */
  hash?: string;
}

/** Who typed how many wrong PINs in a row, by cashier: her own right one clears hers, and nobody else's. */
type WrongPins = Record<string, Wrong>;

export interface Pins {
  /** How long until this person's PIN may be tried again. */
  waitMs(cashierId: string): number;
  /** Checks a PIN; while there is a wait every PIN is wrong. */
  check(cashier: Cashier, pin: string): Promise<boolean>;
}

export interface PinsOptions {
  store: Store;
  now: () => Date;
  /** Somebody tries one wrong PIN after the other. */
  onMany(cashier: Cashier, count: number): void;
}

const key = "wrong_pins";

/** Checks PINs, and makes guessing slow. What was tried is kept in the store: loading the page anew clears nothing. */
export async function openPins({ store, now, onMany }: PinsOptions): Promise<Pins> {
  let wrong: WrongPins = (await store.get<WrongPins>("meta", key)) ?? {};
  async function keep(next: WrongPins): Promise<void> {
    wrong = next;
    // A full disk keeps nobody from entering.
    await Promise.resolve(store.commit({ put: [{ table: "meta", key, value: next } satisfies Row] })).catch(() => {});
  }
  function waitMs(cashierId: string): number {
    const last = wrong[cashierId];
    if (!last || last.count < freeAttempts) return 0;
    const nowMs = now().getTime();
    // The clock was put back: the wait begins now, and ends.
    if (last.at > nowMs) void keep({ ...wrong, [cashierId]: { ...last, at: nowMs } });
    const whole = Math.min(longestWaitMs, 1000 * 2 ** (last.count - freeAttempts));
    return Math.max(0, Math.min(last.at, nowMs) + whole - nowMs);
  }
  return {
    waitMs,
    async check(cashier, pin) {
      const { pin_hash: hash } = cashier;
      const before = wrong[cashier.id];
      const isSame = before?.hash === undefined || before.hash === hash;
      if (isSame && waitMs(cashier.id) > 0) return false;
      const count = (isSame ? (before?.count ?? 0) : 0) + 1;
      // Counted before it is known: closing the page in the middle of an attempt is no way around.
      await keep({ ...wrong, [cashier.id]: { count, at: now().getTime(), hash } });
      if (await isPin(pin, cashier.pin_hash)) {
        const { [cashier.id]: _, ...others } = wrong;
        await keep(others);
        return true;
      }
      if (count >= toldFrom) onMany(cashier, count);
      return false;
    },
  };
}
