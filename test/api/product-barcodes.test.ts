import { describe, expect, test } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { shopPerTest, verifiedService } from "../support/fixtures.ts";
import { eventsOf, newProduct } from "../support/product.ts";
import { productBody } from "../support/records.ts";
import { refusal, refused } from "../support/refusal.ts";
import { enrol, upload } from "../support/register.ts";

const service = verifiedService();
const shop = shopPerTest(service);
const stranger = shopPerTest(service);
const pack = { code: "17701", units: 24, name: "Petaca", price: 50_000, variant_id: null };
const plain = { code: "7702", units: 1, name: null, price: null, variant_id: null };

describe("the other codes of a product", () => {
  test("are published with what they stand for, also in the event", async () => {
    const created = await newProduct(shop.api, {
      name: "Cerveza",
      sku: "7701",
      barcodes: [
        { code: " 17701 ", units: 24, name: "Petaca", price: 50_000 },
        { code: "7702", name: null },
      ],
    });
    expect(created.barcodes).toEqual([pack, plain]);
    expect((await shop.api.get(`/products/${created.id}`)).body.barcodes).toEqual([pack, plain]);
    const [event] = await eventsOf(shop.api);
    expect(event?.data.object).toMatchObject({ barcodes: [pack, plain] });
  });

  test("are replaced as a whole by a PATCH, and stay when it does not name them", async () => {
    const { id } = await newProduct(shop.api, { name: "Cerveza", barcodes: [pack] });
    expect((await shop.api.patch(`/products/${id}`, { name: "Cerveza rubia" })).body.barcodes).toEqual([pack]);
    const { body } = await shop.api.patch(`/products/${id}`, { barcodes: [{ code: "7702" }] });
    expect(body.barcodes).toEqual([plain]);
    expect((await shop.api.patch(`/products/${id}`, { barcodes: [] })).body.barcodes).toEqual([]);
  });

  test("may name a variant of the product, and no other", async () => {
    const { id, variants } = await newProduct(shop.api, { name: "Jugo", variants: [{ label: "Lulo" }] });
    const named = { code: "LULO", variant_id: variants[0].id };
    expect((await shop.api.patch(`/products/${id}`, { barcodes: [named] })).body.barcodes).toMatchObject([named]);
    const stranger = { code: "LULO", variant_id: id };
    expect(refusal(await shop.api.patch(`/products/${id}`, { barcodes: [stranger] }))).toEqual(
      refused("barcodes.0.variant_id"),
    );
  });

  test.each([
    ["too many", Array.from({ length: 21 }, (_, i) => ({ code: `c${i}` })), "barcodes"],
    ["a long one", [{ code: "1".repeat(49) }], "barcodes.0.code"],
    ["an empty one", [{ code: "  " }], "barcodes.0.code"],
    ["one with a control character", [{ code: "12\u200b3" }], "barcodes.0.code"],
    ["no units", [{ code: "1", units: 0 }], "barcodes.0.units"],
    ["a price below nothing", [{ code: "1", price: -1 }], "barcodes.0.price"],
  ])("are refused with %s", async (_, barcodes, param) => {
    const answer = await shop.api.post("/products", { name: "Cerveza", base_price: 2500, barcodes });
    expect(refusal(answer)).toEqual(refused(param));
  });

  test("belong to one product, be it as a SKU or as another code", async () => {
    await newProduct(shop.api, { name: "Cerveza", sku: "7701", barcodes: [pack] });
    const other = await newProduct(shop.api, { name: "Malta", sku: "M" });
    for (const body of [{ barcodes: [{ code: "7701" }] }, { barcodes: [{ code: "17701" }] }, { sku: "17701" }]) {
      const { status, body: answer } = await shop.api.patch(`/products/${other.id}`, body);
      expect(status).toBe(409);
      expect(answer.error).toMatchObject({ code: "SKU_ALREADY_EXISTS", param: Object.keys(body)[0] });
    }
  });
});

describe("a code stands once in its product: a repetition", () => {
  test.each([
    ["barcodes.1.code", "barcodes.0.code", { barcodes: [{ code: "Z1" }, { code: " Z1" }] }],
    ["barcodes.0.code", "sku", { sku: "Z1", barcodes: [{ code: "Z1" }] }],
    [
      "variants.1.sku",
      "variants.0.sku",
      {
        variants: [
          { label: "S", sku: "Z1" },
          { label: "M", sku: "Z1" },
        ],
      },
    ],
    ["variants.0.sku", "sku", { sku: "Z1", variants: [{ label: "S", sku: "Z1" }] }],
  ])("is refused at %s, which names %s, when it is made", async (param, other, fields) => {
    const { status, body } = await shop.api.post("/products", { name: "Agua", base_price: 1000, ...fields });
    const field = param.startsWith("barcodes") ? "barcodes" : "sku";
    expect([status, body.error.code, body.error.param]).toEqual([409, "SKU_ALREADY_EXISTS", field]);
    expect(body.error.message).toContain(`\`${param}\` repite el código "Z1" de \`${other}\``);
  });

  test("is refused as a repetition or as taken, when it is edited", async () => {
    const { id } = await newProduct(shop.api, { name: "Agua", sku: "AG", barcodes: [{ code: "AG2" }] });
    const edits = [
      ["barcodes.1.code", { barcodes: [{ code: "AG2" }, { code: "AG2" }] }],
      ["barcodes.0.code", { sku: "AG3", barcodes: [{ code: "AG3" }] }],
    ] as const;
    for (const [param, changes] of edits) {
      const { status, body } = await shop.api.patch(`/products/${id}`, changes);
      expect([status, body.error.code, body.error.param]).toEqual([409, "SKU_ALREADY_EXISTS", "barcodes"]);
      expect(body.error.message).toContain(`\`${param}\` repite`);
    }
    for (const [param, changes, other] of [
      ["sku", { sku: "AG2" }, "barcodes.0.code"],
      ["barcodes", { barcodes: [{ code: "AG" }] }, "sku"],
    ] as const) {
      const { status, body } = await shop.api.patch(`/products/${id}`, changes);
      expect([status, body.error.code, body.error.param]).toEqual([409, "SKU_ALREADY_EXISTS", param]);
      expect(body.error.message).toContain(`este mismo producto, en \`${other}\``);
    }
    const swapped = await shop.api.patch(`/products/${id}`, { sku: "AG2", barcodes: [{ code: "AG" }] });
    expect(swapped.status).toBe(200);
  });
});

describe("GET /products?barcode=", () => {
  test("finds a product by its SKU, a variant's, or any other code, in this account only", async () => {
    const beer = await newProduct(shop.api, { name: "Cerveza", sku: "7701", barcodes: [pack] });
    const juice = await newProduct(shop.api, { name: "Jugo", variants: [{ label: "Lulo", sku: "LULO" }] });
    const found = async (code: string) =>
      (await shop.api.get(`/products?barcode=${encodeURIComponent(code)}`)).body.data.map(
        ({ id }: { id: string }) => id,
      );
    expect(await found("7701")).toEqual([beer.id]);
    expect(await found("17701")).toEqual([beer.id]);
    expect(await found("LULO")).toEqual([juice.id]);
    expect(await found("1770")).toEqual([]);
    expect((await shop.api.get("/products?sku=17701")).body.data).toEqual([]);
    expect((await stranger.api.get("/products?barcode=17701")).body.data).toEqual([]);
  });

  test("finds nothing in a product that is from before there were other codes, and answers it as it is", async () => {
    const { id } = await newProduct(shop.api, { name: "Cerveza", sku: "7701" });
    await service.deps.pool.query(
      sql`update products set body = (body::jsonb - 'barcodes')::json where id = ${id} and account_id = ${shop.accountId}`,
    );
    const { data } = (await shop.api.get("/products?barcode=7701")).body;
    expect(data).toMatchObject([{ id }]);
    expect(data[0]).not.toHaveProperty("barcodes");
    expect((await shop.api.patch(`/products/${id}`, { barcodes: [pack] })).body.barcodes).toEqual([pack]);
  });
});

describe("a register", () => {
  const codes = ["product.remote_edit.1", "product.codes.1"];
  const ofProduct = async (till: Awaited<ReturnType<typeof enrol>>, id: string) =>
    (await till.pull()).body.changes.find((change: { id: string }) => change.id === id).data.set;

  test("that knows other codes receives and sends them; one that does not neither sees nor erases them", async () => {
    const able = await enrol(service, shop.accountId, { capabilities: codes });
    const old = await enrol(service, shop.accountId);
    const product = upload(productBody(new Date().toISOString(), { name: "Cerveza", barcodes: [pack] }));
    expect(await able.put("product", product)).toMatchObject({ status: "applied" });
    expect((await ofProduct(able, product.id)).barcodes).toEqual([pack]);
    expect(await ofProduct(old, product.id)).not.toHaveProperty("barcodes");

    const { barcodes: _, ...known } = product;
    await old.put("product", { ...known, name: "Cerveza rubia" }, { base_seq: 1_000_000 });
    await old.put("product", { ...known, name: "Cerveza rubia", barcodes: [] }, { base_seq: 1_000_000 });
    const { body } = await shop.api.get(`/products/${product.id}`);
    expect(body).toMatchObject({ name: "Cerveza rubia", barcodes: [pack] });
  });

  test("without them is not told of them in the answer of a merge either", async () => {
    const able = await enrol(service, shop.accountId, { capabilities: codes });
    const old = await enrol(service, shop.accountId);
    const product = upload(productBody(new Date().toISOString(), { name: "Cerveza", barcodes: [pack] }));
    await able.put("product", product, { edited_at: "2026-01-01T00:00:00Z" });
    await able.put("product", { name: "Nueva" }, { id: product.id, changed: ["name"] });
    const edit = { id: product.id, changed: ["name"], base_seq: 0, edited_at: "2026-01-02T00:00:00Z" };
    const merged = await old.put("product", { name: "Vieja" }, edit);
    expect(merged).toMatchObject({ status: "merged", record: { set: { name: "Nueva" } } });
    expect(merged.record.set).not.toHaveProperty("barcodes");
  });

  test("is never refused for its codes: what nobody could scan is left out, and told", async () => {
    const able = await enrol(service, shop.accountId, { capabilities: codes });
    const odd = [pack, { ...pack, units: 6 }, { code: "  " }, { code: " 7702 ", units: -3, price: -1 }];
    const product = { ...upload(productBody(new Date().toISOString(), { name: "Cerveza" })), barcodes: odd };
    expect(await able.put("product", product)).toMatchObject({ status: "applied" });
    expect((await shop.api.get(`/products/${product.id}`)).body.barcodes).toEqual([pack, plain]);
    const { rows } = await service.deps.pool.query(
      sql`select findings::text from flagged_records where record_id = ${product.id}`,
    );
    expect(rows[0]!.findings).toContain("barcodes");
  });

  test("may give a code that another product has: both stay, and it is recorded once", async () => {
    const able = await enrol(service, shop.accountId, { capabilities: codes });
    const at = new Date().toISOString();
    const first = upload(productBody(at, { name: "Cerveza", sku: "7701" }));
    const second = upload(productBody(at, { name: "Malta", barcodes: [{ ...plain, code: "7701" }] }));
    await able.put("product", first);
    expect(await able.put("product", second)).toMatchObject({ status: "applied" });
    await able.put("product", { name: "Malta grande" }, { id: second.id, changed: ["name"] });
    const { rows } = await service.deps.pool.query(
      sql`select record_id, field, lost from conflicts where account_id = ${shop.accountId}`,
    );
    expect(rows).toEqual([{ record_id: second.id, field: "barcodes", lost: '"7701"' }]);
  });
});
