import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { newChance } from "../../simulator/chance.ts";
import { createEnrolmentCode } from "../../src/access/devices/create-enrolment-code.ts";
import { isOpen } from "../../src/business/orders/states.ts";
import { shiftedClock } from "../../src/lib/clock.ts";
import { verify } from "../../src/operations/verify/verify.ts";
import type { Answer } from "../support/client.ts";
import { apiClient } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { type Installation, newInstallation } from "../support/installation.ts";
import { longRun, progress } from "../support/long-run.ts";
import { all, begin, check, type History, live, type World } from "../support/order-history.ts";
import { takesOrders } from "../support/orders.ts";
import { syncSend, type Till, tillOf } from "../support/register.ts";

const kills = longRun("FAULT_CYCLES", 3);
const seed = longRun("FAULT_SEED", 1);
const stepsAtOnce = 10;
const retryMs = 20;

test(`orders through ${kills.value} times kill -9: one sale for each completed one, what is kept apart adds up, every event once`, {
  timeout: 300_000 + kills.value * 20_000,
}, async () => {
  await using installation = await newInstallation();
  const chance = newChance(seed.value + 1);
  let service = await installation.start();
  const world = await killedWorld(installation);
  const history = await begin(world, seed.value);
  let killed = 0;
  const stopTelling = progress(() => `${killed} of ${kills.value} kills, ${history.orders.length} orders`);
  let isOn = true;
  const living = (async () => {
    while (isOn) await live(history, stepsAtOnce);
  })();
  // Its failure is told below.
  living.catch(() => (isOn = false));
  for (; killed < kills.value && isOn; killed++) {
    const placed = history.orders.length;
    await eventually(() => !isOn || history.orders.length > placed + 5);
    await delay(chance.between(0, 300));
    await service.kill();
    service = await installation.start();
  }
  isOn = false;
  await living;
  await nothingEndsSoon(history);
  stopTelling();

  await check(history);
  expect(history.sold.length).toBeGreaterThan(0);
  expect(await installation.ask(async (pool) => (await verify(pool)).problems)).toEqual([]);
  expect(await service.stop()).toBe(0);
});

async function killedWorld(installation: Installation): Promise<World> {
  const { office, url } = installation;
  const world = {
    shop: { ...office, api: apiClient(url, { authorization: `Bearer ${office.key}` }) },
    tills: [] as Till[],
    now: () => new Date(),
    // Longer than the service is away.
    soonMs: (some: number) => (10 + some) * 1_000,
    insist,
    wait: async () => delay(200),
  };
  for (const name of ["Caja 1", "Caja 2"]) {
    const clock = shiftedClock();
    const { code } = await installation.ask((pool) =>
      createEnrolmentCode({ pool, clock }, { accountId: office.accountId, name }),
    );
    const wish = { code, name, app_version: "3.8.1", capabilities: takesOrders };
    const { body } = await syncSend(url, undefined, "POST", "/enrol", wish);
    world.tills.push(tillOf({ baseUrl: url }, body));
  }
  return world;
}

/** Until there is an answer that is not a clean "later". */
async function insist<A extends Pick<Answer, "status">>(send: () => Promise<A>): Promise<A> {
  for (;;) {
    try {
      const answer = await send();
      if (answer.status !== 503) return answer;
    } catch (error) {
      // fetch's error for a connection that was refused or broke.
      if (!(error instanceof TypeError)) throw error;
    }
    await delay(retryMs);
  }
}

/** No order ends between two of the questions that follow. */
async function nothingEndsSoon({ world }: History): Promise<void> {
  await eventually(async () => {
    const open = (await all(world, "/orders")).filter(({ status }) => isOpen(status));
    return open.every(
      ({ accept_by, expires_at, status }) => expires_at === null && (accept_by === null || status !== "placed"),
    );
  }, 120_000);
}
