import type { DeviceAccess } from "../../../access/devices/device-access.ts";
import type { Pool } from "../../../db/pool.ts";
import { prepared } from "../../../db/sql.ts";
import type { FeedSignal } from "../../../engine/writing/feed-signal.ts";
import { ApiError } from "../../../lib/errors.ts";

/** Registers that wait for something to change. A wake-up is a hint; the cursor is the truth. */
export interface WaitingRoom {
  /**
   * True as soon as the account's feed moved past `seq`; false after `waitMs`, or when the room or the register closes.
   * Rejects when the register is turned away.
   */
  wait(device: Waiting, seq: number, waitMs: number, leaving: Leaving): Promise<boolean>;
  /** Ends the waits of registers that were revoked, or whose account was closed. */
  turnAway(): Promise<void>;
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

type Waiting = Pick<DeviceAccess, "accountId" | "deviceId">;

interface Waiter {
  deviceId: string;
  seq: number;
  until: number;
  leave: (outcome: boolean | ApiError) => void;
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
    async turnAway() {
      const waiting = [...waiters.values()].flatMap((some) => [...some]);
      if (waiting.length === 0) return;
      const refused = await findRefused(
        pool,
        waiting.map(({ deviceId }) => deviceId),
      );
      for (const waiter of waiting) {
        const error = refused.get(waiter.deviceId);
        if (error) waiter.leave(error);
      }
    },
    wait({ accountId, deviceId }, seq, waitMs, leaving) {
      if (closed || waitMs <= 0 || leaving.hasLeft()) return Promise.resolve(false);
      return new Promise((resolve, reject) => {
        const some = waiters.get(accountId) ?? new Set();
        waiters.set(accountId, some);
        const waiter: Waiter = { deviceId, seq, until: performance.now() + waitMs, leave };
        some.add(waiter);
        const stopListening = leaving.listen(() => leave(false));
        schedule();
        function leave(outcome: boolean | ApiError): void {
          stopListening();
          some.delete(waiter);
          if (some.size === 0 && waiters.get(accountId) === some) waiters.delete(accountId);
          if (typeof outcome === "boolean") resolve(outcome);
          else reject(outcome);
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

/** Of these registers, the ones that may not wait any more, each with what to tell it. */
async function findRefused(pool: Pool, deviceIds: readonly string[]): Promise<Map<string, ApiError>> {
  try {
    const { rows } = await pool.query<{ id: string; is_revoked: boolean }>(
      prepared(
        `select d.id, d.revoked_at is not null as is_revoked from devices d join accounts a on a.id = d.account_id
         where d.id = any($1::uuid[]) and (d.revoked_at is not null or not a.active)`,
        [deviceIds],
      ),
    );
    return new Map(rows.map((row) => [row.id, new ApiError(row.is_revoked ? "DEVICE_REVOKED" : "ACCOUNT_INACTIVE")]));
  } catch {
    // A database that is away turns nobody away; the waits end by themselves and the next request is judged.
    return new Map();
  }
}
