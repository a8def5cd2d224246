import { afterAll, beforeAll, expect, test } from "vitest";
import { createEnrolmentCode } from "../../src/devices/create-enrolment-code.ts";
import { enrolDevice } from "../../src/devices/enrol-device.ts";
import { revokeDevice } from "../../src/devices/revoke-device.ts";
import { minute } from "../../src/lib/clock.ts";
import { isWellFormedToken, newToken } from "../../src/lib/token.ts";
import { openPortal } from "../support/portal.ts";
import { enrol, remoteEdit, syncSend, tillOf } from "../support/register.ts";
import { type Business, type Service, startService } from "../support/service.ts";

let service: Service;
let shop: Business;
beforeAll(async () => {
  service = await startService();
  shop = await service.business();
});
afterAll(() => service[Symbol.asyncDispose]());

const newCode = (accountId: string, name = "Caja 1") => createEnrolmentCode(service.deps, { accountId, name });
const post = (path: string, body: unknown, token?: string) => syncSend(service.baseUrl, token, "POST", path, body);

test("a register enrols with a code, once, and its token opens only synchronization", async () => {
  const { code } = await newCode(shop.accountId);
  expect(code).toMatch(/^[A-Z2-7]{10}$/);
  const enrolled = await post("/enrol", { code, name: "Caja 1", app_version: "3.8.1", capabilities: [remoteEdit] });
  expect(enrolled.status).toBe(201);
  expect(Object.keys(enrolled.body).sort()).toEqual(["account_id", "device_id", "epoch", "token"]);
  expect(enrolled.body.account_id).toBe(shop.accountId);
  expect(isWellFormedToken("mstdev_", enrolled.body.token)).toBe(true);
  const pulled = await tillOf(service, enrolled.body).pull();
  expect(pulled.status).toBe(200);

  const again = await post("/enrol", { code, name: "Caja 2" });
  expect([again.status, again.body.error.code]).toEqual([400, "ENROLMENT_CODE_INVALID"]);
  const asKey = await service.client({ authorization: `Bearer ${enrolled.body.token}` }).get("/customers");
  expect([asKey.status, asKey.body.error.code]).toEqual([401, "INVALID_API_KEY"]);
  const asToken = await syncSend(service.baseUrl, shop.key, "GET", "/changes");
  expect([asToken.status, asToken.body.error.code]).toEqual([401, "UNAUTHENTICATED"]);
  expect(asToken.headers.get("www-authenticate")).toBe("Bearer");
});

test("a code may be typed in small letters with dashes", async () => {
  const { code } = await newCode(shop.accountId);
  const typed = `${code.slice(0, 5)}-${code.slice(5)}`.toLowerCase();
  expect((await post("/enrol", { code: typed })).status).toBe(201);
});

test("a code ends after ten minutes", async () => {
  const { code } = await newCode(shop.accountId);
  const later = { ...service.deps, clock: { now: () => new Date(Date.now() + 10 * minute) } };
  await expect(enrolDevice(later, { code })).rejects.toMatchObject({ code: "ENROLMENT_CODE_INVALID" });
});

test("five wrong guesses end a code", async () => {
  const { code } = await newCode(shop.accountId);
  const wrong = `${code.slice(0, 9)}${code[9] === "A" ? "B" : "A"}`;
  for (let i = 0; i < 5; i++) expect((await post("/enrol", { code: wrong })).status).toBe(400);
  const right = await post("/enrol", { code });
  expect(right.body.error.code).toBe("ENROLMENT_CODE_INVALID");
});

test("a revoked register is told so, and only it", async () => {
  const [first, second] = [await enrol(service, shop.accountId), await enrol(service, shop.accountId)];
  await revokeDevice(service.deps, { accountId: shop.accountId, deviceId: first.deviceId });
  service.deps.access.clear();
  const pulled = await first.pull();
  expect([pulled.status, pulled.body.error.code]).toEqual([401, "DEVICE_REVOKED"]);
  const pushed = await first.push([{ type: "customer", data: { name: "Ana" } }]);
  expect([pushed.status, pushed.body.error.code]).toEqual([401, "DEVICE_REVOKED"]);
  expect((await second.pull()).status).toBe(200);
});

test("a register that its owner revoked is out for the process that answered him, before any notice arrives", async () => {
  const owner = await openPortal(service);
  const till = await enrol(service, owner.accountId);
  expect((await till.pull()).status).toBe(200);
  expect((await owner.delete(`/devices/${till.deviceId}`)).status).toBe(204);
  const pulled = await till.pull();
  expect([pulled.status, pulled.body.error?.code]).toEqual([401, "DEVICE_REVOKED"]);
});

test("a revocation that another process made stops a push even before the notice of it arrives", async () => {
  const till = await enrol(service, shop.accountId);
  await till.pull();
  await revokeDevice(service.deps, { accountId: shop.accountId, deviceId: till.deviceId });
  const pushed = await till.push([{ type: "customer", data: { name: "Ana" } }]);
  expect([pushed.status, pushed.body.error.code]).toEqual([401, "DEVICE_REVOKED"]);
});

test("a rotated token replaces the old one when it is first used, not before", async () => {
  const till = await enrol(service, shop.accountId);
  const rotated = await till.send("POST", "/token");
  expect(rotated.status).toBe(201);
  expect((await till.pull()).status).toBe(200);
  const renewed = tillOf(service, { device_id: till.deviceId, token: rotated.body.token });
  expect((await renewed.pull()).status).toBe(200);
  const old = await till.pull();
  expect([old.status, old.body.error.code]).toEqual([401, "UNAUTHENTICATED"]);
  expect((await renewed.pull()).status).toBe(200);
});

test("a token of one account never shows another account's records", async () => {
  const other = await service.business();
  const till = await enrol(service, other.accountId);
  await shop.api.post("/customers", { name: "De la otra tienda" });
  const { body } = await till.pull();
  expect(body.changes).toEqual([]);
});

test("an inactive account's registers are refused", async () => {
  const closed = await service.business();
  const till = await enrol(service, closed.accountId);
  await service.deps.pool.query("update accounts set active = false where id = $1", [closed.accountId]);
  service.deps.access.clear();
  const pulled = await till.pull();
  expect([pulled.status, pulled.body.error.code]).toEqual([401, "ACCOUNT_INACTIVE"]);
});

test("a product is edited from afar only when every register reported that it can take it", async () => {
  const business = await service.business();
  const created = await business.api.post("/products", { name: "Pan", base_price: 500 });
  const edit = () => business.api.patch(`/products/${created.body.id}`, { name: "Pan tajado" });
  expect((await edit()).status).toBe(200);

  const able = await enrol(service, business.accountId, { name: "Caja 1" });
  expect((await edit()).status).toBe(200);
  const silent = await enrol(service, business.accountId, { name: "Caja 2", capabilities: null });
  const events = async () => (await business.api.get("/events?type=product.updated")).body.data.length;
  const before = await events();
  const refused = await edit();
  expect([refused.status, refused.body.error.code]).toEqual([409, "DEVICES_OUTDATED"]);
  expect(refused.body.error.devices).toMatchObject([{ id: silent.deviceId, name: "Caja 2", app_version: "3.8.1" }]);
  expect(await events()).toBe(before);

  await silent.pull("", { "register-version": "3.9.0", "register-capabilities": `otra, ${remoteEdit}` });
  expect((await edit()).status).toBe(200);
  await able.push([], { app_version: "3.0.0", capabilities: [] });
  expect((await edit()).body.error.devices).toMatchObject([{ id: able.deviceId, app_version: "3.0.0" }]);
  await revokeDevice(service.deps, { accountId: business.accountId, deviceId: able.deviceId });
  expect((await edit()).status).toBe(200);
});

test("a register's clock is compared with the server's", async () => {
  const ahead = 3 * 24 * 60 * minute;
  const till = await enrol(service, shop.accountId, { clock: () => new Date(Date.now() + ahead) });
  await till.put("customer", { name: "Ana" });
  const { rows } = await service.deps.pool.query("select skew_ms from device_progress where device_id = $1", [
    till.deviceId,
  ]);
  expect(Math.abs(rows[0].skew_ms + ahead)).toBeLessThan(5_000);
});

test("a version or a name that cannot be stored is stored without what is odd in it", async () => {
  const { code } = await newCode(shop.accountId);
  const odd = "3.8\u0000.1\ud800";
  const enrolled = await post("/enrol", { code, name: odd, app_version: odd, capabilities: [odd] });
  expect(enrolled.status).toBe(201);
  const till = tillOf(service, enrolled.body);
  const read = () =>
    service.deps.pool.query("select name, app_version, capabilities from devices where id = $1", [till.deviceId]);
  const stored = "3.8.1\ufffd";
  expect((await read()).rows).toEqual([{ name: stored, app_version: stored, capabilities: [stored] }]);
  expect((await till.push([], { app_version: "4\u0000", capabilities: ["a\ud800"] })).status).toBe(200);
  expect((await read()).rows).toMatchObject([{ app_version: "4", capabilities: ["a\ufffd"] }]);
});

test("a register with a wrong token does not lock out those that share its address", async () => {
  const door = await service.sibling();
  const till = tillOf(door, await enrolDevice(service.deps, { code: (await newCode(shop.accountId)).code }));
  expect((await till.pull()).status).toBe(200);
  const statuses = new Set<number>();
  for (let i = 0; i < 40; i++)
    statuses.add((await syncSend(door.baseUrl, newToken("mstdev_"), "GET", "/changes")).status);
  expect([...statuses]).toEqual([401, 429]);
  // A change of any key or register has everyone read again.
  door.deps.access.clear();
  expect((await till.pull()).status).toBe(200);
  // Nor those that got their token a moment ago.
  till.token = (await till.send("POST", "/token")).body.token;
  expect((await till.pull()).status).toBe(200);
  await door[Symbol.asyncDispose]();
});

test("wrong tokens and enrolment guesses of an IPv6 /64 count as one address's", async () => {
  await using door = await service.sibling({ TRUST_PROXY: "1" });
  const enrolAt = (address: string) =>
    fetch(`${door.baseUrl}/sync/v1/enrol`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-forwarded-for": address },
      body: JSON.stringify({ code: "AAAA-AAAA-AA" }),
    });
  const pullAt = (address: string) =>
    fetch(`${door.baseUrl}/sync/v1/changes`, {
      headers: { authorization: `Bearer ${newToken("mstdev_")}`, "x-forwarded-for": address },
    });
  const statuses: number[] = [];
  for (let i = 0; i < 40; i++)
    statuses.push((await (i % 2 === 0 ? enrolAt : pullAt)(`2001:db8:0:1:${i.toString(16)}::1`)).status);
  expect(statuses).toContain(429);
  expect((await enrolAt("2001:db8:0:2::1")).status).not.toBe(429);
  expect((await pullAt("2001:db8:0:2::1")).status).toBe(401);
});
