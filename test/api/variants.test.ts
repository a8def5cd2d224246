import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { shopPerTest, verifiedService } from "../support/fixtures.ts";
import { eventsOf, newProduct } from "../support/product.ts";
import { refusal, refused } from "../support/refusal.ts";
import { enrol } from "../support/register.ts";

const service = verifiedService();
const shop = shopPerTest(service);
const read = async (id: string) => (await shop.api.get(`/products/${id}`)).body;

test("a variant is added, and is its product's change", async () => {
  const product = await newProduct(shop.api, { name: "Camisa" });
  const answer = await shop.api.post(`/products/${product.id}/variants`, {
    label: " M ",
    sku: "C-M",
    final_price: 45_000,
  });
  expect(answer.status).toBe(201);
  expect(answer.body).toMatchObject({ label: "M", base_price: 45_000, is_default: true, product_id: product.id });
  expect(answer.headers.get("location")).toBe(`/public/v1/products/${product.id}`);
  const after = await read(product.id);
  expect(after).toMatchObject({ has_variants: true, stock: null, variants: [answer.body], version: 2 });
  const event = (await eventsOf(shop.api)).at(-1);
  expect([event?.type, event?.data.object]).toEqual(["product.updated", after]);
  const { body: second } = await shop.api.post(`/products/${product.id}/variants`, { label: "L", is_default: true });
  expect((await read(product.id)).variants.map((one: { is_default: boolean }) => one.is_default)).toEqual([
    false,
    true,
  ]);
  expect(second.is_default).toBe(true);
});

test("a POST that is repeated with its key adds one variant", async () => {
  const { id } = await newProduct(shop.api, { name: "Camisa" });
  const key = { "idempotency-key": randomUUID() };
  const first = await shop.api.post(`/products/${id}/variants`, { label: "M" }, key);
  expect((await shop.api.post(`/products/${id}/variants`, { label: "M" }, key)).text).toBe(first.text);
  expect((await read(id)).variants).toHaveLength(1);
});

test("a variant is edited, under the product's ETag, and what changes nothing makes no version", async () => {
  const { id, variants } = await newProduct(shop.api, {
    name: "Jugo",
    variants: [{ label: "Lulo", final_price: 5_000 }],
  });
  const etag = (await shop.api.get(`/products/${id}`)).headers.get("etag") ?? "";
  const edit = (changes: object, headers = {}) =>
    shop.api.patch(`/products/${id}/variants/${variants[0].id}`, changes, headers);
  const edited = await edit({ label: "Lulo grande", base_price: 6_000 }, { "if-match": etag });
  expect(edited.body).toMatchObject({ id: variants[0].id, label: "Lulo grande", final_price: 6_000 });
  expect(edited.headers.get("etag")).toBe((await shop.api.get(`/products/${id}`)).headers.get("etag"));
  expect(refusal(await edit({ label: "Otro" }, { "if-match": etag }))).toEqual([409, "CONFLICT", undefined]);
  const before = await read(id);
  expect((await edit({ label: "Lulo grande" })).body).toEqual(edited.body);
  expect(await read(id)).toEqual(before);
});

test("a variant is deleted with the codes that name it, and its product keeps stock again after the last", async () => {
  const { id, variants } = await newProduct(shop.api, {
    name: "Jugo",
    variants: [{ label: "Lulo" }, { label: "Mora" }],
  });
  const [lulo, mora] = variants.map((one: { id: string }) => one.id);
  await shop.api.patch(`/products/${id}`, { barcodes: [{ code: "1", variant_id: lulo }, { code: "2" }] });
  const gone = await shop.api.send("DELETE", `/products/${id}/variants/${lulo}`);
  expect([gone.status, gone.body]).toEqual([
    200,
    expect.objectContaining({ id: lulo, deleted_at: expect.stringMatching(/Z$/) }),
  ]);
  expect(await read(id)).toMatchObject({ variants: [{ id: mora }], barcodes: [{ code: "2" }] });
  expect(refusal(await shop.api.send("DELETE", `/products/${id}/variants/${lulo}`))).toEqual([
    404,
    "NOT_FOUND",
    "variant_id",
  ]);
  await shop.api.send("DELETE", `/products/${id}/variants/${mora}`);
  expect(await read(id)).toMatchObject({ has_variants: false, variants: [], stock: 0 });
});

test("what cannot be is refused", async () => {
  const stocked = await newProduct(shop.api, { name: "Pan", initial_stock: 3 });
  const { id, variants } = await newProduct(shop.api, { name: "Jugo", sku: "J", variants: [{ label: "Lulo" }] });
  const lulo = `/products/${id}/variants/${variants[0].id}`;
  expect(refusal(await shop.api.post(`/products/${stocked.id}/variants`, { label: "M" }))).toEqual([
    422,
    "VARIANT_STOCK_UNSUPPORTED",
    "id",
  ]);
  expect(refusal(await shop.api.post(`/products/${id}/variants`, { label: "Mora", sku: "J" }))).toEqual([
    409,
    "SKU_ALREADY_EXISTS",
    "sku",
  ]);
  expect(refusal(await shop.api.patch(lulo, { sku: "J" }))).toEqual([409, "SKU_ALREADY_EXISTS", "sku"]);
  expect(refusal(await shop.api.post(`/products/${id}/variants`, { sku: "X" }))).toEqual(refused("label"));
  expect(refusal(await shop.api.patch(lulo, {}))).toEqual(refused("body"));
  expect(refusal(await shop.api.patch(lulo, { base_price: 5, final_price: 9 }))).toEqual(refused("final_price"));
  expect(refusal(await shop.api.patch(`/products/${stocked.id}/variants/${variants[0].id}`, { label: "x" }))).toEqual([
    404,
    "NOT_FOUND",
    "variant_id",
  ]);
  expect(refusal(await shop.api.post(`/products/${randomUUID()}/variants`, { label: "x" }))).toEqual([
    404,
    "NOT_FOUND",
    "id",
  ]);
  expect(refusal(await shop.api.send("DELETE", `/products/${id}/variants/7`))).toEqual(refused("variant_id"));
});

test("registers that do not take changes of the server keep all three out; the others receive them", async () => {
  const { id, variants } = await newProduct(shop.api, {
    name: "Jugo",
    variants: [{ label: "Lulo" }, { label: "Mora" }],
  });
  const till = await enrol(service, shop.accountId);
  await shop.api.send("DELETE", `/products/${id}/variants/${variants[0].id}`);
  await shop.api.post(`/products/${id}/variants`, { label: "Piña" });
  const changes = (await till.pull()).body.changes.filter((one: { id: string }) => one.id === id);
  const labels = changes.at(-1).data.set.variants.map((one: { label: string }) => one.label);
  expect(labels).toEqual(["Mora", "Piña"]);
  await enrol(service, shop.accountId, { capabilities: [] });
  const outdated = [409, "DEVICES_OUTDATED", undefined];
  expect(refusal(await shop.api.post(`/products/${id}/variants`, { label: "Uva" }))).toEqual(outdated);
  expect(refusal(await shop.api.patch(`/products/${id}/variants/${variants[1].id}`, { label: "Uva" }))).toEqual(
    outdated,
  );
  expect(refusal(await shop.api.send("DELETE", `/products/${id}/variants/${variants[1].id}`))).toEqual(outdated);
});
