import type { DeviceAccess } from "../../../access/devices/device-access.ts";
import { isAccountAway } from "../../../db/nodes.ts";
import type { Pool } from "../../../db/pool.ts";
import { ofAccounts, prepared } from "../../../db/sql.ts";
import type { FeedSignal } from "../../../engine/writing/feed-signal.ts";
import { ApiError } from "../../../lib/errors.ts";

/** Registers that long-poll for changes. Waking one up is only a hint: its cursor decides what it gets. */
export interface LongPolls {
  /**
   * True as soon as the account's feed has moved past `seq`; false after `waitMs`, on shutdown or when the client
   * disconnects. Rejects when the register is revoked or its account closed.
   */
  wait(device: Register, seq: number, waitMs: number, connection: ClientConnection): Promise<boolean>;
  /** Ends the waits of registers that were revoked or whose account was closed. */
  endRejected(): Promise<void>;
  size(): number;
  close(): void;
  isClosed(): boolean;
}

/** The connection of a waiting register. */
export interface ClientConnection {
  isClosed(): boolean;
  /** Calls back when the connection closes. Returns a function that unsubscribes. */
  listen(listener: () => void): () => void;
}

type Register = Pick<DeviceAccess, "accountId" | "deviceId">;

interface Waiter {
  deviceId: string;
  seq: number;
  until: number;
  end: (result: boolean | ApiError) => void;
}

/**
 * A write in this process wakes its waiters at once; writes of other processes are found by one query for all waiters. Waits
 * also end together, up to this much early: a timer for each would cost three times as much.
 */
const pollEveryMs = 500;

export function longPolls(pool: Pool, feed: FeedSignal | undefined): LongPolls {
  const waiters = new Map<string, Set<Waiter>>();
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let isPolling = false;
  const unsubscribe = feed?.listen(wakeAccount);

  function wakeAccount(accountId: string): void {
    for (const waiter of [...(waiters.get(accountId) ?? [])]) waiter.end(true);
  }

  const all = () => [...waiters.values()].flatMap((ofAccount) => [...ofAccount]);

  async function pollDatabase(): Promise<void> {
    isPolling = true;
    for (const accountId of await findChanged(pool, lowestSeqs(pool, waiters))) wakeAccount(accountId);
    isPolling = false;
  }

  function endExpired(): void {
    const before = performance.now() + pollEveryMs;
    for (const waiter of all()) if (waiter.until < before) waiter.end(false);
  }

  function schedule(): void {
    if (timer !== undefined || closed || waiters.size === 0) return;
    timer = setTimeout(() => {
      timer = undefined;
      endExpired();
      if (!isPolling) void pollDatabase();
      schedule();
    }, pollEveryMs);
    timer.unref();
  }

  return {
    async endRejected() {
      await endThoseRejected(pool, all());
    },
    wait({ accountId, deviceId }, seq, waitMs, connection) {
      if (closed || waitMs <= 0 || connection.isClosed()) return Promise.resolve(false);
      return new Promise((resolve, reject) => {
        const ofAccount = waiters.get(accountId) ?? new Set();
        waiters.set(accountId, ofAccount);
        const waiter: Waiter = { deviceId, seq, until: performance.now() + waitMs, end };
        ofAccount.add(waiter);
        const stopListening = connection.listen(() => end(false));
        schedule();
        function end(result: boolean | ApiError): void {
          stopListening();
          ofAccount.delete(waiter);
          if (ofAccount.size === 0 && waiters.get(accountId) === ofAccount) waiters.delete(accountId);
          if (typeof result === "boolean") resolve(result);
          else reject(result);
        }
      });
    },
    size: () => all().length,
    isClosed: () => closed,
    close() {
      closed = true;
      clearTimeout(timer);
      unsubscribe?.();
      for (const waiter of all()) waiter.end(false);
    },
  };
}

/** Where each account's waiters stand at least, of those whose node answers. */
function lowestSeqs(pool: Pool, waiters: ReadonlyMap<string, ReadonlySet<Waiter>>): Map<string, number> {
  const reached = [...waiters].filter(([id]) => !isAccountAway(pool, id));
  return new Map(reached.map(([id, ofAccount]) => [id, Math.min(...Array.from(ofAccount, ({ seq }) => seq))]));
}

async function endThoseRejected(pool: Pool, waiting: readonly Waiter[]): Promise<void> {
  if (waiting.length === 0) return;
  const deviceIds = waiting.map(({ deviceId }) => deviceId);
  const rejected = await findRejected(pool, deviceIds);
  for (const waiter of waiting) {
    const error = rejected.get(waiter.deviceId);
    if (error) waiter.end(error);
  }
}

/** The accounts whose feed has moved past the given seq. */
async function findChanged(pool: Pool, seqs: ReadonlyMap<string, number>): Promise<string[]> {
  if (seqs.size === 0) return [];
  try {
    const { rows } = await pool.query<{ account_id: string }>(
      prepared(
        `select c.account_id from unnest($1::uuid[], $2::bigint[]) as w(id, seq)
         join account_clock c on c.account_id = w.id and c.feed_seq > w.seq
         where ${ofAccounts("c")}`,
        [[...seqs.keys()], [...seqs.values()]],
      ),
    );
    return rows.map((row) => row.account_id);
  } catch {
    // Without the database nobody is woken: the waits time out and the next request reports the error.
    return [];
  }
}

/** Those of these registers that may no longer wait, each with its error. */
async function findRejected(pool: Pool, deviceIds: readonly string[]): Promise<Map<string, ApiError>> {
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
    // Without the database nobody is rejected: the waits time out and the next request is authenticated again.
    return new Map();
  }
}
