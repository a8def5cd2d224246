import { AsyncLocalStorage } from "node:async_hooks";

const held = new AsyncLocalStorage<true>();

/** Runs what is done with a connection in hand: a transaction's work, and whatever it calls. */
export function whileHolding<T>(work: () => T): T {
  return held.run(true, work);
}

/**
 * Whether this code was called by someone who holds a connection. He must not ask for a second one: when all of them are
 * held by others who do the same, each waits for the others for ever.
 */
export function isHolding(): boolean {
  return held.getStore() === true;
}
