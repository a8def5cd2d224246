import { expect, test } from "vitest";
import { shopPerTest, verifiedService } from "../support/fixtures.ts";
import { refusal, refused } from "../support/refusal.ts";

const service = verifiedService();
const shop = shopPerTest(service);

test("a name alone makes a supplier who is paid at once", async () => {
  const { status, body, headers } = await shop.api.post("/suppliers", { name: "Lácteos del Valle" });
  expect([status, headers.get("location")]).toEqual([201, `/public/v1/suppliers/${body.id}`]);
  expect(body).toEqual({
    object: "supplier",
    id: expect.any(String),
    name: "Lácteos del Valle",
    document_type: "NIT",
    document_number: null,
    contact_name: null,
    email: null,
    phone: null,
    term_days: 0,
    notes: null,
    active: true,
    created_at: expect.any(String),
    updated_at: body.created_at,
    version: 1,
  });
});

test("a document is one supplier's, with points, with its check digit or without", async () => {
  const { body: first } = await shop.api.post("/suppliers", { name: "La Sabana", document_number: "900373923-8" });
  for (const document_number of ["900.373.923-8", "900373923", "9003739238"]) {
    const again = await shop.api.post("/suppliers", { name: "Otra", document_number });
    expect([...refusal(again), again.body.error.message]).toEqual([
      ...[409, "CONFLICT", "document_number"],
      expect.stringContaining(`La Sabana» (${first.id})`),
    ]);
    const found = await shop.api.get(`/suppliers?document_number=${document_number}`);
    expect(found.body.data.map(({ id }: { id: string }) => id)).toEqual([first.id]);
  }
  const { body: other } = await shop.api.post("/suppliers", { name: "Otra" });
  expect(refusal(await shop.api.patch(`/suppliers/${other.id}`, { document_number: "900373923" }))[0]).toBe(409);
  // Its own number, written otherwise, is no other one.
  expect((await shop.api.patch(`/suppliers/${first.id}`, { document_number: "900.373.923" })).status).toBe(200);
});

test("each change is an event with the supplier as it is, and whoever is no longer bought from is found as such", async () => {
  const { body: made } = await shop.api.post("/suppliers", { name: "La Sabana", phone: "601 555 0134" });
  await shop.api.patch(`/suppliers/${made.id}`, { active: false, term_days: 30, phone: null });
  const { data } = (await shop.api.get("/events?order=asc")).body;
  expect(data.map(({ type }: { type: string }) => type)).toEqual(["supplier.created", "supplier.updated"]);
  expect(data[1].data.object).toMatchObject({ active: false, term_days: 30, phone: null, version: 2 });
  expect((await shop.api.get("/suppliers?active=true")).body.data).toEqual([]);
  expect((await shop.api.get("/suppliers?q=sabana")).body.data).toHaveLength(1);
});

test.each([
  ["name", { name: " " }],
  ["email", { email: "pedidos" }],
  ["term_days", { term_days: -1 }],
  ["term_days", { term_days: 366 }],
  ["document_type", { document_type: "RUT" }],
  ["nit", { nit: "900373923" }],
])("%s is refused in %j", async (param, fields) => {
  expect(refusal(await shop.api.post("/suppliers", { name: "La Sabana", ...fields }))).toEqual(refused(param));
});

test("an id of another system is one supplier's", async () => {
  const external_id = "PRO-1";
  expect((await shop.api.post("/suppliers", { name: "Uno", external_id })).status).toBe(201);
  expect(refusal(await shop.api.post("/suppliers", { name: "Dos", external_id }))).toEqual([
    ...[409, "CONFLICT", "external_id"],
  ]);
});
