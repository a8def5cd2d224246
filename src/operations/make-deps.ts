import { pino } from "pino";
import { accessCache } from "../access/api-keys/access-cache.ts";
import type { Config } from "../config.ts";
import { dailyPartitions } from "../db/partitions.ts";
import type { Pool } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { deliverySignal } from "../engine/deliveries/delivery-signal.ts";
import { feedSignal } from "../engine/writing/feed-signal.ts";
import { PendingOperations } from "../engine/writing/pending-operations.ts";
import { WriteQueue } from "../engine/writing/write-queue.ts";
import { shiftedClock } from "../lib/clock.ts";
import { turnsByKey } from "../lib/concurrency-limit.ts";
import { newSignal } from "../lib/signal.ts";
import { dailyTablesFor } from "./daily-tables.ts";

/** A pool, and what the code that uses it shares. */
export function onPool(pool: Pool): Pick<Deps, "pool" | "writes" | "pendingOperations" | "accountTurns"> {
  const writes = new WriteQueue(pool);
  return { pool, writes, pendingOperations: new PendingOperations(pool), accountTurns: turnsByKey() };
}

/** What the service, a command, a test or a benchmark hands down to the code it runs. */
export function makeDeps<Own extends Partial<Deps>>(pool: Pool, config: Config, own?: Own): Deps & Own {
  return {
    config,
    ...onPool(pool),
    clock: shiftedClock(),
    log: pino({ level: config.logLevel }),
    partitions: dailyPartitions(pool, dailyTablesFor(config.retention)),
    access: accessCache(pool),
    deliveries: deliverySignal(),
    changes: newSignal(),
    mail: newSignal(),
    feed: feedSignal(),
    ...own,
  } as Deps & Own;
}
