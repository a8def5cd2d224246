import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import fc from "fast-check";
import { expect, test } from "vitest";
import { day } from "../../src/lib/clock.ts";
import { verify } from "../../src/operations/verify/verify.ts";
import { sharedFolder, sharedService } from "../support/fixtures.ts";
import { type Action, anyAction, type Mishap } from "../support/shop-actions.ts";
import { openShopFloor } from "../support/shop-floor.ts";

/** Hundreds of simulated days in the everyday run, as many as fit in 20 s; thousands with `npm run test:long`. */
const runs = Number(process.env.RUNS ?? (process.env.LONG ? 5000 : 300));
const limit = process.env.LONG ? {} : { interruptAfterTimeLimit: 20_000 };
/** A failure prints its seed and path: SEED=… SEED_PATH=… replays it. */
const replay = {
  ...(process.env.SEED && { seed: Number(process.env.SEED) }),
  ...(process.env.SEED_PATH && { path: process.env.SEED_PATH }),
};

const service = sharedService();
// The journals sync every record to the disk: a disk in memory makes that cheap.
const folder = sharedFolder("mostrador-floor-", existsSync("/dev/shm") ? "/dev/shm" : tmpdir());

const skew = fc.integer({ min: -5 * day, max: 5 * day });

test(
  "registers and the API converge, whatever is lost, duplicated, late, crashed or restored",
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(skew, { minLength: 2, maxLength: 5 }),
        fc.array(anyAction, { minLength: 10, maxLength: 45 }),
        async (skews, actions) => {
          const floor = await openShopFloor(service, folder.path, skews);
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

test("the simulated shop detects a server that loses what it acknowledged", async () => {
  const floor = await openShopFloor(service, folder.path, [0, day]);
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
