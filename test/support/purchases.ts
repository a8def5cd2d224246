import type { Answer } from "./client.ts";
import { perTest, shopPerTest, verifiedService } from "./fixtures.ts";
import type { Business } from "./service.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as integrators would, without types
export type Json = any;

/** For each test: a shop with a supplier and two products, one of which comes in boxes. */
export function buyingShop() {
  const service = verifiedService();
  const shop = shopPerTest(service);
  const supplier = perTest(
    async () => (await shop.api.post("/suppliers", { name: "La Sabana", term_days: 30 })).body,
  ) as Json;
  const soda = perTest(
    async () =>
      (
        await shop.api.post("/products", {
          name: "Gaseosa",
          base_price: 3200,
          sku: "GAS",
          barcodes: [{ code: "17702535011086", units: 24 }],
        })
      ).body,
  ) as Json;
  const rice = perTest(
    async () => (await shop.api.post("/products", { name: "Arroz", base_price: 4200, base_unit: "kg" })).body,
  ) as Json;

  const buy = (lines: readonly object[], fields: object = {}): Promise<Answer> =>
    shop.api.post("/purchases", { supplier_id: supplier.id, lines, ...fields });
  async function bought(lines: readonly object[], fields: object = {}): Promise<Json> {
    const answer = await buy(lines, fields);
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.body;
  }
  const receive = (purchase: Json, body: object = {}, key?: string): Promise<Answer> =>
    shop.api.post(`/purchases/${purchase.id}/receipts`, body, key === undefined ? {} : { "idempotency-key": key });
  async function received(purchase: Json, body: object = {}): Promise<Json> {
    const answer = await receive(purchase, body);
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.body;
  }
  return { service, shop, supplier, soda, rice, buy, bought, receive, received, ...readingOf(shop) };
}

function readingOf(shop: Business) {
  const stockOf = async (product: Json): Promise<number> =>
    (await shop.api.get(`/inventory/levels?product_id=${product.id}`)).body.data.reduce(
      (sum: number, level: Json) => sum + level.quantity,
      0,
    );
  const movementsOf = async (product: Json): Promise<Json[]> =>
    (await shop.api.get(`/inventory/movements?product_id=${product.id}&limit=100`)).body.data.reverse();
  const eventTypes = async (): Promise<string[]> =>
    (await shop.api.get("/events?order=asc&limit=100")).body.data.map(({ type }: Json) => type);
  return { stockOf, movementsOf, eventTypes };
}
