import { test } from "vitest";
import { endDueOrders } from "../../src/business/orders/expire.ts";
import { minute } from "../../src/lib/clock.ts";
import { verifiedService } from "../support/fixtures.ts";
import { begin, check, live, type World } from "../support/order-history.ts";
import { takesOrders } from "../support/orders.ts";
import { enrol } from "../support/register.ts";

/** Random days of orders: LONG=1 lives many of them. */
const histories = process.env.LONG ? 60 : 4;
const stepsEach = process.env.LONG ? 120 : 45;
const firstSeed = Number(process.env.FAULT_SEED ?? 1);

const service = verifiedService();

async function quietWorld(): Promise<World> {
  const shop = await service.business();
  const { clock } = service.deps;
  const tills = [];
  for (const name of ["Caja 1", "Caja 2"])
    tills.push(await enrol(service, shop.accountId, { name, capabilities: takesOrders }));
  return {
    shop,
    tills,
    now: () => clock.now(),
    soonMs: (some) => some * minute,
    insist: (send) => send(),
    /** Several processes look at once. */
    async wait(chance) {
      clock.shiftTo(clock.offsetMs() + chance.between(1, 15) * minute);
      await Promise.all([endDueOrders(service.deps), endDueOrders(service.deps)]);
    },
  };
}

test.each(Array.from({ length: histories }, (_, i) => firstSeed + i))(
  "history %i: one sale for each completed order, what is kept apart adds up, every event once",
  async (seed) => {
    const history = await begin(await quietWorld(), seed);
    try {
      await live(history, stepsEach);
      await check(history);
    } finally {
      service.deps.clock.shiftTo(0);
    }
  },
  600_000,
);
