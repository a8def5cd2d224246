import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { categories } from "../../src/business/categories/resource.ts";
import { sharedService, sharedShop } from "../support/fixtures.ts";
import { remove } from "../support/records.ts";
import { refusal, refused } from "../support/refusal.ts";

const service = sharedService();
const shop = sharedShop(service);

test("a name alone creates a category, with the defaults of the contract", async () => {
  const { status, body, text, headers } = await shop.api.post("/categories", { name: "Bebidas" });
  expect(status).toBe(201);
  expect(body).toEqual({
    object: "category",
    id: expect.any(String),
    name: "Bebidas",
    description: null,
    image_url: null,
    sort_order: 0,
    deleted_at: null,
    created_at: expect.any(String),
    updated_at: body.created_at,
    version: 1,
  });
  expect(headers.get("location")).toBe(`/public/v1/categories/${body.id}`);
  expect((await shop.api.get(`/categories/${body.id}`)).text).toBe(text);
});

test("every field is kept as it was sent", async () => {
  const sent = { name: "Aseo y hogar", description: "Jabones, escobas…", sort_order: 40 };
  expect((await shop.api.post("/categories", sent)).body).toMatchObject(sent);
});

test.each([
  ["name", "a".repeat(120), "a".repeat(121)],
  ["description", "a".repeat(1000), "a".repeat(1001)],
  ["sort_order", 100_000, 100_001],
])("%s has an upper limit", async (field, most, more) => {
  const { status, body } = await shop.api.post("/categories", { name: "Bebidas", [field]: most });
  expect([status, body[field]]).toEqual([201, most]);
  expect(refusal(await shop.api.post("/categories", { name: "Bebidas", [field]: more }))).toEqual(refused(field));
  expect(refusal(await shop.api.patch(`/categories/${body.id}`, { [field]: more }))).toEqual(refused(field));
});

test("a body that is not a category is refused", async () => {
  for (const [param, body] of [
    ["name", {}],
    ["name", { name: "" }],
    ["name", { name: " " }],
    ["sort_order", { name: "A", sort_order: "3" }],
    ["sort_order", { name: "A", sort_order: 1.5 }],
    ["name", { name: null }],
    ["image_url", { name: "A", image_url: "https://example.com/a.png" }],
  ] as const) {
    expect(refusal(await shop.api.post("/categories", body))).toEqual(refused(param));
  }
});

test("an edit changes only the fields it names; null clears only the description", async () => {
  const { body: before } = await shop.api.post("/categories", { name: "Bebidas", description: "Frías", sort_order: 3 });
  const path = `/categories/${before.id}`;
  const { status, body } = await shop.api.patch(path, { sort_order: 9 });
  expect([status, body]).toEqual([200, { ...before, sort_order: 9, updated_at: body.updated_at, version: 2 }]);
  expect(body.updated_at > before.updated_at).toBe(true);
  const cleared = await shop.api.patch(path, { description: null, name: "Refrescos" });
  expect(cleared.body).toMatchObject({ description: null, name: "Refrescos", sort_order: 9 });
  expect((await shop.api.get(path)).text).toBe(cleared.text);
  expect(refusal(await shop.api.patch(path, { name: null }))).toEqual(refused("name"));
  expect(refusal(await shop.api.patch(path, { sort_order: null }))).toEqual(refused("sort_order"));
  expect(refusal(await shop.api.patch(path, {}))).toEqual(refused("body"));
});

test("a deleted category is read only with include_deleted and cannot be edited", async () => {
  const { body } = await shop.api.post("/categories", { name: "Bebidas" });
  const gone = await remove(service.deps, shop.accountId, categories, body.id);
  const path = `/categories/${body.id}`;
  expect(refusal(await shop.api.get(path))).toEqual([404, "NOT_FOUND", "id"]);
  expect((await shop.api.get(`${path}?include_deleted=true`)).body).toEqual(gone);
  expect(refusal(await shop.api.patch(path, { name: "Aseo" }))).toEqual([404, "NOT_FOUND", "id"]);
});

test("a category that does not exist, or belongs to another account, is not found", async () => {
  const stranger = await service.business();
  const { body } = await stranger.api.post("/categories", { name: "Bebidas" });
  for (const id of [randomUUID(), body.id]) {
    expect(refusal(await shop.api.get(`/categories/${id}`))).toEqual([404, "NOT_FOUND", "id"]);
    expect(refusal(await shop.api.patch(`/categories/${id}`, { name: "Aseo" }))).toEqual([404, "NOT_FOUND", "id"]);
  }
});

test("q searches the name, ignoring case and accents", async () => {
  const { api } = await service.business();
  for (const name of ["Café y té", "Lácteos", "Aseo"]) await api.post("/categories", { name, description: "café" });
  const names = async (q: string) =>
    (await api.get(`/categories?q=${encodeURIComponent(q)}`)).body.data.map((one: { name: string }) => one.name);
  expect(await names("CAFE")).toEqual(["Café y té"]);
  expect(await names("te")).toEqual(["Lácteos", "Café y té"]);
  expect(await names("lacteos")).toEqual(["Lácteos"]);
  expect(refusal(await api.get("/categories?q=a"))).toEqual(refused("q"));
});

test("categories produce no events", async () => {
  const { api } = await service.business();
  const { body } = await api.post("/categories", { name: "Bebidas" });
  await api.patch(`/categories/${body.id}`, { name: "Aseo" });
  expect((await api.get("/events")).body.data).toEqual([]);
});
