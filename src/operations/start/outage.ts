import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { newClient } from "../../db/client.ts";
import { readOnlyReason } from "../../db/read-only.ts";
import { isDown, isUnavailable } from "../../db/transaction.ts";
import { second } from "../../lib/clock.ts";

const timeoutMs = 2 * second;
const firstWaitMs = 0.25 * second;
const maxWaitMs = 2 * second;
/** Code that paused after a failure may only now find that its connection is dead. */
const settleMs = 3 * second;
/** Errors that recur while the database works, such as lock timeouts, are logged at most this often. */
const repeatAfterMs = second;

/** Limits the log during a database outage to one line when it begins and one when it ends. */
export interface Outage {
  /** Whether a line about this error is redundant, because this module reports the outage. */
  suppresses(error: unknown): boolean;
  /** Until this is called nothing is suppressed. Returns a function that stops watching. */
  watch(url: string, log: Logger): () => void;
}

export function newOutage(): Outage {
  let watched: { url: string; log: Logger } | undefined;
  let isReporting = false;
  let suppressedLines = 0;
  const lastLogged = new Map<string, number>();
  const stopping = new AbortController();

  async function report(first: Error, { url, log }: NonNullable<typeof watched>): Promise<void> {
    const { code, message } = first as Error & { code?: string };
    const lost = { code, reason: message || code };
    let problem = await problemOf(url);
    if (problem === undefined) log.warn(lost, "a connection to the database was lost; the database is well");
    do {
      if (problem !== undefined) {
        log.error({ ...lost, problem }, "the database is away; requests get 503 until it is back");
        await untilBack(url, log);
      }
      suppressedLines = 0;
      await delay(settleMs, undefined, { ref: false, signal: stopping.signal });
      problem = suppressedLines > 0 ? await problemOf(url) : undefined;
    } while (problem !== undefined);
  }

  async function untilBack(url: string, log: Logger): Promise<void> {
    const since = performance.now();
    for (let waitMs = firstWaitMs, isStillDown = true; isStillDown; waitMs = Math.min(2 * waitMs, maxWaitMs)) {
      await delay(waitMs, undefined, { ref: false, signal: stopping.signal });
      isStillDown = (await problemOf(url)) !== undefined;
    }
    const downSeconds = Math.round((performance.now() - since) / 100) / 10;
    log.warn({ away_seconds: downSeconds, lines_left_out: suppressedLines }, "the database is back");
  }

  return {
    suppresses(error) {
      if (!watched || !(error instanceof Error) || !isUnavailable(error)) return false;
      if (isReporting) {
        suppressedLines += 1;
        return true;
      }
      const { code, message } = error as Error & { code?: string };
      if (!isDown(error)) return wasJustLogged(code ?? message);
      isReporting = true;
      suppressedLines = 0;
      report(error, watched)
        // Stopped.
        .catch(() => {})
        .finally(() => {
          isReporting = false;
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

  function wasJustLogged(what: string): boolean {
    const now = performance.now();
    const isRepeated = now - (lastLogged.get(what) ?? Number.NEGATIVE_INFINITY) < repeatAfterMs;
    if (!isRepeated) lastLogged.set(what, now);
    return isRepeated;
  }
}

/** Uses a connection of its own: those of a pool may all be busy, or lead to the old server. */
async function problemOf(url: string): Promise<string | undefined> {
  const client = newClient({
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
