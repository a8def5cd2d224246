import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { day } from "../../src/lib/clock.ts";
import { verifiedService } from "../support/fixtures.ts";
import { openPortal } from "../support/portal.ts";
import { productBody } from "../support/records.ts";
import { enrol, upload } from "../support/register.ts";
import { saleOf } from "../support/returning.ts";

const service = verifiedService();

test("what runs out is told of each sede by what is there and what sells there", async () => {
  const owner = await openPortal(service);
  const norte = (await owner.post("/locations", { name: "Norte" })).body.id as string;
  const product = productBody(new Date().toISOString(), { name: "Café" });
  const other = productBody(new Date().toISOString(), { name: "Pan" });
  for (const [location, stock] of [
    [owner.accountId, 1_000],
    [norte, 3],
  ] as const) {
    const till = await enrol(service, owner.accountId, { name: `Caja ${stock}` });
    await owner.put(`/devices/${till.deviceId}/location`, { location_id: location });
    const input = { name: "Bodega", location_id: location };
    const { body } = await owner.post("/warehouses", input, { "idempotency-key": randomUUID() });
    const yesterday = new Date(Date.now() - day).toISOString();
    const fields = { occurred_at: yesterday, created_at: yesterday, updated_at: yesterday };
    const sale = saleOf([{ product_id: product.id, quantity: 28, unit_price: 1_000 }], fields);
    const entered = { type: "in", origin_type: null, warehouse_id: body.id };
    await till.push([
      ...(stock === 3 ? [] : [product, other]).map((one) => ({ type: "product", id: one.id, data: upload(one) })),
      { type: "stock_movement", data: { ...entered, product_id: product.id, quantity: stock } },
      ...(stock === 3 ? [] : [{ type: "stock_movement", data: { ...entered, product_id: other.id, quantity: 2 } }]),
      { type: "sale", id: sale.id, data: upload(sale) },
    ]);
  }
  const of = (sede?: string) => (sede ? `?location_id=${sede}` : "");
  const soon = async (sede?: string) => (await owner.get(`/today${of(sede)}`)).body.running_out;
  expect(await soon(norte)).toEqual([{ id: product.id, name: "Café", stock: 3, days_left: 3 }]);
  expect(await soon(owner.accountId)).toEqual([]);
  expect(await soon()).toEqual([]);
  const low = async (sede?: string) => {
    const { body } = await owner.get(`/products${of(sede)}${sede ? "&" : "?"}stock=low`);
    return body.data.map(({ name, stock }: { name: string; stock: number }) => [name, stock]);
  };
  expect(await low(norte)).toEqual([["Café", 3]]);
  expect(await low(owner.accountId)).toEqual([["Pan", 2]]);
  expect((await owner.get(`/products/totals${of(norte)}`)).body).toMatchObject({ low: 1, out: 0 });
});
