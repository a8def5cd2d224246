import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { sales } from "../../src/business/sales/resource.ts";
import { sharedService, sharedShop } from "../support/fixtures.ts";
import { holdClock, waitingSessions } from "../support/hold-clock.ts";
import { openPortal } from "../support/portal.ts";
import { saleBody, store } from "../support/records.ts";
import { enrol } from "../support/register.ts";
import type { Business } from "../support/service.ts";

// One business beside others, with limits low enough to be reached at once. `npm run bench -- starving` measures times,
// with the usual limits and a separate process.

const mebibyte = 1024 * 1024;
const stallMs = 2_000;
/** Everything awaited happens, but late on a busy machine. */
const patience = { timeout: 120_000 };

const service = sharedService({}, { traffic: { stallMs, unreadBytes: mebibyte, waitingRequests: 2 } });
const neighbour = sharedShop(service);

/** A shop with a sale from before records were limited: larger than what the system buffers for a connection. */
async function shopWithLargeSale(): Promise<Business> {
  const shop = await service.business();
  const notes = "x".repeat(8 * mebibyte);
  await store(service.deps, shop.accountId, sales, (at) => [{ body: saleBody(at, { notes }) }]);
  return shop;
}

/** A response of which nothing has been read yet. */
async function unread({ key }: Business, path: string): Promise<IncomingMessage> {
  const asked = get(`${service.baseUrl}/public/v1${path}`, {
    headers: { authorization: `Bearer ${key}` },
    agent: false,
  });
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  answer.on("error", () => {});
  return answer;
}

test("an account that leaves responses unread gets no more of them, and no other account is refused", async () => {
  const shop = await shopWithLargeSale();
  const answer = await unread(shop, "/sales");
  const refused = await shop.api.get("/sales?limit=1");
  expect([refused.status, refused.body.error.code, refused.headers.get("retry-after")]).toEqual([
    429,
    "RATE_LIMITED",
    "5",
  ]);
  expect(refused.body.error.message).toMatch(/respuestas de esta cuenta que nadie ha terminado de leer/);
  expect((await neighbour.api.get("/sales")).status).toBe(200);
  answer.destroy();
  await expect.poll(async () => (await shop.api.get("/customers")).status, patience).toBe(200);
});

test("a client that reads nothing is disconnected; one that reads slowly gets everything", async () => {
  const shop = await shopWithLargeSale();
  const slow = await unread(shop, "/sales");
  const startedAt = performance.now();
  let received = 0;
  for await (const chunk of slow) {
    received += (chunk as Buffer).length;
    if (performance.now() - startedAt < 2 * stallMs) await delay(stallMs / 50);
  }
  expect(slow.complete).toBe(true);
  expect(received).toBeGreaterThan(8 * mebibyte);
  await unread(shop, "/sales");
  expect((await shop.api.get("/customers")).status).toBe(429);
  // The service closes that connection, and then requests pass again.
  await expect.poll(async () => (await shop.api.get("/customers")).status, patience).toBe(200);
});

test("an account has at most two exports under way, and an export that nobody reads is disconnected too", async () => {
  const shop = await shopWithLargeSale();
  const exports = await Promise.all([1, 2].map(() => unread(shop, "/exports/sales")));
  const third = await shop.api.get("/exports/customers");
  expect([third.status, third.body.error.code, third.headers.get("retry-after")]).toEqual([429, "RATE_LIMITED", "30"]);
  expect(third.body.error.message).toMatch(/ya tiene 2 exportaciones en curso/);
  expect((await neighbour.api.get("/exports/customers")).status).toBe(200);
  await expect.poll(async () => (await shop.api.get("/exports/customers")).status, patience).toBe(200);
  for (const answer of exports) answer.destroy();
});

test("many large pushes wait unread, and those beyond the limit are refused", async () => {
  const shop = await service.business();
  const tills = await Promise.all(Array.from({ length: 8 }, () => enrol(service, shop.accountId)));
  const clock = await holdClock(service.deps, shop.accountId);
  const notes = "x".repeat(900_000);
  // One of them takes the whole allowance, and two more may wait for it.
  const refused: unknown[] = [];
  const pushes = tills.map(async (till) => {
    const { status, headers } = await till.push([{ type: "sale", data: { notes } }]);
    if (status !== 200) refused.push([status, headers.get("retry-after")]);
  });
  await expect.poll(() => refused, patience).toEqual(Array.from({ length: 5 }, () => [503, "2"]));
  const other = await enrol(service, neighbour.accountId);
  expect((await other.push([{ type: "customer", data: { name: "Ana" } }])).status).toBe(200);
  await clock.release();
  await Promise.all(pushes);
  expect(refused).toHaveLength(5);
});

test("eighty calls of one owner take a connection or two while the account is locked", async () => {
  const owner = await openPortal(service);
  const clock = await holdClock(service.deps, owner.accountId);
  const refused: number[] = [];
  const calls = Array.from({ length: 80 }, async () => {
    const { status } = await owner.post("/devices/enrolment", { name: "Caja" });
    if (status === 503) refused.push(status);
  });
  // Two are being processed, and two may wait.
  await expect.poll(() => refused.length, patience).toBeGreaterThanOrEqual(76);
  expect(await waitingSessions(service.deps)).toBeLessThanOrEqual(1);
  const other = await openPortal(service);
  expect((await other.confirmed("/devices/enrolment", { name: "Caja" })).status).toBe(201);
  expect(await waitingSessions(service.deps)).toBeLessThanOrEqual(1);
  await clock.release();
  await Promise.all(calls);
});
