import { expect, test } from "vitest";
import { expectError } from "../support/expect-error.ts";
import { shopPerTest, verifiedService } from "../support/fixtures.ts";
import { enrol } from "../support/register.ts";

const service = verifiedService();
const shop = shopPerTest(service);

/** All that a change would move. */
async function traces() {
  const { rows } = await service.deps.pool.query(
    "select seq, feed_seq, event_seq, ts from account_clock where account_id = $1",
    [shop.accountId],
  );
  const events = (await shop.api.get("/events?limit=100")).body.data.map(({ type }: { type: string }) => type);
  return { clock: rows[0], events };
}

const cases = [
  ["/customers", { name: "Ana", last_name: "Ruiz", phone: "300", document_number: "10" }],
  ["/categories", { name: "Aseo", description: "Jabones", sort_order: 3 }],
  [
    "/products",
    {
      name: "Pan",
      base_price: 2000,
      percent_discount: 10,
      sku: "PAN",
      description: "De masa madre",
      barcodes: [{ code: "770", units: 12, name: "Docena" }],
    },
  ],
  ["/warehouses", { name: "Sur" }],
] as const;

test.each(cases)(
  "a PATCH of %s that repeats what is stored answers it, with no version, event or feed entry",
  async (path, fields) => {
    const { id } = (await shop.api.post(path, fields)).body;
    const read = await shop.api.get(`${path}/${id}`);
    const before = await traces();
    const patched = await shop.api.patch(`${path}/${id}`, fields);
    expect([patched.status, patched.text, patched.headers.get("etag")]).toEqual([
      200,
      read.text,
      read.headers.get("etag"),
    ]);
    const padded = await shop.api.patch(`${path}/${id}`, { name: `  ${fields.name} ` });
    expect(padded.text).toBe(read.text);
    expect(await traces()).toEqual(before);
  },
);

test.each(cases)("a PATCH of %s that changes one field of many is a change", async (path, fields) => {
  const { id, version } = (await shop.api.post(path, fields)).body;
  const { body } = await shop.api.patch(`${path}/${id}`, { ...fields, name: "Otro" });
  expect([body.name, body.version]).toEqual(["Otro", version + 1]);
});

test("a stale If-Match is refused although nothing would change", async () => {
  const { id } = (await shop.api.post("/customers", { name: "Ana" })).body;
  const stale = await shop.api.patch(`/customers/${id}`, { name: "Ana" }, { "if-match": '"1-0"' });
  expectError(stale, "CONFLICT");
});

test("so is the change of a product that an outdated register would not take", async () => {
  const { id } = (await shop.api.post("/products", { name: "Pan", base_price: 1 })).body;
  await enrol(service, shop.accountId, { capabilities: [] });
  expectError(await shop.api.patch(`/products/${id}`, { name: "Pan" }), "DEVICES_OUTDATED");
});

test("two systems that copy each other's events come to rest", async () => {
  const { id } = (await shop.api.post("/customers", { name: "Ana" })).body;
  await shop.api.patch(`/customers/${id}`, { phone: "300" });
  const updates = async () => (await shop.api.get("/events?type=customer.updated&order=asc")).body.data;
  for (const { data } of await updates()) {
    const { name, phone, last_name, email } = data.object;
    await shop.api.patch(`/customers/${id}`, { name, phone, last_name, email });
  }
  expect(await updates()).toHaveLength(1);
});
