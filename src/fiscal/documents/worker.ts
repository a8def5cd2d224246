import type { Authority } from "../authority/authority.ts";
import { claimDue, type FiscalWorkerDeps, newDispatcher } from "./dispatcher.ts";

/** 1 000 documents at 2 s each, 100 at a time, are decided in some 20 s. */
const mostInFlight = 100;
/** Between processes there is no signal: this is how late a new document may be noticed. */
const pollMs = 750;
const pauseAfterErrorMs = 2_000;
const longestStopMs = 5_000;

export interface FiscalWorker {
  start(): void;
  /** Claims no more documents and waits a little for those in flight; the next worker asks about the rest. */
  stop(): Promise<void>;
  /** Works until nothing is due at this instant of the clock; returns how many times the authority was called. */
  workOff(): Promise<number>;
}

/** Sends documents to the authority and stores its verdicts. Any number of workers may run, in any number of processes. */
export function fiscalWorker(
  deps: FiscalWorkerDeps,
  authority: Authority,
  { cap = mostInFlight, leaseMs }: { cap?: number; leaseMs?: number } = {},
): FiscalWorker {
  const dispatcher = newDispatcher(deps, authority, { cap, leaseMs });
  const inFlight = () => [...dispatcher.held.values()].map(({ done }) => done);
  let polling: Promise<void> | undefined;

  async function poll(): Promise<void> {
    while (!dispatcher.isStopped) {
      let pauseMs = pollMs;
      try {
        while (!dispatcher.isStopped && (await claimDue(dispatcher)) > 0 && dispatcher.held.size < cap);
      } catch (error) {
        deps.log.error({ err: error }, "due documents could not be read");
        pauseMs = pauseAfterErrorMs;
      }
      await pause(pauseMs);
    }
  }

  /** Ends early when there is room again. */
  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      dispatcher.onRoom = () => {
        clearTimeout(timer);
        resolve();
      };
      if (dispatcher.isStopped) dispatcher.onRoom();
    });
  }

  return {
    async workOff() {
      const before = dispatcher.calls;
      for (;;) {
        const claimed = await claimDue(dispatcher);
        if (claimed === 0 && dispatcher.held.size === 0) return dispatcher.calls - before;
        await Promise.race(inFlight());
      }
    },
    start() {
      polling ??= poll();
    },
    async stop() {
      dispatcher.isStopped = true;
      dispatcher.steps.stop();
      dispatcher.onRoom();
      await polling;
      const timeUp = new Promise((resolve) => setTimeout(resolve, longestStopMs).unref());
      await Promise.race([Promise.all(inFlight()), timeUp]);
      dispatcher.meter.stop();
    },
  };
}
