import { randomUUID } from "node:crypto";
import { perTest, shopPerTest, verifiedService } from "./fixtures.ts";
import { ableToReturn, enrol, type Till, upload } from "./register.ts";
import { saleOf } from "./returning.ts";
import type { Business } from "./service.ts";

export const takesOrders = [...ableToReturn, "order.1"];

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as integrators would, without types
type Json = any;

/** For each test: a shop with a product in stock, and two registers that take orders. */
export function orderingShop() {
  const service = verifiedService();
  const shop = shopPerTest(service);
  const product = perTest(
    async () =>
      (await shop.api.post("/products", { name: "Gaseosa", base_price: 3200, sku: "GAS", initial_stock: 50 })).body,
  ) as Json;
  const till = perTest(() => enrol(service, shop.accountId, { capabilities: takesOrders }));
  const other = perTest(() => enrol(service, shop.accountId, { name: "Caja 2", capabilities: takesOrders }));

  async function place(fields: object = {}): Promise<Json> {
    const items = [{ product_id: product.id, quantity: 2 }];
    const answer = await shop.api.post("/orders", { items, ...fields });
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.body;
  }
  const read = async (id: string): Promise<Json> => (await shop.api.get(`/orders/${id}`)).body;
  const step = (id: string, status: string, at: Till = till, fields: object = {}) =>
    at.put("order", { id, status, ...fields });
  /** Sells what an order asks for, as a register does: with its order. */
  const sell = (order: Json, at: Till = till, fields: object = {}) => sellOrder(order, at, fields);
  const reserved = async (of = product.id): Promise<number> =>
    (await shop.api.get(`/inventory/levels?product_id=${of}`)).body.data.reduce(
      (sum: number, level: Json) => sum + level.reserved,
      0,
    );
  const events = (of: Business = shop) => orderEvents(of);
  return { service, shop, product, till, other, place, read, step, sell, reserved, events };
}

export async function sellOrder(order: Json, till: Till, fields: object = {}) {
  const lines = order.items.map(({ product_id, quantity, unit_price, discount }: Json) => ({
    ...{ product_id, quantity },
    unit_price: unit_price - discount,
  }));
  const sale = { ...saleOf(lines), id: randomUUID() };
  const data = { ...upload(sale), order_id: order.id, ...fields };
  const result = await till.put("sale", data);
  return { sale, result };
}

/** The types of the events about orders, oldest first, with the order each is about. */
export async function orderEvents({ api }: Business): Promise<string[]> {
  const { body } = await api.get("/events?order=asc&limit=100");
  return body.data.filter(({ type }: Json) => type.startsWith("order.")).map(({ type }: Json) => type);
}
