import { expect, test } from "vitest";
import { mostPerSecond, takePace } from "../../src/webhooks/endpoints/pace.ts";
import { shared } from "../support/fixtures.ts";
import { openAgain, type Portal } from "../support/portal.ts";
import type { Business } from "../support/service.ts";
import { failWith, sharedHooks, type TestEndpoint } from "../support/webhooks.ts";

const hooks = sharedHooks();
const shop = shared((): Promise<Business> => hooks.service.business());
const owner = shared((): Promise<Portal> => openAgain(hooks.service, shop, `${shop.accountId}@example.com`));
const slow = (endpoint: TestEndpoint, per_second: number | null) =>
  owner.patch(`/webhook-endpoints/${endpoint.id}/sending`, { per_second });
const madeEndpoint = () => hooks.endpoint(shop, { types: ["customer.created"] });
const arrivedAt = (endpoint: TestEndpoint) => hooks.receiver.on(endpoint.path).length;

test("an endpoint gets no more a second than it takes, and no other waits for it", async () => {
  const [limited, free] = [await madeEndpoint(), await madeEndpoint()];
  expect((await slow(limited, 1)).body.per_second).toBe(1);
  await hooks.writeCustomers(shop, 40);
  await hooks.receiver.arrivals(free.path, 40);
  await hooks.looked();
  expect(arrivedAt(limited)).toBeLessThan(40);
  await slow(limited, null);
  const all = await hooks.receiver.arrivals(limited.path, 40);
  expect(new Set(all.map(({ body }) => body.id)).size).toBe(40);
});

test("attempts count, also those that repeat one", async () => {
  const limited = await madeEndpoint();
  await slow(limited, 4);
  hooks.receiver.answers.set(limited.path, failWith(500));
  const startedAt = performance.now();
  await hooks.writeCustomers(shop, 4);
  await hooks.receiver.arrivals(limited.path, 4);
  await expect
    .poll(async () => (await hooks.deliveries(limited)).filter((one) => one.attempts.length === 1).length)
    .toBe(4);
  hooks.receiver.answers.delete(limited.path);
  hooks.advance(61_000);
  await hooks.receiver.arrivals(limited.path, 8);
  // The first goes at once, each other a quarter of a second after the one before.
  expect(performance.now() - startedAt).toBeGreaterThan((7 / 4) * 1000 - 50);
});

test("processes share what an endpoint takes", async () => {
  const limited = await madeEndpoint();
  await slow(limited, 20);
  const key = { accountId: shop.accountId, endpointId: limited.id };
  const startedAt = performance.now();
  let taken = 0;
  for (let round = 0; round < 5; round++) {
    const all = await Promise.all(Array.from({ length: 8 }, () => takePace(hooks.service.deps.pool, key, 3)));
    taken += all.reduce<number>((sum, n) => sum + (n ?? 0), 0);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  expect(taken).toBeGreaterThanOrEqual(4);
  expect(taken).toBeLessThanOrEqual(4 + 1 + Math.ceil(seconds * 20));
  await slow(limited, null);
  expect(await takePace(hooks.service.deps.pool, key, 3)).toBe(null);
});

test.each([0, mostPerSecond + 1, 1.5, "5"])("%j a second is refused", async (per_second) => {
  const endpoint = await madeEndpoint();
  const refused = await owner.patch(`/webhook-endpoints/${endpoint.id}/sending`, { per_second });
  expect([refused.status, refused.body.error.param]).toEqual([400, "per_second"]);
  await owner.delete(`/webhook-endpoints/${endpoint.id}`);
});
