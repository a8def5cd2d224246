import { expect, test } from "vitest";
import { verifiedService } from "../support/fixtures.ts";
import { openPortal, type Portal } from "../support/portal.ts";
import { enrol, remoteEdit, type Till } from "../support/register.ts";

const service = verifiedService();
const capabilities = [remoteEdit, "business.down.1"];

// biome-ignore lint/suspicious/noExplicitAny: read as a register would, without types
async function changesOf(till: Till, type: string, cursor = ""): Promise<any[]> {
  const { body } = await till.pull(`?cursor=${cursor}`);
  return body.changes.filter((change: { type: string }) => change.type === type);
}

const cursorOf = async (till: Till) => (await till.pull()).body.cursor as string;

async function open(owner: Portal, name: string, fields: object = {}): Promise<string> {
  return (await owner.post("/locations", { name, ...fields })).body.id;
}

test("a register learns of its sede when there is a second one, when it changes, and when it is moved", async () => {
  const owner = await openPortal(service);
  const till = await enrol(service, owner.accountId, { capabilities });
  const [alone] = await changesOf(till, "business");
  expect(alone.data).not.toHaveProperty("location");
  const cursor = await cursorOf(till);
  const norte = await open(owner, "Norte", { address: "Cra 45 # 12-34", ticket_footer: "Gracias, Norte" });
  expect(await changesOf(till, "business", cursor)).toMatchObject([
    { data: { name: "Tienda de prueba", location: { id: owner.accountId, ticket_footer: null } } },
  ]);
  const later = await cursorOf(till);
  await owner.put(`/devices/${till.deviceId}/location`, { location_id: norte });
  expect(await changesOf(till, "business", later)).toMatchObject([
    { data: { location: { id: norte, name: "Norte", address: "Cra 45 # 12-34", ticket_footer: "Gracias, Norte" } } },
  ]);
  const moved = await cursorOf(till);
  await owner.patch(`/locations/${norte}`, { name: "Norte Centro Comercial" });
  expect(await changesOf(till, "business", moved)).toMatchObject([
    { data: { location: { name: "Norte Centro Comercial" } } },
  ]);
});

test("a register that waits learns of its new sede at once", async () => {
  const owner = await openPortal(service);
  const norte = await open(owner, "Norte");
  const till = await enrol(service, owner.accountId, { capabilities });
  const waiting = till.pull(`?cursor=${await cursorOf(till)}&wait=20`);
  await owner.put(`/devices/${till.deviceId}/location`, { location_id: norte });
  expect((await waiting).body.changes).toMatchObject([{ type: "business", data: { location: { id: norte } } }]);
});

test("a register receives the cashiers of its sede and those of all, and forgets the others when it is moved", async () => {
  const owner = await openPortal(service);
  const norte = await open(owner, "Norte");
  const hire = async (name: string, pin: string, location_ids: string[] | null) =>
    (await owner.post("/cashiers", { name, pin, permissions: [], location_ids })).body.id;
  const [everywhere, here, there] = [
    await hire("Ana", "1111", null),
    await hire("Berta", "2222", [owner.accountId]),
    await hire("Carla", "3333", [norte]),
  ];
  const till = await enrol(service, owner.accountId, { capabilities });
  const known = async (cursor = "") =>
    Object.fromEntries((await changesOf(till, "cashier", cursor)).map(({ id, deleted }) => [id, !deleted]));
  expect(await known()).toEqual({ [everywhere]: true, [here]: true, [there]: false });
  const cursor = await cursorOf(till);
  await owner.put(`/devices/${till.deviceId}/location`, { location_id: norte });
  expect(await known(cursor)).toEqual({ [everywhere]: true, [here]: false, [there]: true });
  const text = JSON.stringify(await changesOf(till, "cashier"));
  expect(text).not.toContain("Berta");
  expect(text).not.toContain("location_ids");
  await owner.patch(`/cashiers/${here}`, { location_ids: [owner.accountId, norte] });
  expect((await known())[here]).toBe(true);
  expect((await owner.get("/cashiers")).body.data).toMatchObject([
    { name: "Ana", location_ids: null },
    { name: "Berta", location_ids: [owner.accountId, norte] },
    { name: "Carla", location_ids: [norte] },
  ]);
  const foreign = await owner.patch(`/cashiers/${here}`, { location_ids: [crypto.randomUUID()] });
  expect([foreign.status, foreign.body.error.param]).toEqual([404, "location_ids"]);
});

test("whoever works in all sedes works in one that opens later", async () => {
  const owner = await openPortal(service);
  await open(owner, "Norte");
  await owner.post("/cashiers", { name: "Ana", pin: "1111", permissions: [], location_ids: null });
  await owner.post("/cashiers", { name: "Berta", pin: "2222", permissions: [], location_ids: [owner.accountId] });
  const sur = await open(owner, "Sur");
  const till = await enrol(service, owner.accountId, { capabilities });
  await owner.put(`/devices/${till.deviceId}/location`, { location_id: sur });
  const names = (await changesOf(till, "cashier")).flatMap(({ data }) => data?.name ?? []);
  expect(names).toEqual(["Ana"]);
});
