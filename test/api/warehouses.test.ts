import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { warehouses } from "../../src/business/inventory/resource.ts";
import type { Warehouse } from "../../src/business/inventory/schema.ts";
import type { ApiClient } from "../support/client.ts";
import { sharedService, sharedShop } from "../support/fixtures.ts";
import { store, warehouseBody } from "../support/records.ts";
import { refusal } from "../support/refusal.ts";
import { enrol } from "../support/register.ts";

const service = sharedService();
const shop = sharedShop(service);
let stored: Warehouse[];
beforeAll(async () => {
  stored = await store(service.deps, shop.accountId, warehouses, (at) =>
    [
      warehouseBody(at, { name: "Principal", is_default: true }),
      warehouseBody(at, { name: "Bodega 2", address: null, city: null, is_default: false, active: false }),
    ].map((body) => ({ body })),
  );
});

test("a warehouse reads byte by byte as it was stored, in the list too", async () => {
  const list = await shop.api.get("/warehouses");
  for (const body of stored) {
    expect((await shop.api.get(`/warehouses/${body.id}`)).text).toBe(JSON.stringify(body));
    expect(list.text).toContain(JSON.stringify(body));
  }
});

test("active=true selects the warehouses in use, active=false the others", async () => {
  const names = async (query: string) =>
    (await shop.api.get(`/warehouses?${query}`)).body.data.map((one: { name: string }) => one.name);
  expect(await names("active=true")).toEqual(["Principal"]);
  expect(await names("active=false")).toEqual(["Bodega 2"]);
  expect(refusal(await shop.api.get("/warehouses?active=si"))).toEqual([400, "VALIDATION_ERROR", "active"]);
  expect(refusal(await shop.api.get("/warehouses?city=Cali"))).toEqual([400, "VALIDATION_ERROR", "city"]);
});

test("a warehouse that does not exist, or belongs to another account, is not found", async () => {
  const stranger = await service.business();
  expect(refusal(await stranger.api.get(`/warehouses/${stored[0]!.id}`))).toEqual([404, "NOT_FOUND", "id"]);
  expect(refusal(await shop.api.get(`/warehouses/${randomUUID()}`))).toEqual([404, "NOT_FOUND", "id"]);
  expect(refusal(await shop.api.get("/warehouses/principal"))).toEqual([400, "VALIDATION_ERROR", "id"]);
});

describe("a new warehouse", () => {
  test("is open, and not the default where there is one", async () => {
    const made = await shop.api.post("/warehouses", { name: "  Bodega Sur " });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ object: "warehouse", is_default: false, active: true, address: null });
    expect(made.headers.get("location")).toBe(`/public/v1/warehouses/${made.body.id}`);
    expect((await shop.api.get(`/warehouses/${made.body.id}`)).text).toBe(made.text);
  });

  test("with is_default takes that from the one that had it", async () => {
    const { api } = await service.business();
    const first = (await api.post("/warehouses", { name: "Uno" })).body;
    expect(first.is_default).toBe(true);
    const second = (await api.post("/warehouses", { name: "Dos", is_default: true })).body;
    expect(await defaults(api)).toEqual([second.id]);
    // The write that takes it is a version of its own, with its own instant.
    const former = (await api.get(`/warehouses/${first.id}`)).body;
    expect(former.version).toBe(first.version + 1);
    expect(former.updated_at > first.updated_at).toBe(true);
    expect(former.updated_at).not.toBe(second.created_at);
  });

  test("is made once for one key", async () => {
    const { api } = await service.business();
    const once = { "idempotency-key": "una-vez" };
    const made = await api.post("/warehouses", { name: "Uno" }, once);
    const again = await api.post("/warehouses", { name: "Uno" }, once);
    expect([again.text, again.headers.get("idempotent-replayed")]).toEqual([made.text, "true"]);
    expect((await api.get("/warehouses")).body.data).toHaveLength(1);
    expect(refusal(await api.post("/warehouses", { name: "Dos" }, once))[1]).toBe("IDEMPOTENCY_KEY_REUSED");
  });

  test.each([
    ["name", {}],
    ["name", { name: "" }],
    ["name", { name: " " }],
    ["name", { name: "b".repeat(121) }],
    ["is_default", { name: "Sur", is_default: "si" }],
    ["active", { name: "Sur", active: false }],
  ])("with a wrong %s is refused: %j", async (param, body) => {
    expect(refusal(await shop.api.post("/warehouses", body))).toEqual([400, "VALIDATION_ERROR", param]);
  });

  test("reaches the registers, and makes no event", async () => {
    const { api, accountId } = await service.business();
    const till = await enrol(service, accountId);
    const { body } = await api.post("/warehouses", { name: "Uno" });
    const { changes } = (await till.pull()).body;
    expect(changes).toMatchObject([{ type: "warehouse", id: body.id, data: { name: "Uno", is_default: true } }]);
    expect((await api.get("/events")).body.data).toEqual([]);
  });
});

describe("a change of a warehouse", () => {
  const two = async () => {
    const { api } = await service.business();
    const [first, second] = [
      await api.post("/warehouses", { name: "Uno" }),
      await api.post("/warehouses", { name: "Dos" }),
    ];
    return { api, first: first.body.id as string, second: second.body.id as string };
  };

  test("of its name leaves the rest as it is", async () => {
    const { api, first } = await two();
    const before = (await api.get(`/warehouses/${first}`)).body;
    const changed = await api.patch(`/warehouses/${first}`, { name: "Centro" });
    const { updated_at } = changed.body;
    expect(changed.body).toEqual({ ...before, name: "Centro", updated_at, version: before.version + 1 });
    expect((await api.get(`/warehouses/${first}`)).text).toBe(changed.text);
  });

  test("makes it the default one instead of the other", async () => {
    const { api, second } = await two();
    expect((await api.patch(`/warehouses/${second}`, { is_default: true })).body.is_default).toBe(true);
    expect(await defaults(api)).toEqual([second]);
  });

  test("closes it and opens it again; the default one only after another is", async () => {
    const { api, first, second } = await two();
    expect(refusal(await api.patch(`/warehouses/${first}`, { active: false }))).toEqual([409, "CONFLICT", "active"]);
    expect(refusal(await api.patch(`/warehouses/${first}`, { is_default: false }))).toEqual([
      409,
      "CONFLICT",
      "is_default",
    ]);
    expect((await api.patch(`/warehouses/${second}`, { active: false })).body.active).toBe(false);
    const unfit = await api.patch(`/warehouses/${second}`, { is_default: true });
    expect(refusal(unfit)).toEqual([400, "VALIDATION_ERROR", "is_default"]);
    await api.patch(`/warehouses/${second}`, { active: true, is_default: true });
    expect((await api.patch(`/warehouses/${first}`, { active: false })).status).toBe(200);
    expect(await defaults(api)).toEqual([second]);
  });

  test("closes the last one, and whichever is opened or made next is the default", async () => {
    const { api, first, second } = await two();
    await api.patch(`/warehouses/${second}`, { active: false });
    expect((await api.patch(`/warehouses/${first}`, { active: false })).body).toMatchObject({
      is_default: false,
      active: false,
    });
    expect(await defaults(api)).toEqual([]);
    await api.patch(`/warehouses/${second}`, { active: true });
    expect(await defaults(api)).toEqual([second]);
    await api.patch(`/warehouses/${second}`, { active: false });
    const third = (await api.post("/warehouses", { name: "Tres" })).body;
    expect(await defaults(api)).toEqual([third.id]);
  });

  test("needs a warehouse of this account, and a version that is still current", async () => {
    const { api, first } = await two();
    const stranger = await service.business();
    expect(refusal(await stranger.api.patch(`/warehouses/${first}`, { name: "X" }))).toEqual([404, "NOT_FOUND", "id"]);
    const etag = (await api.get(`/warehouses/${first}`)).headers.get("etag")!;
    await api.patch(`/warehouses/${first}`, { name: "Centro" });
    const late = await api.patch(`/warehouses/${first}`, { name: "Norte" }, { "if-match": etag });
    expect(refusal(late)[1]).toBe("CONFLICT");
    expect(refusal(await api.patch(`/warehouses/${first}`, {}))[0]).toBe(400);
  });
});

async function defaults(api: ApiClient): Promise<string[]> {
  const { data } = (await api.get("/warehouses")).body;
  return data.flatMap((one: Warehouse) => (one.is_default ? [one.id] : []));
}
