import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { shopPerTest, verifiedService } from "../support/fixtures.ts";
import { refusal, refused } from "../support/refusal.ts";

const service = verifiedService();
const shop = shopPerTest(service);

type Result = { status: number; record?: { id: string; name: string }; error?: { code: string; param?: string } };
const batch = async (path: string, items: unknown, key = randomUUID()) =>
  shop.api.post(`${path}/batch`, { items }, { "idempotency-key": key });
const outline = ({ results }: { results: Result[] }) =>
  results.map(({ status, record, error }) => [status, record?.name ?? error?.code, error?.param]);

describe("POST /customers/batch", () => {
  test("creates each item that can be, in order, and says of the others why not", async () => {
    const items = [
      { name: "Ana", external_id: "1" },
      { name: "" },
      { name: "Eva", external_id: "1" },
      7,
      { name: "Luz" },
    ];
    const { status, body } = await batch("/customers", items);
    expect(status).toBe(200);
    expect(outline(body)).toEqual([
      [201, "Ana", undefined],
      [400, "VALIDATION_ERROR", "name"],
      [409, "CONFLICT", "external_id"],
      [400, "VALIDATION_ERROR", "items"],
      [201, "Luz", undefined],
    ]);
    const { data } = (await shop.api.get("/customers")).body;
    expect(data).toEqual([body.results[4].record, body.results[0].record]);
    const events = (await shop.api.get("/events?order=asc")).body.data;
    expect(events.map((event: { data: { object: object } }) => event.data.object)).toEqual(data.toReversed());
  });

  test("answers a repeated call with the same bytes, and creates nothing more", async () => {
    const key = randomUUID();
    const first = await batch("/customers", [{ name: "Ana" }, { name: "" }], key);
    const again = await batch("/customers", [{ name: "Ana" }, { name: "" }], key);
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(refusal(await batch("/customers", [{ name: "Eva" }], key))).toEqual([
      422,
      "IDEMPOTENCY_KEY_REUSED",
      "Idempotency-Key",
    ]);
    expect((await shop.api.get("/customers")).body.data).toHaveLength(1);
  });

  test("is done once when it is sent several times at once", async () => {
    const key = randomUUID();
    const items = Array.from({ length: 100 }, (_, i) => ({ name: `Cliente ${i}` }));
    const answers = await Promise.all([1, 2, 3].map(() => batch("/customers", items, key)));
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    const { rows } = await service.deps.pool.query(
      sql`select count(*)::int as count from customers where account_id = ${shop.accountId}`,
    );
    expect(rows).toEqual([{ count: 100 }]);
  });

  test.each([
    ["no list", "texto", "items"],
    ["an empty list", [], "items"],
    ["more than 100", Array.from({ length: 101 }, () => ({ name: "Ana" })), "items"],
  ])("refuses %s", async (_, items, param) => {
    expect(refusal(await batch("/customers", items))).toEqual(refused(param));
    expect(refusal(await shop.api.post("/customers/batch", {}))).toEqual(refused("items"));
  });

  test("needs a key, and takes no more than 256 KiB", async () => {
    const withoutKey = await shop.api.send("POST", "/customers/batch", {}, '{"items":[{"name":"Ana"}]}');
    expect(withoutKey.status).toBe(400);
    const items = Array.from({ length: 100 }, () => ({ name: "Ana", metadata: { a: "x".repeat(2700) } }));
    expect((await batch("/customers", items)).status).toBe(413);
  });
});

describe("POST /products/batch", () => {
  test("a code is taken for the items after the one that has it, and stock comes in once", async () => {
    await shop.api.post("/products", { name: "Sal", base_price: 900, sku: "S" });
    const { body } = await shop.api.post("/products/batch", {
      items: [
        { name: "Pan", base_price: 800, sku: "P", initial_stock: 5 },
        { name: "Pan dulce", base_price: 800, variants: [{ label: "Grande", sku: "P" }] },
        { name: "Sal fina", base_price: 800, sku: "S" },
        { name: "Leche", base_price: 4000, category_id: randomUUID() },
        { name: "Caro", base_price: 800, final_price: 900 },
        { name: "Queso", base_price: 9000, barcodes: [{ code: "Q" }], initial_stock: 2 },
      ],
    });
    expect(outline(body)).toEqual([
      [201, "Pan", undefined],
      [409, "SKU_ALREADY_EXISTS", "sku"],
      [409, "SKU_ALREADY_EXISTS", "sku"],
      [404, "NOT_FOUND", "category_id"],
      [400, "VALIDATION_ERROR", "final_price"],
      [201, "Queso", undefined],
    ]);
    expect((await shop.api.get("/inventory/movements")).body.data).toHaveLength(2);
    expect((await shop.api.get(`/products/${body.results[0].record.id}`)).body).toEqual(body.results[0].record);
  });

  test("a refused item leaves its external id to the others", async () => {
    const { body } = await batch("/products", [
      { name: "Pan", base_price: 800, sku: "P" },
      { name: "Roscón", base_price: 800, sku: "P", external_id: "x" },
      { name: "Roscón", base_price: 800, external_id: "x" },
    ]);
    expect(outline(body).map(([status]) => status)).toEqual([201, 409, 201]);
  });
});
