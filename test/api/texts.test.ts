import { describe, expect, test } from "vitest";
import { expectError } from "../support/expect-error.ts";
import { sharedShop, verifiedService } from "../support/fixtures.ts";
import { customerBody, saleBody } from "../support/records.ts";
import { enrol, upload } from "../support/register.ts";

const service = verifiedService();
const shop = sharedShop(service);
const now = () => service.deps.clock.now().toISOString();
/** Ñandú, with the accents written apart. */
const apart = "Ñandú".normalize("NFD");

test("names, codes and document numbers are stored without spaces around them and composed", async () => {
  const customer = await shop.api.post("/customers", {
    name: ` ${apart}\u00a0`,
    last_name: "  Gómez ",
    document_number: " 1020 ",
  });
  expect(customer.body).toMatchObject({ name: "Ñandú", last_name: "Gómez", document_number: "1020" });
  const changed = await shop.api.patch(`/customers/${customer.body.id}`, { name: ` ${apart} dos` });
  expect(changed.body.name).toBe("Ñandú dos");
  const product = await shop.api.post("/products", {
    name: ` ${apart} `,
    base_price: 1,
    sku: " ABC ",
    variants: [{ label: " M ", sku: ` ${apart}-M ` }],
    barcodes: [{ code: " 770 ", name: " Caja " }],
  });
  expect(product.body).toMatchObject({
    name: "Ñandú",
    sku: "ABC",
    variants: [{ label: "M", sku: "Ñandú-M" }],
    barcodes: [{ code: "770", name: "Caja" }],
  });
  expectError(await shop.api.post("/products", { name: "Otro", base_price: 1, sku: "ABC  " }), "SKU_ALREADY_EXISTS");
  expect((await shop.api.post("/categories", { name: " Aseo " })).body.name).toBe("Aseo");
});

describe("an optional text that is empty is none", () => {
  test.each([
    [
      "/customers",
      { name: "Ana", last_name: "", email: "", phone: " ", document_number: "" },
      ["last_name", "email", "phone", "document_number"],
    ],
    ["/products", { name: "Pan", base_price: 1, sku: "" }, ["sku"]],
  ])("%s %j", async (path, body, empty) => {
    const made = await shop.api.post(path, body);
    expect(made.status).toBe(201);
    expect(empty.map((name) => made.body[name])).toEqual(empty.map(() => null));
    const field = empty[0]!;
    const changed = await shop.api.patch(`${path}/${made.body.id}`, { [field]: "algo" });
    expect(changed.body[field]).toBe("algo");
    expect((await shop.api.patch(`${path}/${made.body.id}`, { [field]: "  " })).body[field]).toBeNull();
  });

  test("a name is not optional", async () => {
    for (const name of ["", "   "]) expectError(await shop.api.post("/customers", { name }), "VALIDATION_ERROR");
  });
});

test.each(["\u200b", "\u202e", "\ufeff", "\n", "\u0007", "\u2028"])(
  "%j in a name, a code or a document number is refused with its field",
  async (odd) => {
    const cases = [
      ["/customers", { name: `Ana${odd}` }, "name"],
      ["/customers", { name: "Ana", document_number: `10${odd}20` }, "document_number"],
      ["/products", { name: "Pan", base_price: 1, sku: `${odd}A` }, "sku"],
      ["/products", { name: "Pan", base_price: 1, barcodes: [{ code: `1${odd}` }] }, "barcodes.0.code"],
      ["/products", { name: "Pan", base_price: 1, variants: [{ label: `M${odd}` }] }, "variants.0.label"],
    ] as const;
    for (const [path, body, param] of cases)
      expectError(await shop.api.post(path, body), "VALIDATION_ERROR", { param });
  },
);

test.each(["\u3164", "\u2800", "\u034f", "\ufe0f", "\u115f", "\u17b4", "\u0301", "   "])(
  "%j shows nothing, so it is no name, code or number",
  async (nothing) => {
    const cases = [
      ["/customers", { name: nothing }, "name"],
      ["/categories", { name: nothing }, "name"],
      ["/warehouses", { name: nothing }, "name"],
      ["/products", { name: nothing, base_price: 1 }, "name"],
      ["/products", { name: "Pan", base_price: 1, variants: [{ label: nothing }] }, "variants.0.label"],
      ["/products", { name: "Pan", base_price: 1, barcodes: [{ code: nothing }] }, "barcodes.0.code"],
    ] as const;
    for (const [path, body, param] of cases) {
      const answer = await shop.api.post(path, body);
      expectError(answer, "VALIDATION_ERROR", { param });
      expect(answer.body.error.message).toMatch(`\`${param}\` debe tener al menos un carácter que se vea.`);
    }
    if (nothing.trim() === "") return;
    expectError(await shop.api.post("/products", { name: "Pan", base_price: 1, sku: nothing }), "VALIDATION_ERROR");
    expectError(await shop.api.post("/customers", { name: "Ana", document_number: nothing }), "VALIDATION_ERROR");
  },
);

test("letters with accents apart and emoji with joiners are names", async () => {
  for (const name of ["e\u0301", "👩‍🍳", "❤️‍🔥 Café", "🇨🇴", "1️⃣"])
    expect((await shop.api.post("/categories", { name })).body.name).toBe(name.normalize("NFC"));
});

test("bytes that were stored before stay readable, until the record is written with others", async () => {
  const { body } = await shop.api.post("/customers", { name: "Ana" });
  await service.deps.pool.query(
    "update customers set body = replace(body::text, '\"Ana\"', '\" Ana\u200b\"')::json where account_id = $1 and id = $2",
    [shop.accountId, body.id],
  );
  expect((await shop.api.get(`/customers/${body.id}`)).body.name).toBe(" Ana\u200b");
  expect((await shop.api.patch(`/customers/${body.id}`, { phone: "300" })).body.name).toBe(" Ana\u200b");
  expect((await shop.api.patch(`/customers/${body.id}`, { name: " Ana " })).body.name).toBe("Ana");
});

describe("a filter by a whole text finds what was written alike", () => {
  const composed = "Ñandú";
  test.each([
    ["/products", { name: "Pan", base_price: 1, sku: `${composed}-1` }, "sku", `${composed}-1`],
    [
      "/products",
      { name: "Pan", base_price: 1, variants: [{ label: "M", sku: `${composed}-2` }] },
      "sku",
      `${composed}-2`,
    ],
    ["/products", { name: "Pan", base_price: 1, barcodes: [{ code: `${composed}-3` }] }, "barcode", `${composed}-3`],
    ["/customers", { name: "Ana", document_number: `900.123 ${composed}` }, "document_number", `900.123 ${composed}`],
    ["/customers", { name: "Ana", email: "ñandu@example.com" }, "email", "ÑANDU@example.com"],
  ])("%s %j by %s", async (path, body, filter, written) => {
    const { id } = (await shop.api.post(path, body)).body;
    const forms = [written, `  ${written}\u00a0`, written.normalize("NFD"), ` ${written.normalize("NFD")} `];
    for (const form of forms) {
      const found = await shop.api.get(`${path}?${filter}=${encodeURIComponent(form)}`);
      expect([form, found.body.data.map((one: { id: string }) => one.id)]).toEqual([form, [id]]);
    }
  });

  test("also what the registers recorded", async () => {
    const sale = upload(saleBody(now(), { status: "separada" }));
    await (await enrol(service, shop.accountId)).push([{ type: "sale", id: sale.id, data: sale }]);
    const found = await shop.api.get("/sales?status=%20separada%20");
    expect(found.body.data).toMatchObject([{ status: "separada" }]);
    const { body } = await shop.api.post("/products", { name: "Pan", base_price: 1, initial_stock: 1 });
    const moved = await shop.api.get(`/inventory/movements?type=%20in&product_id=${body.id}`);
    expect(moved.body.data).toMatchObject([{ type: "in" }]);
  });

  test("and what a register uploaded in another form, as it is read", async () => {
    const odd = " 5e\u0301 ";
    const customer = upload(customerBody(now(), { document_number: odd }));
    await (await enrol(service, shop.accountId)).push([{ type: "customer", id: customer.id, data: customer }]);
    const found = await shop.api.get(`/customers?document_number=${encodeURIComponent(odd)}`);
    expect(found.body.data).toMatchObject([{ id: customer.id, document_number: odd }]);
  });

  test.each([
    ["/products", "sku", 100],
    ["/products", "barcode", 100],
    ["/customers", "document_number", 30],
    ["/customers", "email", 200],
    ["/sales", "status", 40],
    ["/inventory/movements", "type", 40],
  ])("%s?%s= counts its characters without the spaces around, and needs one", async (path, filter, most) => {
    for (const text of ["", "%20", "%C2%A0%20", "a".repeat(most + 1)])
      expectError(await shop.api.get(`${path}?${filter}=${text}`), "VALIDATION_ERROR", { param: filter });
    const apartFull = encodeURIComponent("é".repeat(most).normalize("NFD"));
    expect((await shop.api.get(`${path}?${filter}=%20${apartFull}%20`)).status).toBe(200);
  });
});
