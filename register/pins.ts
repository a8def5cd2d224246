import { type Cashier, isPin } from "./cashiers.ts";
import type { Row, Store } from "./store.ts";

/** After this many wrong PINs in a row each further attempt waits longer. */
export const freeAttempts = 3;
/** From this one on the owner is told. */
export const toldFrom = 10;
/** As many as 50 people make. */
const mostPairs = 2_500;
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
  /** Goes on evenly, whatever the device's time is set to; without it that time counts. */
  elapsedMs?: () => number;
  /** Somebody tries one wrong PIN after the other. */
  onMany(cashier: Cashier, count: number): void;
  /** The others who have PINs. */
  others(cashier: Cashier): readonly Cashier[];
  /** Her PIN is the others' too. */
  onShared(cashier: Cashier, others: readonly Cashier[]): void;
}

const wholeMs = (count: number) =>
  count < freeAttempts ? 0 : Math.min(longestWaitMs, 1000 * 2 ** (count - freeAttempts));

/** Of a wait that began before the register was opened only the device's time could tell how much has passed: this much is left. */
const openedAnewMs = 30_000;

const key = "wrong_pins";
const comparedKey = "compared_pins";

/** Checks PINs, and makes guessing slow. What was tried is kept in the store: loading the page anew clears nothing. */
export async function openPins(options: PinsOptions): Promise<Pins> {
  const { store, now, onMany, others, onShared, elapsedMs = () => now().getTime() } = options;
  let wrong: WrongPins = (await store.get<WrongPins>("meta", key)) ?? {};
  async function keep(next: WrongPins): Promise<void> {
    wrong = next;
    // A full disk keeps nobody from entering.
    await Promise.resolve(store.commit({ put: [{ table: "meta", key, value: next } satisfies Row] })).catch(() => {});
  }
  /** When each wait began, by a clock that nobody sets. */
  const begun = new Map<string, number>();
  for (const [id, { count, at }] of Object.entries(wrong)) {
    const whole = wholeMs(count);
    const passed = Math.min(Math.max(0, now().getTime() - at), whole - Math.min(whole, openedAnewMs));
    begun.set(id, elapsedMs() - passed);
  }
  function waitMs(cashierId: string): number {
    const count = wrong[cashierId]?.count ?? 0;
    if (count < freeAttempts) return 0;
    const passed = elapsedMs() - (begun.get(cashierId) ?? 0);
    // Without such a clock the time may be put back: the wait begins now, and ends.
    if (passed < 0) begun.set(cashierId, elapsedMs());
    return Math.max(0, wholeMs(count) - Math.max(0, passed));
  }
  let comparing: Promise<void> = Promise.resolve();
  /**
   * New PINs are compared where they are set. Older ones can only be compared by whoever has one of them: here, when it was typed, once
   * for each other person.
   */
  async function compare(cashier: Cashier, pin: string): Promise<void> {
    const compared = new Set((await store.get<string[]>("meta", comparedKey)) ?? []);
    const pair = (one: Cashier) => `${cashier.pin_hash.slice(-12)} ${one.pin_hash.slice(-12)}`;
    const unknown = others(cashier).filter((one) => !compared.has(pair(one)));
    if (unknown.length === 0) return;
    const same: Cashier[] = [];
    for (const one of unknown) if (await isPin(pin, one.pin_hash)) same.push(one);
    const value = [...compared, ...unknown.map(pair)].slice(-mostPairs);
    await store.commit({ put: [{ table: "meta", key: comparedKey, value } satisfies Row] });
    if (same.length > 0) onShared(cashier, same);
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
      begun.set(cashier.id, elapsedMs());
      await keep({ ...wrong, [cashier.id]: { count, at: now().getTime(), hash } });
      if (await isPin(pin, cashier.pin_hash)) {
        const { [cashier.id]: _, ...rest } = wrong;
        await keep(rest);
        comparing = comparing.then(() => compare(cashier, pin)).catch(() => {});
        return true;
      }
      if (count >= toldFrom) onMany(cashier, count);
      return false;
    },
  };
}
