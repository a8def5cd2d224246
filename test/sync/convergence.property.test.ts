import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { day } from "../../src/lib/clock.ts";
import { verify } from "../../src/operations/verify/verify.ts";
import { type Service, startService } from "../support/service.ts";
import { type Action, anyAction, type Mishap } from "../support/shop-actions.ts";
import { openShopFloor } from "../support/shop-floor.ts";

/** Hundreds of days in the everyday run, as far as twenty seconds go; thousands with `npm run test:long`. */
const runs = Number(process.env.RUNS ?? (process.env.LONG ? 5000 : 300));
const limit = process.env.LONG ? {} : { interruptAfterTimeLimit: 20_000 };
/** A failure prints its seed and path: SEED=… SEED_PATH=… replays it. */
const replay = {
  ...(process.env.SEED && { seed: Number(process.env.SEED) }),
  ...(process.env.SEED_PATH && { path: process.env.SEED_PATH }),
};

let service: Service;
let folder: string;
beforeAll(async () => {
  service = await startService();
  // The journals sync every record to the disk; memory keeps that cheap where there is such a disk.
  folder = await mkdtemp(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "mostrador-floor-"));
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const skew = fc.integer({ min: -5 * day, max: 5 * day });

test(
  "registers and the API converge, whatever is lost, doubled, late, crashed or restored",
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(skew, { minLength: 2, maxLength: 5 }),
        fc.array(anyAction, { minLength: 10, maxLength: 45 }),
        async (skews, actions) => {
          const floor = await openShopFloor(service, folder, skews);
          try {
            for (const action of actions) await floor.act(action);
            await floor.settle();
            expect(await floor.problems()).toEqual([]);
          } finally {
            await floor.close();
          }
        },
      ),
      { numRuns: runs, ...limit, ...replay },
    );
    expect((await verify(service.deps.pool)).problems).toEqual([]);
  },
  process.env.LONG ? 3_600_000 : 120_000,
);

test("the floor notices a server that loses what it acked", async () => {
  const floor = await openShopFloor(service, folder, [0, day]);
  const nothing: Mishap = "none";
  const actions: Action[] = [
    { kind: "sell", register: 0, pick: 0 },
    { kind: "push", register: 0, size: 200, mishap: nothing },
  ];
  for (const action of actions) await floor.act(action);
  await floor.settle();
  expect(await floor.problems()).toEqual([]);
  await service.deps.pool.query("delete from sales where account_id = $1", [floor.accountId]);
  expect(await floor.problems()).not.toEqual([]);
  await floor.close();
});
