import { expect, test } from "vitest";
import { readProduct } from "../../src/api/portal/catalog/read-product.ts";
import { orderingShop } from "../support/orders.ts";

const { service, shop, product, place, step } = orderingShop();

test("what accepted orders keep apart of a product is said beside its stock, until they end", async () => {
  const shown = async (locationIds: string[] | null = null) => {
    const { stock, reserved } = await readProduct(service.deps.pool, shop.accountId, product.id, locationIds);
    return { stock, reserved };
  };
  const order = await place();
  expect(await shown()).toEqual({ stock: 50, reserved: 0 });
  await step(order.id, "accepted");
  expect(await shown()).toEqual({ stock: 50, reserved: 2 });
  expect(await shown([shop.accountId])).toMatchObject({ reserved: 2 });
  expect(await shown([crypto.randomUUID()])).toMatchObject({ reserved: 0 });
  await shop.api.post(`/orders/${order.id}/cancel`, {});
  expect(await shown()).toEqual({ stock: 50, reserved: 0 });
});
