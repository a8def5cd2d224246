import { expect, test } from "vitest";
import { createEnrolmentCode } from "../../src/access/devices/create-enrolment-code.ts";
import { enrolDevice } from "../../src/access/devices/enrol-device.ts";
import { revokeDevice } from "../../src/access/devices/revoke-device.ts";
import { newToken } from "../../src/lib/token.ts";
import { sharedService, sharedShop } from "../support/fixtures.ts";
import { enrol, syncSend, tillOf } from "../support/register.ts";

const service = sharedService();
const shop = sharedShop(service);

const newCode = (accountId: string, name = "Caja 1") => createEnrolmentCode(service.deps, { accountId, name });

test("a register has a rate limit of its own, and is told when to retry", async () => {
  await using sibling = await service.sibling({ RATE_LIMIT_PER_SECOND: "1", RATE_LIMIT_BURST: "3" });
  const [busy, quiet] = [await enrol(sibling, shop.accountId), await enrol(sibling, shop.accountId)];
  const pushes = await Promise.all(Array.from({ length: 20 }, () => busy.push([])));
  const refused = pushes.find(({ status }) => status === 429)!;
  expect(refused.body.error.code).toBe("RATE_LIMITED");
  expect(refused.headers.get("retry-after")).toBe("1");
  expect(pushes.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(3);
  expect((await quiet.pull()).status).toBe(200);
});

test("uploads are limited by size, over all registers of a business together", async () => {
  await using sibling = await service.sibling({ RATE_LIMIT_PER_SECOND: "1", RATE_LIMIT_BURST: "3" });
  const [one, another] = [await enrol(sibling, shop.accountId), await enrol(sibling, shop.accountId)];
  const neighbour = await enrol(sibling, (await sibling.business()).accountId);
  // There are 128 tokens, and an upload takes one per 16 KiB.
  for (const till of [one, another]) expect((await till.push(heavySales(190))).status).toBe(200);
  const refused = await another.push(heavySales(100));
  expect([refused.status, refused.body.error.code]).toEqual([429, "RATE_LIMITED"]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(5);
  expect((await neighbour.push(heavySales(100))).status).toBe(200);
});

test("an upload slightly beyond the allowance is accepted once the allowance has grown", async () => {
  await using sibling = await service.sibling({ RATE_LIMIT_PER_SECOND: "10", RATE_LIMIT_BURST: "100" });
  const till = await enrol(sibling, shop.accountId);
  const pushes = [await till.push(heavySales(190)), await till.push(heavySales(190)), await till.push(heavySales(60))];
  expect(pushes.map(({ status }) => status)).toEqual([200, 200, 200]);
});

/** Some 5 KiB each. */
function heavySales(count: number) {
  const notes = "x".repeat(4_900);
  return Array.from({ length: count }, () => ({ type: "sale", data: { status: "open", total: 0, notes } }));
}

test("a guess beyond its address's allowance is not checked, even if it is right", async () => {
  await using sibling = await service.sibling();
  const guess = async (text: string) =>
    (await syncSend(sibling.baseUrl, undefined, "POST", "/enrol", { code: text })).status;
  const codes = await Promise.all(Array.from({ length: 5 }, () => newCode(shop.accountId)));
  const statuses: number[] = [];
  for (const { code } of codes) {
    while ((await guess("AAAAAAAAAA")) !== 429);
    statuses.push(await guess(code));
  }
  // One more attempt is allowed every two seconds, perhaps just before a right guess.
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(4);
  const selectors = codes.filter((_, i) => statuses[i] === 429).map(({ code }) => code.slice(0, 4));
  const { rows } = await service.deps.pool.query(
    "select distinct attempts, used_at from enrolment_codes where selector = any($1)",
    [selectors],
  );
  expect(rows).toEqual([{ attempts: 0, used_at: null }]);
});

test("a register with a wrong token does not lock out the others at its address", async () => {
  const sibling = await service.sibling();
  const till = tillOf(sibling, await enrolDevice(service.deps, { code: (await newCode(shop.accountId)).code }));
  expect((await till.pull()).status).toBe(200);
  const statuses = new Set<number>();
  for (let i = 0; i < 40; i++)
    statuses.add((await syncSend(sibling.baseUrl, newToken("mstdev_"), "GET", "/changes")).status);
  expect([...statuses]).toEqual([401, 429]);
  // A change of any key or register empties every cache.
  sibling.deps.access.clear();
  expect((await till.pull()).status).toBe(200);
  // Nor does it lock out those that got their token a moment ago.
  till.token = (await till.send("POST", "/token")).body.token;
  expect((await till.pull()).status).toBe(200);
  await sibling[Symbol.asyncDispose]();
});

test("beyond its address's allowance a register's token still works at its first use, and a revoked one is told so", async () => {
  await using sibling = await service.sibling();
  const [first, revoked] = [await enrol(service, shop.accountId), await enrol(service, shop.accountId)];
  await revokeDevice(service.deps, { accountId: shop.accountId, deviceId: revoked.deviceId });
  const pull = (token: string) => syncSend(sibling.baseUrl, token, "GET", "/changes");
  for (let i = 0; i < 40; i++) await pull(newToken("mstdev_"));
  const refused = await pull("mstdev_nada");
  expect([refused.status, refused.body.error.message]).toEqual([
    429,
    expect.stringContaining("autenticaciones fallidas"),
  ]);
  expect((await pull(first.token)).status).toBe(200);
  expect((await pull(revoked.token)).body.error.code).toBe("DEVICE_REVOKED");
});

test("wrong tokens and enrolment guesses from one IPv6 /64 count as one address's", async () => {
  await using sibling = await service.sibling({ TRUST_PROXY: "1" });
  const enrolAt = (address: string) =>
    fetch(`${sibling.baseUrl}/sync/v1/enrol`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-forwarded-for": address },
      body: JSON.stringify({ code: "AAAA-AAAA-AA" }),
    });
  const pullAt = (address: string) =>
    fetch(`${sibling.baseUrl}/sync/v1/changes`, {
      headers: { authorization: `Bearer ${newToken("mstdev_")}`, "x-forwarded-for": address },
    });
  const statuses: number[] = [];
  for (let i = 0; i < 40; i++)
    statuses.push((await (i % 2 === 0 ? enrolAt : pullAt)(`2001:db8:0:1:${i.toString(16)}::1`)).status);
  expect(statuses).toContain(429);
  expect((await enrolAt("2001:db8:0:2::1")).status).not.toBe(429);
  expect((await pullAt("2001:db8:0:2::1")).status).toBe(401);
});
