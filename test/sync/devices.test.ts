import { expect, test } from "vitest";
import { createEnrolmentCode } from "../../src/access/devices/create-enrolment-code.ts";
import { enrolDevice } from "../../src/access/devices/enrol-device.ts";
import { lastSeenRecorder } from "../../src/access/devices/last-seen.ts";
import { revokeDevice } from "../../src/access/devices/revoke-device.ts";
import { createPool } from "../../src/db/create-pool.ts";
import { day, minute } from "../../src/lib/clock.ts";
import { isWellFormedToken } from "../../src/lib/token.ts";
import { sharedService, sharedShop } from "../support/fixtures.ts";
import { waitingSessions } from "../support/hold-clock.ts";
import { openPortal } from "../support/portal.ts";
import { enrol, remoteEdit, syncSend, tillOf } from "../support/register.ts";

const service = sharedService();
const shop = sharedShop(service);

const newCode = (accountId: string, name = "Caja 1") => createEnrolmentCode(service.deps, { accountId, name });
const post = (path: string, body: unknown, token?: string) => syncSend(service.baseUrl, token, "POST", path, body);

test("a register enrols once with a code, and its token gives access to synchronization only", async () => {
  const { code } = await newCode(shop.accountId);
  expect(code).toMatch(/^[A-Z2-7]{10}$/);
  const enrolled = await post("/enrol", { code, name: "Caja 1", app_version: "3.8.1", capabilities: [remoteEdit] });
  expect(enrolled.status).toBe(201);
  expect(Object.keys(enrolled.body).sort()).toEqual(["account_id", "device_id", "epoch", "name", "token"]);
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

test("a code may be typed in lower case and with dashes", async () => {
  const { code } = await newCode(shop.accountId);
  const typed = `${code.slice(0, 5)}-${code.slice(5)}`.toLowerCase();
  expect((await post("/enrol", { code: typed })).status).toBe(201);
});

test("a code expires after ten minutes", async () => {
  const { code } = await newCode(shop.accountId);
  const later = { ...service.deps, clock: { now: () => new Date(Date.now() + 10 * minute) } };
  await expect(enrolDevice(later, { code })).rejects.toMatchObject({ code: "ENROLMENT_CODE_INVALID" });
});

test("five wrong guesses invalidate a code", async () => {
  const { code } = await newCode(shop.accountId);
  const wrong = `${code.slice(0, 9)}${code[9] === "A" ? "B" : "A"}`;
  for (let i = 0; i < 5; i++) expect((await post("/enrol", { code: wrong })).status).toBe(400);
  const right = await post("/enrol", { code });
  expect(right.body.error.code).toBe("ENROLMENT_CODE_INVALID");
});

test("a revoked register is refused as revoked, and no other register is", async () => {
  const [first, second] = [await enrol(service, shop.accountId), await enrol(service, shop.accountId)];
  await revokeDevice(service.deps, { accountId: shop.accountId, deviceId: first.deviceId });
  service.deps.access.clear();
  const pulled = await first.pull();
  expect([pulled.status, pulled.body.error.code]).toEqual([401, "DEVICE_REVOKED"]);
  const pushed = await first.push([{ type: "customer", data: { name: "Ana" } }]);
  expect([pushed.status, pushed.body.error.code]).toEqual([401, "DEVICE_REVOKED"]);
  expect((await second.pull()).status).toBe(200);
});

test("the process that handled a revocation refuses the register before any notification arrives", async () => {
  const owner = await openPortal(service);
  const till = await enrol(service, owner.accountId);
  expect((await till.pull()).status).toBe(200);
  expect((await owner.delete(`/devices/${till.deviceId}`)).status).toBe(204);
  const pulled = await till.pull();
  expect([pulled.status, pulled.body.error?.code]).toEqual([401, "DEVICE_REVOKED"]);
});

test("a register that waits for changes learns at once that it was revoked, and the others keep waiting", async () => {
  const owner = await openPortal(service);
  const [gone, stays] = [await enrol(service, owner.accountId), await enrol(service, owner.accountId)];
  const { cursor } = (await gone.pull()).body;
  const waiting = [gone, stays].map((till) => till.pull(`?cursor=${cursor}&wait=25`));
  await stays.pull(`?cursor=${cursor}`);
  await owner.delete(`/devices/${gone.deviceId}`);
  const answer = await waiting[0]!;
  expect([answer.status, answer.body.error?.code]).toEqual([401, "DEVICE_REVOKED"]);
  const made = await owner.business.api.post("/customers", { name: "Ana" });
  expect((await waiting[1]!).body.changes).toMatchObject([{ id: made.body.id }]);
});

test("the registers of an account that is closed stop waiting", async () => {
  const closing = await service.business();
  const till = await enrol(service, closing.accountId);
  const { cursor } = (await till.pull()).body;
  const waiting = till.pull(`?cursor=${cursor}&wait=25`);
  await till.pull(`?cursor=${cursor}`);
  await service.deps.pool.query("update accounts set active = false where id = $1", [closing.accountId]);
  service.deps.access.clear();
  const answer = await waiting;
  expect([answer.status, answer.body.error?.code]).toEqual([401, "ACCOUNT_INACTIVE"]);
});

test("a revocation by another process stops a push even before its notification arrives", async () => {
  const till = await enrol(service, shop.accountId);
  await till.pull();
  await revokeDevice(service.deps, { accountId: shop.accountId, deviceId: till.deviceId });
  const pushed = await till.push([{ type: "customer", data: { name: "Ana" } }]);
  expect([pushed.status, pushed.body.error.code]).toEqual([401, "DEVICE_REVOKED"]);
});

test("a rotated token replaces the old one on its first use, not before", async () => {
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

test("a product can be edited remotely only when every register has reported that it supports it", async () => {
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

test("a register has the name that the owner gave it, and learns of another one with its next request", async () => {
  const owner = await openPortal(service);
  const { accountId } = owner;
  const { code } = await newCode(accountId, "Caja del patio");
  const enrolled = await post("/enrol", { code, name: "Otra cosa" });
  expect(enrolled.body.name).toBe("Caja del patio");
  const till = tillOf(service, enrolled.body);
  const told = async () => decodeURIComponent((await till.pull()).headers.get("register-name")!);
  expect(await told()).toBe("Caja del patio");
  expect((await owner.patch(`/devices/${till.deviceId}`, { name: "Panadería ñ" })).status).toBe(200);
  expect(await told()).toBe("Panadería ñ");
});

test("two registers of one name are refused where a person gives it, and numbered where a machine does", async () => {
  const owner = await openPortal(service);
  const { accountId } = owner;
  const link = async (name: string) => (await post("/enrol", { code: (await newCode(accountId, name)).code })).body;
  const first = await link("Caja 1");
  expect([(await link("caja 1")).name, (await link("Caja 1")).name]).toEqual(["caja 1 (2)", "Caja 1 (3)"]);
  const taken = await owner.post("/devices/enrolment", { name: " CAJA 1 " });
  expect([taken.status, taken.body.error.param]).toEqual([400, "name"]);
  expect(taken.body.error.message).toContain("Ya hay una caja que se llama «CAJA 1»");
  const second = await link("Caja 2");
  const renamed = await owner.patch(`/devices/${second.device_id}`, { name: "Caja 1" });
  expect([renamed.status, renamed.body.error.param]).toEqual([400, "name"]);
  expect((await owner.patch(`/devices/${first.device_id}`, { name: "CAJA 1" })).status).toBe(200);
  expect((await owner.delete(`/devices/${first.device_id}`)).status).toBe(204);
  expect((await owner.patch(`/devices/${second.device_id}`, { name: "Caja 1" })).status).toBe(200);
});

test("a version or name with characters that cannot be stored is stored without them", async () => {
  const { code } = await newCode(shop.accountId, "");
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

test("two processes that saw the same registers in a different order both record it", async () => {
  const shop = await service.business();
  const tills = await Promise.all([1, 2, 3].map(() => enrol(service, shop.accountId)));
  const ids = tills.map(({ deviceId }) => deviceId).sort();
  const { pool } = service.deps;
  // Forces the plan of a large table, which updates the rows in the order of the input.
  const { pathname } = new URL(service.databaseUrl);
  for (const plan of ["hashjoin", "mergejoin", "seqscan"])
    await pool.query(`alter database ${pathname.slice(1)} set enable_${plan} = off`);
  const pools = [1, 2].map(() => createPool({ url: service.databaseUrl, max: 1 }));
  const noting = pools.map((own) => lastSeenRecorder(own, () => {}));
  try {
    const at = new Date(Date.now() + day);
    for (const id of ids) noting[0]!.note(id, at);
    for (const id of ids.toReversed()) noting[1]!.note(id, at);
    // Both have begun and wait for the register in the middle.
    const client = await pool.connect();
    await client.query("begin");
    await client.query("select from devices where id = $1 for update", [ids[1]]);
    const flushed = Promise.all(noting.map((each) => each.flush()));
    await expect.poll(() => waitingSessions(service.deps)).toBe(2);
    await client.query("commit");
    client.release();
    await flushed;
    const { rows } = await pool.query("select last_seen_at from devices where account_id = $1", [shop.accountId]);
    expect(rows.map(({ last_seen_at }) => last_seen_at)).toEqual([at, at, at]);
  } finally {
    for (const each of noting) await each.stop();
    for (const own of pools) await own.end();
  }
});
