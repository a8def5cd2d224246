import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { customers } from "../../src/business/customers/resource.ts";
import { sharedService, sharedShop } from "../support/fixtures.ts";
import { customerBody, remove, store } from "../support/records.ts";
import { refusal, refused } from "../support/refusal.ts";
import type { Business } from "../support/service.ts";

const service = sharedService();
const shop = sharedShop(service);

test("a name alone creates a customer, with the defaults of the contract", async () => {
  const { status, body, headers } = await shop.api.post("/customers", { name: "María Fernanda" });
  expect(status).toBe(201);
  expect(body).toEqual({
    object: "customer",
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
    name: "María Fernanda",
    last_name: null,
    email: null,
    phone: null,
    person_type: "person",
    document_type: "CC",
    document_number: null,
    contact_channel: "none",
    deleted_at: null,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    updated_at: body.created_at,
    version: 1,
  });
  expect(headers.get("location")).toBe(`/public/v1/customers/${body.id}`);
});

test("every field is kept as it was sent, and read back byte by byte", async () => {
  const sent = {
    name: "Ferretería «El Tornillo» 🔩",
    last_name: "S.A.S.",
    email: "Compras@El-Tornillo.co",
    phone: "+57 (604) 123-4567",
    person_type: "company",
    document_type: "NIT",
    document_number: "900.123.456-7",
    contact_channel: "instagram",
  };
  const created = await shop.api.post("/customers", sent);
  expect(created.body).toMatchObject(sent);
  expect((await shop.api.get(`/customers/${created.body.id}`)).text).toBe(created.text);
});

test.each([
  ["name", 120],
  ["last_name", 120],
  ["phone", 30],
  ["document_number", 30],
])("%s has at most %d characters", async (field, most) => {
  const longest = "ñ".repeat(most);
  const body = { name: "Ana", [field]: longest };
  expect((await shop.api.post("/customers", body)).body[field]).toBe(longest);
  expect(refusal(await shop.api.post("/customers", { ...body, [field]: `${longest}n` }))).toEqual(refused(field));
});

test("an email must be one, of at most 200 characters", async () => {
  const longest = `${"a".repeat(200 - "@example.com".length)}@example.com`;
  expect((await shop.api.post("/customers", { name: "Ana", email: longest })).status).toBe(201);
  for (const email of [
    `a${longest}`,
    "ana",
    "ana@",
    "@example.com",
    "ana@example",
    "a b@example.com",
    "ana@example.com ",
  ]) {
    expect(refusal(await shop.api.post("/customers", { name: "Ana", email }))).toEqual(refused("email"));
  }
});

test.each([
  ["person_type", ["person", "company"]],
  ["document_type", ["CC", "TI", "NIT", "CE", "PASAPORTE"]],
  ["contact_channel", ["none", "store", "whatsapp", "instagram", "website", "referral"]],
])("%s is one of %j", async (field, values) => {
  for (const value of values) {
    expect((await shop.api.post("/customers", { name: "Ana", [field]: value })).body[field]).toBe(value);
  }
  for (const value of ["otro", values[0]!.toUpperCase() + values[0]!.toLowerCase(), 1]) {
    expect(refusal(await shop.api.post("/customers", { name: "Ana", [field]: value }))).toEqual(refused(field));
  }
});

test("a customer without a name is refused", async () => {
  for (const body of [{}, { name: "" }, { name: "  " }, { name: null }, { name: 7 }]) {
    expect(refusal(await shop.api.post("/customers", body))).toEqual(refused("name"));
  }
});

test("a misspelled field is refused, not ignored", async () => {
  expect(refusal(await shop.api.post("/customers", { name: "Ana", lastName: "Gómez" }))).toEqual(refused("lastName"));
  expect(refusal(await shop.api.post("/customers", { name: "Ana", id: randomUUID() }))).toEqual(refused("id"));
});

test("an edit changes the fields it names, and otherwise only updated_at and version", async () => {
  const { body: before } = await shop.api.post("/customers", { name: "Ana", phone: "300", last_name: "Ruiz" });
  const { status, body, text } = await shop.api.patch(`/customers/${before.id}`, { phone: "301", email: "a@b.co" });
  expect(status).toBe(200);
  expect(body).toEqual({ ...before, phone: "301", email: "a@b.co", updated_at: body.updated_at, version: 2 });
  expect(body.updated_at > before.updated_at).toBe(true);
  expect((await shop.api.get(`/customers/${before.id}`)).text).toBe(text);
});

test("null clears a field that may be null, and is refused for any other", async () => {
  const full = { name: "Ana", last_name: "Ruiz", phone: "300", email: "a@b.co", document_number: "1" };
  const { body } = await shop.api.post("/customers", full);
  const nothing = { last_name: null, phone: null, email: null, document_number: null, contact_channel: null };
  expect((await shop.api.patch(`/customers/${body.id}`, nothing)).body).toMatchObject(nothing);
  for (const field of ["name", "person_type", "document_type"]) {
    expect(refusal(await shop.api.patch(`/customers/${body.id}`, { [field]: null }))).toEqual(refused(field));
  }
});

test("an edit needs at least one field, keeps the limits and refuses unknown fields", async () => {
  const { body } = await shop.api.post("/customers", { name: "Ana" });
  const patch = (changes: object) => shop.api.patch(`/customers/${body.id}`, changes).then(refusal);
  expect(await patch({})).toEqual(refused("body"));
  expect(await patch({ name: "a".repeat(121) })).toEqual(refused("name"));
  expect(await patch({ name: " " })).toEqual(refused("name"));
  expect(await patch({ email: "ana" })).toEqual(refused("email"));
  expect(await patch({ deleted_at: null })).toEqual(refused("deleted_at"));
  expect((await shop.api.get(`/customers/${body.id}`)).body).toEqual(body);
});

test("an id in capitals names the same customer", async () => {
  const { body, text } = await shop.api.post("/customers", { name: "Ana" });
  expect((await shop.api.get(`/customers/${body.id.toUpperCase()}`)).text).toBe(text);
  expect((await shop.api.patch(`/customers/${body.id.toUpperCase()}`, { name: "Eva" })).body.name).toBe("Eva");
});

test("a deleted customer is read only with include_deleted and cannot be edited", async () => {
  const { body } = await shop.api.post("/customers", { name: "Ana" });
  const gone = await remove(service.deps, shop.accountId, customers, body.id);
  const path = `/customers/${body.id}`;
  expect(refusal(await shop.api.get(path))).toEqual([404, "NOT_FOUND", "id"]);
  expect(refusal(await shop.api.get(`${path}?include_deleted=false`))).toEqual([404, "NOT_FOUND", "id"]);
  expect((await shop.api.get(`${path}?include_deleted=true`)).body).toEqual(gone);
  expect(refusal(await shop.api.patch(path, { name: "Eva" }))).toEqual([404, "NOT_FOUND", "id"]);
});

test("a customer that does not exist, or belongs to another account, is not found", async () => {
  const stranger = await service.business();
  const { body } = await stranger.api.post("/customers", { name: "Ana" });
  for (const id of [randomUUID(), body.id]) {
    expect(refusal(await shop.api.get(`/customers/${id}`))).toEqual([404, "NOT_FOUND", "id"]);
    expect(refusal(await shop.api.patch(`/customers/${id}`, { name: "Eva" }))).toEqual([404, "NOT_FOUND", "id"]);
  }
  expect((await stranger.api.get(`/customers/${body.id}`)).body).toEqual(body);
});

test("creating and editing emit the customer exactly as the response returned it", async () => {
  const { api } = await service.business();
  const created = await api.post("/customers", { name: "Ana", last_name: "Nuñez" });
  const edited = await api.patch(`/customers/${created.body.id}`, { phone: "300" });
  const { text, body } = await api.get("/events?order=asc");
  expect(body.data.map((event: { type: string }) => event.type)).toEqual(["customer.created", "customer.updated"]);
  expect(text).toContain(`"data":{"object":${created.text}}`);
  expect(text).toContain(`"data":{"object":${edited.text}}`);
});

test("email matches in any case; document_number exactly as written", async () => {
  const { api } = await service.business();
  await api.post("/customers", { name: "Ana", email: "Ana.Ruiz@Example.com", document_number: "1020A" });
  await api.post("/customers", { name: "Eva", email: "eva@example.com", document_number: "1020a" });
  const names = async (query: string) =>
    (await api.get(`/customers?${query}`)).body.data.map((one: { name: string }) => one.name);
  expect(await names("email=ana.ruiz@example.COM")).toEqual(["Ana"]);
  expect(await names("email=ana.ruiz@example.co")).toEqual([]);
  expect(await names("email=%25@example.com")).toEqual([]);
  expect(await names("document_number=1020A")).toEqual(["Ana"]);
  expect(await names("document_number=1020")).toEqual([]);
  expect(await names("document_number=1020a&email=EVA@example.com")).toEqual(["Eva"]);
  expect(await names("document_number=1020a&email=ana.ruiz@example.com")).toEqual([]);
});

test.each([
  ["the name", "fernanda", ["María Fernanda"]],
  ["the last name", "GOMEZ", ["María Fernanda"]],
  ["name and last name together", "fernanda gómez", ["María Fernanda"]],
  ["the email", "maria.gomez@", ["María Fernanda"]],
  ["the phone", "300 123", ["María Fernanda"]],
  ["the document", "0456", ["María Fernanda"]],
  ["capitals", "MARÍA", ["María Fernanda"]],
  ["text without accents", "nunez", ["José"]],
  ["accents that the record lacks", "ándrea", ["Andrea 100%_"]],
  ["ñ as n and n as ñ", "ñunez", ["José"]],
  ["two characters", "sé", ["José"]],
  ["a space between two letters", "a f", ["María Fernanda"]],
  ["two characters that no customer has together", "zq", []],
  ["a percent sign as itself", "0%", ["Andrea 100%_"]],
  ["an underscore as itself", "%_", ["Andrea 100%_"]],
  ["percent signs that match nothing else", "%%", []],
  ["an underscore that is not a wildcard", "m_r", []],
  ["a backslash as itself", "c:\\t", ["Tienda c:\\tmp"]],
  ["spaces around the words", "  fernanda  ", ["María Fernanda"]],
  ["nothing across two fields", "gomez maria", []],
  ["what no customer has", "fernando", []],
])("q searches %s: %j", async (_what, q, expected) => {
  const { body } = await (await searched()).get(`/customers?q=${encodeURIComponent(q)}`);
  expect(body.data.map((one: { name: string }) => one.name).toSorted()).toEqual(expected.toSorted());
});

let catalogue: Promise<Business["api"]> | undefined;
/** One account with the customers that the searches above look for. */
function searched(): Promise<Business["api"]> {
  catalogue ??= (async () => {
    const { accountId, api } = await service.business();
    await store(service.deps, accountId, customers, (at) =>
      [
        customerBody(at, {
          name: "María Fernanda",
          last_name: "Gómez",
          email: "maria.gomez@example.com",
          phone: "300 123 4567",
          document_number: "1020456789",
        }),
        customerBody(at, { name: "José", last_name: "Núñez" }),
        customerBody(at, { name: "Andrea 100%_" }),
        customerBody(at, { name: "Tienda c:\\tmp" }),
      ].map((body) => ({ body })),
    );
    return api;
  })();
  return catalogue;
}

test("q needs 2 to 100 significant characters", async () => {
  const search = (q: string) => shop.api.get(`/customers?q=${encodeURIComponent(q)}`);
  for (const q of ["", "a", "a".repeat(101), "  ", " a", "a\t"]) expect(refusal(await search(q))).toEqual(refused("q"));
  expect((await search("x".repeat(100))).body.data).toEqual([]);
  expect((await search("\u0301\u0301")).body.data).toEqual([]);
});

test("an edited customer is found by its new text and no longer by the old", async () => {
  const { api } = await service.business();
  const { body } = await api.post("/customers", { name: "Zoraida", email: "z@example.com", document_number: "77" });
  await api.patch(`/customers/${body.id}`, { name: "Petra", email: "p@example.com", document_number: "88" });
  const count = async (query: string) => (await api.get(`/customers?${query}`)).body.data.length;
  expect(await Promise.all(["q=zora", "email=z@example.com", "document_number=77"].map(count))).toEqual([0, 0, 0]);
  expect(await Promise.all(["q=petra", "email=p@example.com", "document_number=88"].map(count))).toEqual([1, 1, 1]);
});

test("an unknown filter is refused, not ignored", async () => {
  expect(refusal(await shop.api.get("/customers?name=Ana"))).toEqual(refused("name"));
  expect(refusal(await shop.api.get("/customers?email="))).toEqual(refused("email"));
});
