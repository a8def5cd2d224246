import { expect, test } from "vitest";
import { sharedService, sharedShop } from "../support/fixtures.ts";

const service = sharedService();
const shop = sharedShop(service);

test.each([
  ["true", ["Viva"]],
  ["True", ["Viva"]],
  ["TRUE", ["Viva"]],
  ["1", ["Viva"]],
  ["false", ["Inactiva"]],
  ["False", ["Inactiva"]],
  ["0", ["Inactiva"]],
])("a filter takes %s as a client of some language writes it", async (text, names) => {
  for (const [name, active] of [
    ["Viva", true],
    ["Inactiva", false],
  ] as const) {
    const { body } = await shop.api.get(`/products?q=${name}`);
    if (body.data.length === 0) await shop.api.post("/products", { name, base_price: 100, active });
  }
  const { status, body } = await shop.api.get(`/products?active=${text}`);
  expect([status, body.data.map((one: { name: string }) => one.name)]).toEqual([200, names]);
});

test("a cursor goes on with the same filter in another spelling", async () => {
  for (const name of ["Uno", "Dos"]) await shop.api.post("/products", { name, base_price: 100 });
  const first = await shop.api.get("/products?active=true&limit=1");
  const next = await shop.api.get(`/products?active=1&limit=1&starting_after=${first.body.next_cursor}`);
  expect(next.status).toBe(200);
});
