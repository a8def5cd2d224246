import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { warehouses } from "../../src/business/inventory/resource.ts";
import type { Warehouse } from "../../src/business/inventory/schema.ts";
import { sharedService, sharedShop } from "../support/fixtures.ts";
import { store, warehouseBody } from "../support/records.ts";
import { refusal } from "../support/refusal.ts";

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
