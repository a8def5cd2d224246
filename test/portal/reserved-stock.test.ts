import { expect, test } from "vitest";
import { readProduct } from "../../src/api/portal/catalog/read-product.ts";
import { orderingShop } from "../support/orders.ts";
import { openAgain } from "../support/portal.ts";

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

test("Inventario and its file say what is there, what orders keep apart of it and what is left", async () => {
  const portal = await openAgain(service, shop, "");
  const { body: melon } = await shop.api.post("/products", {
    ...{ name: "Melón", base_price: 2000, base_unit: "kg", sold_by_weight: true, initial_stock: 3 },
  });
  const order = await place({
    items: [
      { product_id: product.id, quantity: 2 },
      { product_id: melon.id, quantity: 0.7 },
    ],
  });
  const shown = async (query = "") =>
    (await portal.get(`/products?counted=true${query}`)).body.data.map(
      ({ name, stock, reserved }: { name: string; stock: number; reserved: number }) => [name, stock, reserved],
    );
  expect(await shown()).toEqual([
    ["Gaseosa", 50, 0],
    ["Melón", 3, 0],
  ]);
  await step(order.id, "accepted");
  const kept = [
    ["Gaseosa", 50, 2],
    ["Melón", 3, 0.7],
  ];
  expect(await shown()).toEqual(kept);
  const [level] = (await shop.api.get(`/inventory/levels?product_id=${product.id}`)).body.data;
  expect(await shown(`&warehouse_id=${level.warehouse_id}`)).toEqual(kept);
  const second = (await portal.post("/locations", { name: "Segunda" })).body.id;
  expect((await shown(`&location_id=${second}`)).map(([, , reserved]: number[]) => reserved)).toEqual([0, 0]);
  const file = (await portal.download("/tables/inventory.csv")).bytes.toString("utf8");
  const [head = "", ...rows] = file.trim().split(/\r?\n/);
  expect(head).toContain("Existencias;En pedidos;Disponible");
  expect(rows.map((row) => row.split(";").slice(3, 6))).toEqual([
    ["50", "2", "48"],
    ["3", `"0,7"`, `"2,3"`],
  ]);
  await shop.api.post(`/orders/${order.id}/cancel`, {});
  expect((await shown()).map(([, , reserved]: number[]) => reserved)).toEqual([0, 0]);
});
