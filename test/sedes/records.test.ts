import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createEnrolmentCode } from "../../src/access/devices/create-enrolment-code.ts";
import { openAccount } from "../../src/business/opening/open-account.ts";
import type { Sale } from "../../src/business/sales/schema.ts";
import { authorityFor } from "../../src/fiscal/authority/authority-for.ts";
import { fiscalWorker } from "../../src/fiscal/documents/worker.ts";
import { setProfile } from "../../src/fiscal/profile/set-profile.ts";
import { setRange } from "../../src/fiscal/profile/set-range.ts";
import { second as oneSecond } from "../../src/lib/clock.ts";
import { advance, documentsOf, softwarePin } from "../support/fiscal.ts";
import { verifiedService } from "../support/fixtures.ts";
import { openPortal, type Portal } from "../support/portal.ts";
import { cashSessionBody, quoteBody, saleBody } from "../support/records.ts";
import { ableToReturn, enrol, syncSend, tillOf, upload } from "../support/register.ts";
import { returnOf, saleOf } from "../support/returning.ts";

const service = verifiedService();

test("a business is born with one sede, named like it, whose id is its own", async () => {
  const { id } = await openAccount(service.deps, {
    name: "Tienda  La Esquina",
    email: "esquina@example.com",
    password: "una clave larga",
    plan: "pro",
  });
  const { api } = await service.key(id);
  expect((await api.get("/locations")).body.data).toMatchObject([
    { id, name: "Tienda  La Esquina", is_first: true, active: true, version: 1 },
  ]);
  expect((await api.get(`/locations/${id}`)).body).toMatchObject({ object: "location", id });
});

test("any key reads the sedes, and none changes them", async () => {
  const owner = await openPortal(service);
  await second(owner);
  const { api } = await service.key(owner.accountId, { scopes: ["cash:read"] });
  expect((await api.get("/locations")).body.data).toHaveLength(2);
  expect((await api.post("/locations", { name: "Otra" })).status).toBe(404);
});

test("what a register uploads is of its sede from then on, and what it uploaded stays where it was", async () => {
  const owner = await openPortal(service);
  const place = await second(owner);
  const till = await enrol(service, owner.accountId);
  const sold = async () => {
    const id = randomUUID();
    const shift = randomUUID();
    const product = randomUUID();
    await till.push([
      { type: "cash_session", id: shift, data: upload(cashSessionBody(now())) },
      { type: "sale", id, data: saleData({ cash_session_id: shift }) },
      { type: "quote", id: product, data: upload(quoteBody(now())) },
    ]);
    return { id, shift };
  };
  const before = await sold();
  expect((await owner.put(`/devices/${till.deviceId}/location`, { location_id: place })).status).toBe(204);
  const after = await sold();
  const { api } = owner.business;
  const placeOf = async (path: string) => (await api.get(path)).body.location_id;
  expect(await placeOf(`/sales/${before.id}`)).toBe(owner.accountId);
  expect(await placeOf(`/cash-sessions/${before.shift}`)).toBe(owner.accountId);
  expect(await placeOf(`/sales/${after.id}`)).toBe(place);
  expect(await placeOf(`/cash-sessions/${after.shift}`)).toBe(place);
  // A change of an earlier sale does not move it.
  await till.push([{ type: "sale", id: before.id, data: saleData({ cash_session_id: before.shift, notes: "Otra" }) }]);
  expect((await api.get(`/sales/${before.id}`)).body).toMatchObject({ notes: "Otra", location_id: owner.accountId });
  const ids = async (query: string) => (await api.get(query)).body.data.map(({ id }: { id: string }) => id);
  expect(await ids(`/sales?location_id=${place}`)).toEqual([after.id]);
  expect(await ids(`/sales?location_id=${owner.accountId}`)).toEqual([before.id]);
  expect(await ids(`/cash-sessions?location_id=${place}`)).toEqual([after.shift]);
  expect(await ids(`/quotes?location_id=${place}`)).toHaveLength(1);
  expect(await ids(`/sales?location_id=${randomUUID()}`)).toEqual([]);
});

test("a document is of its sale's sede, and a note of its return's, whenever the verdict lets it be made", async () => {
  const owner = await openPortal(service);
  const { accountId } = owner;
  const place = await second(owner);
  const settings = { postal_zone_code: "050021" };
  await setProfile(service.deps, accountId, {
    ...{ nit: "900373923-8", regime: "iva", documents: "electronic", softwarePin, settings },
  });
  await setRange(service.deps, accountId, { first: 1, last: 500, validUntil: "2099-12-31", kind: "pos", prefix: "EP" });
  const till = await enrol(service, accountId, { capabilities: ableToReturn });
  const first = await enrol(service, accountId, { name: "Caja 2", capabilities: ableToReturn });
  await owner.put(`/devices/${till.deviceId}/location`, { location_id: place });
  const worker = fiscalWorker(service.deps, authorityFor(service.deps));
  const decide = async () => {
    for (let i = 0; i < 8; i++) {
      await worker.workOff();
      advance(service, 1.5 * oneSecond);
    }
  };
  const made = () => saleOf([{ quantity: 3, unit_price: 3333 }]);
  const [atOnce, later, elsewhere, cancelled] = [made(), made(), made(), made()] as const;
  for (const sale of [atOnce, later, elsewhere, cancelled]) await till.put("sale", upload(sale));
  // Their documents are still pending.
  expect(await till.put("return", returnOf(atOnce, [1]))).toMatchObject({ status: "applied" });
  expect(await first.put("return", returnOf(elsewhere, [1]))).toMatchObject({ status: "applied" });
  await till.put("sale", upload({ ...cancelled, status: "cancelled" }), { changed: ["status"] });
  await decide();
  await first.put("return", returnOf(later, [1]));
  await decide();
  const placesOf = async ({ id }: Sale) =>
    (await documentsOf(service, accountId, id)).map(({ location_id }) => location_id);
  expect(await placesOf(atOnce)).toEqual([place, place]);
  expect(await placesOf(elsewhere)).toEqual([place, accountId]);
  expect(await placesOf(later)).toEqual([place, accountId]);
  expect(await placesOf(cancelled)).toEqual([place, place]);
});

test("a record of before has no sede and belongs to the first, also after its register changes it and was moved", async () => {
  const owner = await openPortal(service);
  const place = await second(owner);
  const till = await enrol(service, owner.accountId);
  const id = randomUUID();
  await till.push([{ type: "sale", id, data: saleData() }]);
  await asOfBefore("sales", owner.accountId, id);
  await owner.put(`/devices/${till.deviceId}/location`, { location_id: place });
  const { api } = owner.business;
  await till.push([{ type: "sale", id, data: saleData({ notes: "Otra" }) }]);
  const { body } = await api.get(`/sales/${id}`);
  expect(body.notes).toBe("Otra");
  expect(body).not.toHaveProperty("location_id");
  expect((await api.get(`/sales?location_id=${owner.accountId}`)).body.data).toHaveLength(1);
  expect((await api.get(`/sales?location_id=${place}`)).body.data).toEqual([]);
});

test("a register is linked to the sede that its code was made for", async () => {
  const owner = await openPortal(service);
  const place = await second(owner);
  const made = await owner.confirmed("/devices/enrolment", { name: "Caja Norte", location_id: place });
  const enrolled = await syncSend(service.baseUrl, undefined, "POST", "/enrol", { code: made.body.enrolment_code });
  const till = tillOf(service, enrolled.body);
  const id = randomUUID();
  await till.push([{ type: "sale", id, data: saleData() }]);
  expect((await owner.business.api.get(`/sales/${id}`)).body.location_id).toBe(place);
  expect((await owner.get("/devices")).body.data).toMatchObject([{ name: "Caja Norte", location_id: place }]);
  const unknown = await owner.post("/devices/enrolment", { name: "Otra", location_id: randomUUID() });
  expect([unknown.status, unknown.body.error.param]).toEqual([404, "location_id"]);
  await expect(
    createEnrolmentCode(service.deps, { accountId: owner.accountId, name: "Por la consola", locationId: place }),
  ).resolves.toHaveProperty("code");
});

test("a sede with registers does not close, nor does the first", async () => {
  const owner = await openPortal(service);
  const place = await second(owner);
  const till = await enrol(service, owner.accountId);
  await owner.put(`/devices/${till.deviceId}/location`, { location_id: place });
  const busy = await owner.patch(`/locations/${place}`, { active: false });
  expect([busy.status, busy.body.error.param]).toEqual([409, "active"]);
  await owner.put(`/devices/${till.deviceId}/location`, { location_id: owner.accountId });
  expect((await owner.patch(`/locations/${place}`, { active: false })).body).toMatchObject({ active: false });
  expect((await owner.put(`/devices/${till.deviceId}/location`, { location_id: place })).status).toBe(404);
  expect((await owner.patch(`/locations/${owner.accountId}`, { active: false })).status).toBe(400);
  const [line] = (await owner.get("/audit-log?action=location.updated")).body.data;
  expect(line.details).toMatchObject({ location_id: place, before: { active: true }, after: { active: false } });
  expect(Object.keys(line.details.after)).toEqual(["active"]);
});

test("two sedes do not have one name, in whichever letters", async () => {
  const owner = await openPortal(service);
  const { body: made } = await owner.post("/locations", { name: "Belén" });
  for (const name of ["Belén", "belén", "BELÉN"]) {
    const again = await owner.post("/locations", { name });
    expect([again.status, again.body.error.param], name).toEqual([400, "name"]);
  }
  const other = await second(owner);
  expect((await owner.patch(`/locations/${other}`, { name: "belén" })).status).toBe(400);
  expect((await owner.patch(`/locations/${made.id}`, { name: "BELÉN" })).body.name).toBe("BELÉN");
});

test("another business's sede is not there", async () => {
  const [owner, other] = [await openPortal(service), await openPortal(service)];
  const place = await second(other);
  const till = await enrol(service, owner.accountId);
  expect((await owner.put(`/devices/${till.deviceId}/location`, { location_id: place })).status).toBe(404);
  expect((await owner.patch(`/locations/${place}`, { name: "Mía" })).status).toBe(404);
  expect((await owner.business.api.get(`/locations/${place}`)).status).toBe(404);
});

async function second(owner: Portal): Promise<string> {
  const made = await owner.post("/locations", { name: "Norte", address: "Cra 45 # 12-34", municipality: "05001" });
  expect(made.status).toBe(201);
  return made.body.id;
}

/** As a release without sedes stored it. */
async function asOfBefore(table: "sales", accountId: string, id: string): Promise<void> {
  await service.deps.pool.query({
    text: `update ${table} set location_id = null, body = (body::jsonb - 'location_id')::json, body_bytes = null
      where account_id = $1 and id = $2`,
    values: [accountId, id],
  });
}

const saleData = (fields: Partial<Sale> = {}) => upload(saleBody(now(), fields));
const now = () => new Date().toISOString();
