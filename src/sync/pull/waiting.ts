import type { Pool } from "../../db/pool.ts";
import { prepared } from "../../db/sql.ts";
import type { FeedSignal } from "../../writing/feed-signal.ts";

/** Registers that wait for something to change. A wake-up is a hint; the cursor is the truth. */
export interface WaitingRoom {
  /** True as soon as the account's feed moved past `seq`; false after `waitMs`, or when the room or the register closes. */
  wait(accountId: string, seq: number, waitMs: number, leaving: Leaving): Promise<boolean>;
  size(): number;
  close(): void;
  isClosed(): boolean;
}

/** A register that may go away while it waits. */
export interface Leaving {
  hasLeft(): boolean;
  /** Returns how to stop listening. */
  listen(listener: () => void): () => void;
}

interface Waiter {
  seq: number;
  until: number;
  leave: (isWoken: boolean) => void;
}

/**
 * A write in this process rings at once; what other processes wrote is looked up for all waiters together. Waits end
 * together too, up to this much early: each end by itself would wake the process for one answer, at three times the cost.
 */
const lookEveryMs = 500;

export function waitingRoom(pool: Pool, feed: FeedSignal | undefined): WaitingRoom {
  const waiters = new Map<string, Set<Waiter>>();
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;
  const stopHearing = feed?.listen(wakeAll);

  function wakeAll(accountId: string): void {
    for (const waiter of [...(waiters.get(accountId) ?? [])]) waiter.leave(true);
  }

  async function look(): Promise<void> {
    if (waiters.size === 0) return;
    const ids = [...waiters.keys()];
    const seqs = Array.from(waiters.values(), (some) => Math.min(...Array.from(some, (waiter) => waiter.seq)));
    isLooking = true;
    try {
      const { rows } = await pool.query<{ account_id: string }>(
        prepared(
          `select c.account_id from unnest($1::uuid[], $2::bigint[]) as w(id, seq)
           join account_clock c on c.account_id = w.id and c.feed_seq > w.seq`,
          [ids, seqs],
        ),
      );
      for (const { account_id } of rows) wakeAll(account_id);
    } catch {
      // A database that is away wakes nobody; the waits end by themselves and the next request says so.
    } finally {
      isLooking = false;
    }
  }

  function sendHome(): void {
    const before = performance.now() + lookEveryMs;
    for (const some of [...waiters.values()])
      for (const waiter of [...some]) if (waiter.until < before) waiter.leave(false);
  }

  function schedule(): void {
    if (timer !== undefined || closed || waiters.size === 0) return;
    timer = setTimeout(() => {
      timer = undefined;
      sendHome();
      if (!isLooking) void look();
      schedule();
    }, lookEveryMs);
    timer.unref();
  }

  return {
    wait(accountId, seq, waitMs, leaving) {
      if (closed || waitMs <= 0 || leaving.hasLeft()) return Promise.resolve(false);
      return new Promise((resolve) => {
        const some = waiters.get(accountId) ?? new Set();
        waiters.set(accountId, some);
        const waiter: Waiter = { seq, until: performance.now() + waitMs, leave };
        some.add(waiter);
        const stopListening = leaving.listen(() => leave(false));
        schedule();
        function leave(isWoken: boolean): void {
          stopListening();
          some.delete(waiter);
          if (some.size === 0 && waiters.get(accountId) === some) waiters.delete(accountId);
          resolve(isWoken);
        }
      });
    },
    size: () => [...waiters.values()].reduce((total, some) => total + some.size, 0),
    isClosed: () => closed,
    close() {
      closed = true;
      clearTimeout(timer);
      stopHearing?.();
      for (const some of [...waiters.values()]) for (const waiter of [...some]) waiter.leave(false);
    },
  };
}
