import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { shopPerTest, verifiedService } from "../support/fixtures.ts";
import { newProduct } from "../support/product.ts";
import { refusal, refused } from "../support/refusal.ts";

const service = verifiedService();
const shop = shopPerTest(service);
const stranger = shopPerTest(service);

describe("GET /me", () => {
  test("tells a key of any permission what it is and may do", async () => {
    const expiresAt = new Date(Date.now() + 86_400_000);
    const { key, keyId } = await service.key(shop.accountId, { scopes: ["quotes:read"], expiresAt });
    const me = await service.client({ authorization: `Bearer ${key}` }).get("/me");
    expect(me.body).toMatchObject({
      object: "api_key",
      id: keyId,
      environment: "test",
      scopes: ["quotes:read"],
      expires_at: expiresAt.toISOString(),
      account: { id: shop.accountId, plan: "pro" },
      limits: { body_bytes: 262_144, batch_items: 100 },
    });
    expect(me.body.account.name).not.toBe("");
  });

  test("is 304 while nothing changed", async () => {
    const etag = (await shop.api.get("/me")).headers.get("etag") ?? "";
    expect((await shop.api.get("/me", { "if-none-match": etag })).status).toBe(304);
  });
});

describe("GET /inventory/levels", () => {
  const levels = async (query = "", of = shop) => (await of.api.get(`/inventory/levels${query}`)).body;

  test("has what each product has in each warehouse, the newest product first", async () => {
    await shop.api.post("/warehouses", { name: "Norte" });
    const { body: other } = await shop.api.post("/warehouses", { name: "Sur" });
    const pan = await newProduct(shop.api, { name: "Pan", initial_stock: 5 });
    const [first] = (await levels()).data;
    const sal = await newProduct(shop.api, { name: "Sal", base_unit: "kg" });
    await shop.api.post("/inventory/movements", { product_id: sal.id, type: "out", quantity: 1.25 });
    await shop.api.post("/inventory/movements", {
      product_id: pan.id,
      type: "in",
      quantity: 2,
      warehouse_id: other.id,
    });
    await newProduct(stranger.api, { name: "Ajeno", initial_stock: 9 });
    const { data, has_more, next_cursor } = await levels();
    const main = first.warehouse_id;
    const level = (product_id: string, warehouse_id: string, quantity: number) => ({
      object: "stock_level",
      product_id,
      variant_id: null,
      warehouse_id,
      quantity,
      reserved: 0,
    });
    expect(data[0]).toEqual(level(sal.id, main, -1.25));
    expect(data.slice(1)).toHaveLength(2);
    expect(data).toEqual(expect.arrayContaining([level(pan.id, main, 5), level(pan.id, other.id, 2)]));
    expect([has_more, next_cursor]).toEqual([false, null]);
    expect((await levels(`?warehouse_id=${other.id}`)).data).toEqual([level(pan.id, other.id, 2)]);
    expect((await levels(`?product_id=${sal.id}`)).data).toEqual([level(sal.id, main, -1.25)]);
    expect((await levels(`?product_id=${randomUUID()}`)).data).toEqual([]);
  });

  test("its pages together are the whole list", async () => {
    for (let i = 0; i < 5; i++) await newProduct(shop.api, { name: `Pan ${i}`, initial_stock: i + 1 });
    const whole = (await levels("?limit=100")).data;
    expect(whole).toHaveLength(5);
    const read: unknown[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page: { data: unknown[]; next_cursor: string | null } = await levels(
        `?limit=2${cursor && `&starting_after=${cursor}`}`,
      );
      read.push(...page.data);
      cursor = page.next_cursor;
    }
    expect(read).toEqual(whole);
  });

  test("a cursor of another list, filter or account is refused, and so is a wrong filter", async () => {
    for (const one of [shop, stranger])
      for (let i = 0; i < 2; i++) await newProduct(one.api, { name: `Pan ${i}`, initial_stock: 1 });
    const { next_cursor } = await levels("?limit=1");
    const foreign = (await levels("?limit=1", stranger)).next_cursor;
    const ofProducts = (await shop.api.get("/products?limit=1")).body.next_cursor;
    const refusals = [
      `?limit=1&starting_after=${foreign}`,
      `?limit=1&starting_after=${ofProducts}`,
      `?limit=1&starting_after=${next_cursor}x`,
      `?limit=1&product_id=${randomUUID()}&starting_after=${next_cursor}`,
    ];
    for (const query of refusals)
      expect(refusal(await shop.api.get(`/inventory/levels${query}`))).toEqual([
        400,
        "INVALID_CURSOR",
        "starting_after",
      ]);
    expect(refusal(await shop.api.get("/inventory/levels?warehouse_id=7"))).toEqual(refused("warehouse_id"));
    expect(refusal(await shop.api.get("/inventory/levels?created_since=2026-01-01T00:00:00Z"))).toEqual(
      refused("created_since"),
    );
  });
});
