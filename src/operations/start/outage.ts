import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "pino";
import { readOnlyReason } from "../../db/read-only.ts";
import { isDown, isUnavailable } from "../../db/transaction.ts";
import { second } from "../../lib/clock.ts";

const timeoutMs = 2 * second;
const firstWaitMs = 0.25 * second;
const maxWaitMs = 2 * second;
/** Whoever paused after a failure finds only now that the connection it has is an old one. */
const settleMs = 3 * second;
/** Of what happens again and again without the database being away, such as a lock not got in time, one line is enough. */
const repeatAfterMs = second;

/** What the log says while the database is away: one line when it goes and one when it is back. */
export interface Outage {
  /** Whether a line about this error would tell nothing new: an outage is told here, and every part stumbles over it. */
  hides(error: unknown): boolean;
  /** Until it is called nothing is hidden. Returns how to stop. */
  watch(url: string, log: Logger): () => void;
}

export function newOutage(): Outage {
  let watched: { url: string; log: Logger } | undefined;
  let isBeingTold = false;
  let left = 0;
  const lastSaid = new Map<string, number>();
  const stopping = new AbortController();

  async function tell(first: Error, { url, log }: NonNullable<typeof watched>): Promise<void> {
    const { code, message } = first as Error & { code?: string };
    const lost = { code, reason: message || code };
    let problem = await problemOf(url);
    if (problem === undefined) log.warn(lost, "a connection to the database was lost; the database is well");
    do {
      if (problem !== undefined) {
        log.error({ ...lost, problem }, "the database is away; requests get 503 until it is back");
        await untilBack(url, log);
      }
      left = 0;
      await delay(settleMs, undefined, { ref: false, signal: stopping.signal });
      problem = left > 0 ? await problemOf(url) : undefined;
    } while (problem !== undefined);
  }

  async function untilBack(url: string, log: Logger): Promise<void> {
    const since = performance.now();
    for (let waitMs = firstWaitMs, isAwayStill = true; isAwayStill; waitMs = Math.min(2 * waitMs, maxWaitMs)) {
      await delay(waitMs, undefined, { ref: false, signal: stopping.signal });
      isAwayStill = (await problemOf(url)) !== undefined;
    }
    const awaySeconds = Math.round((performance.now() - since) / 100) / 10;
    log.warn({ away_seconds: awaySeconds, lines_left_out: left }, "the database is back");
  }

  return {
    hides(error) {
      if (!watched || !(error instanceof Error) || !isUnavailable(error)) return false;
      if (isBeingTold) {
        left += 1;
        return true;
      }
      const { code, message } = error as Error & { code?: string };
      if (!isDown(error)) return wasJustSaid(code ?? message);
      isBeingTold = true;
      left = 0;
      tell(error, watched)
        // Stopped.
        .catch(() => {})
        .finally(() => {
          isBeingTold = false;
        });
      return true;
    },
    watch(url, log) {
      watched = { url, log };
      return () => {
        watched = undefined;
        stopping.abort();
      };
    },
  };

  function wasJustSaid(what: string): boolean {
    const now = performance.now();
    const isRepeated = now - (lastSaid.get(what) ?? Number.NEGATIVE_INFINITY) < repeatAfterMs;
    if (!isRepeated) lastSaid.set(what, now);
    return isRepeated;
  }
}

/** Asked on a connection of its own: those of a pool may all be taken, or lead to where the server was. */
async function problemOf(url: string): Promise<string | undefined> {
  const client = new pg.Client({
    connectionString: url,
    application_name: "mostrador outage",
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    return await readOnlyReason(client);
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    return message || (code ?? "no answer");
  } finally {
    void client.end().catch(() => {});
  }
}
