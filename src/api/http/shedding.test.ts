import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Pool } from "../../db/pool.ts";
import { WriteQueue } from "../../engine/writing/write-queue.ts";
import { kindOfRoute, requestKinds } from "./request-kind.ts";
import { isShed, shedFromMs, watchLoad } from "./shedding.ts";

test.each([
  [0, []],
  [499, []],
  [500, ["export"]],
  [1_000, ["export", "list", "read", "page"]],
  [2_000, ["export", "list", "read", "page", "write", "pull"]],
  [4_000, ["export", "list", "read", "page", "write", "pull", "push"]],
])("with a wait of %i ms, these are shed: %j", (waitMs, expected) => {
  expect(requestKinds.filter((kind) => isShed(kind, waitMs))).toEqual(expected);
});

test.each([
  ["GET", "/public/v1/exports/sales", "export"],
  ["GET", "/public/v1/sales", "list"],
  ["HEAD", "/public/v1/inventory/movements", "list"],
  ["GET", "/public/v1/sales/:id", "read"],
  ["POST", "/public/v1/customers", "write"],
  ["PATCH", "/public/v1/customers/:id", "write"],
  ["GET", "/portal/api/overview", "list"],
  ["POST", "/portal/api/session", "write"],
  ["POST", "/sync/v1/push", "push"],
  ["POST", "/sync/v1/enrol", "push"],
  ["GET", "/sync/v1/changes", "pull"],
  ["GET", "/sync/v1/stock", "list"],
  ["GET", "/docs", "page"],
])("%s %s is of the kind %s", (method, url, kind) => {
  expect(kindOfRoute(method, url)).toBe(kind);
});

test("an event loop that is late repeatedly is overload; one long pause is not", async () => {
  const pool = { waitingCount: 0 } as Pool;
  const watch = watchLoad({ pool, writes: new WriteQueue(pool) });
  const blockLoop = async () => {
    const until = performance.now() + shedFromMs.export + 150;
    while (performance.now() < until);
    // Timers that are already due, like the watch's, fire before one that is set now.
    await delay(0);
  };
  await blockLoop();
  await blockLoop();
  expect(watch.waitMs).toBeLessThan(shedFromMs.export);
  await blockLoop();
  expect(watch.waitMs).toBeGreaterThanOrEqual(shedFromMs.export);
  watch.stop();
});
