import type { Pool } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { second } from "../../lib/clock.ts";

/** When each register was last seen. Collected, because a write on every poll would cost more than the poll. */
export interface LastSeenRecorder {
  note(deviceId: string, at: Date): void;
  flush(): Promise<void>;
  stop(): Promise<void>;
}

const everyMs = 10 * second;

export function lastSeenRecorder(pool: Pool, onError: (error: Error) => void): LastSeenRecorder {
  let seen = new Map<string, Date>();
  async function flush(): Promise<void> {
    if (seen.size === 0) return;
    const noted = seen;
    seen = new Map();
    // Rows are locked in a fixed order: processes that saw the same registers cannot deadlock.
    await pool.query(sql`
      with seen as (
        select d.id, s.at from unnest(${[...noted.keys()]}::uuid[], ${[...noted.values()]}::timestamptz[]) as s(id, at)
        join devices d on d.id = s.id order by d.id for no key update of d)
      update devices d set last_seen_at = greatest(d.last_seen_at, seen.at) from seen where d.id = seen.id`);
  }
  const timer = setInterval(() => void flush().catch(onError), everyMs);
  timer.unref();
  return {
    note: (deviceId, at) => void seen.set(deviceId, at),
    flush,
    async stop() {
      clearInterval(timer);
      await flush().catch(onError);
    },
  };
}
