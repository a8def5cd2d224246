import fc from "fast-check";
import { expect, test } from "vitest";
import { verify } from "../../src/operations/verify/verify.ts";
import { anyCorrection, type CorrectionAction } from "../support/correction-actions.ts";
import { openCorrectionFloor } from "../support/correction-floor.ts";
import { sharedService } from "../support/fixtures.ts";

/** As many simulated afternoons as fit in 8 s in the everyday run; hundreds with LONG=1. */
const runs = Number(process.env.RUNS ?? (process.env.LONG ? 600 : 100));
const limit = process.env.LONG ? {} : { interruptAfterTimeLimit: 8_000 };
/** A failure prints its seed and path: SEED=… SEED_PATH=… replays it. */
const replay = {
  ...(process.env.SEED && { seed: Number(process.env.SEED) }),
  ...(process.env.SEED_PATH && { path: process.env.SEED_PATH }),
};

const service = sharedService();

test(
  "at most one document of a sale is valid, whatever is sold, edited, cancelled, returned, switched, late, away or killed",
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyCorrection, { minLength: 5, maxLength: 25 }), async (actions) => {
        const floor = await openCorrectionFloor(service);
        for (const action of actions) {
          await floor.act(action);
          expect(await floor.problems()).toEqual([]);
        }
        expect(await floor.settle()).toEqual([]);
      }),
      { numRuns: runs, ...limit, ...replay },
    );
    expect((await verify(service.deps.pool)).problems).toEqual([]);
  },
  process.env.LONG ? 3_600_000 : 120_000,
);

test("the check notices a return that gave back too much, and a document too many", async () => {
  const floor = await openCorrectionFloor(service);
  const actions: CorrectionAction[] = [
    { kind: "sell", register: 0, lines: [[0, 2]], document: "pos", tip: false },
    { kind: "work", seconds: 6 },
    { kind: "return", by: "portal", register: 0, pick: 0, quantities: [1], cash: true },
  ];
  for (const action of actions) await floor.act(action);
  expect(await floor.settle()).toEqual([]);
  await service.deps.pool.query("update returns set body = (body::jsonb || '{\"total\": 9999}')::json");
  expect(await floor.problems()).toHaveLength(1);
  expect((await verify(service.deps.pool)).problems).not.toEqual([]);
});
