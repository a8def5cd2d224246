import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { type EmbeddedPostgres, startEmbedded } from "../../db/embedded.ts";
import { minute, second } from "../../lib/clock.ts";
import { type Hold, holdInstallation } from "./hold-installation.ts";

const firstWaitMs = 0.1 * second;
/** A database that could not start because the disk was full must be back within 10 s of having space. */
const maxWaitMs = 5 * second;
/** After running this long, the waits between restarts begin small again. */
const stableAfterMs = minute;

/**
 * Restarts the embedded PostgreSQL when it dies, on the same port, so that clients only have to reconnect. It notices by the
 * connection that holds the installation, without polling.
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
      if (performance.now() - heldAt > stableAfterMs) waitMs = firstWaitMs;
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
    // A command may have started it in between on another port; it stops with that command.
    if (next.port !== first.port) return undefined;
    const held = await holdInstallation(next.url);
    return held && { server: next, hold: held };
  }

  watch();
  // Also stops the database on an exit that does not wait for stop().
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
