import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { type EmbeddedPostgres, startEmbedded } from "../../db/embedded.ts";
import { minute, second } from "../../lib/clock.ts";
import { type Hold, holdInstallation } from "./hold-installation.ts";

const firstWaitMs = 0.1 * second;
/** A database that could not start for want of room must be back within 10 s of having it. */
const maxWaitMs = 5 * second;
/** A server that lived this long was well: its end is a new story, without the waits of the last one. */
const goodLifeMs = minute;

/**
 * Starts the embedded PostgreSQL again when it dies under the service, on the same port, so that every connection finds it by
 * trying once more. Its end is heard on the connection that holds the installation. Nothing is polled.
 */
export function superviseEmbedded(
  first: EmbeddedPostgres,
  firstHold: Hold,
  { dataDir, log }: { dataDir: string; log: Logger },
): { stop: () => Promise<void> } {
  let server = first;
  let hold = firstHold;
  let waitMs = firstWaitMs;
  let recovering: Promise<void> | undefined;
  const stopping = new AbortController();

  function watch(): void {
    const heldAt = performance.now();
    void hold.lost.then(() => {
      if (stopping.signal.aborted) return;
      if (performance.now() - heldAt > goodLifeMs) waitMs = firstWaitMs;
      log.error("the embedded PostgreSQL is gone; starting it again");
      recovering = recover();
    });
  }

  async function recover(): Promise<void> {
    while (!stopping.signal.aborted) {
      const found = await startAndHold().catch((error: Error) => {
        log.error({ reason: error.message, wait_ms: waitMs }, "the embedded PostgreSQL did not start; trying again");
        return undefined;
      });
      if (found) {
        ({ server, hold } = found);
        log.info({ port: server.port }, "the embedded PostgreSQL is back");
        watch();
        return;
      }
      await delay(waitMs, undefined, { signal: stopping.signal }).catch(() => {});
      waitMs = Math.min(2 * waitMs, maxWaitMs);
    }
  }

  async function startAndHold(): Promise<{ server: EmbeddedPostgres; hold: Hold } | undefined> {
    const next = await startEmbedded({ dataDir, port: first.port });
    // A command that ran meanwhile may have started it for itself, elsewhere; it ends with that command.
    if (next.port !== first.port) return undefined;
    const held = await holdInstallation(next.url);
    return held && { server: next, hold: held };
  }

  watch();
  // An exit that does not wait takes its database along all the same.
  process.once("exit", () => server.stopWithoutWaiting());
  return {
    async stop() {
      stopping.abort();
      await recovering;
      await hold.release();
      await server.stop();
    },
  };
}
