import { AsyncLocalStorage } from "node:async_hooks";

const held = new AsyncLocalStorage<true>();

/** Marks `work`, and everything it calls, as running with a pool connection already held. */
export function whileConnectionIsHeld<T>(work: () => T): T {
  return held.run(true, work);
}

/**
 * Whether the caller already holds a connection. Code that holds one must not ask for a second: when every connection is
 * held by code that waits for another, nothing ever continues.
 */
export function isConnectionHeld(): boolean {
  return held.getStore() === true;
}
