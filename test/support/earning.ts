import { randomUUID } from "node:crypto";
import type { Portal } from "./portal.ts";
import { openPortal } from "./portal.ts";
import { movementBody, productBody, saleBody, saleItemBody } from "./records.ts";
import { ableToReturn, enrol, type Record, type Till, upload } from "./register.ts";
import type { Service } from "./service.ts";

const start = Date.now() - 20 * 86_400_000;

/** An instant of the past, so many minutes after the first. */
export const minute = (n: number): string => new Date(start + n * 60_000).toISOString();

/** A business whose registers say when they did what. */
export interface EarningShop {
  owner: Portal;
  tills: [Till, Till];
  warehouses: [string, string];
}

export async function openEarning(service: Service): Promise<EarningShop> {
  const owner = await openPortal(service);
  const options = { capabilities: ableToReturn };
  const tills: [Till, Till] = [
    await enrol(service, owner.accountId, { name: "Caja 1", ...options }),
    await enrol(service, owner.accountId, { name: "Caja 2", ...options }),
  ];
  const warehouse = async (name: string) => (await owner.business.api.post("/warehouses", { name })).body.id as string;
  return { owner, tills, warehouses: [await warehouse("Principal"), await warehouse("Bodega")] };
}

export const aProduct = (fields: object = {}) => upload(productBody(minute(0), fields));

export function productRecord(product: { id: string }): Record {
  return { type: "product", id: product.id, data: product, edited_at: minute(0) };
}

/** What a register uploads of goods that came in, or were counted, at a minute. */
export function moved(productId: string, n: number, fields: object): Record {
  const data = upload(
    movementBody(minute(n), {
      ...{ product_id: productId, type: "in", origin_type: null, sale_id: null, unit_cost: null },
      ...fields,
    }),
  );
  return { type: "stock_movement", id: data.id, data, edited_at: minute(n) };
}

/** What a register uploads of a sale without taxes at a minute: the sale, and what it took out of the stock. */
export function sold(lines: readonly { product: string; quantity: number; price: number }[], n: number, fields = {}) {
  const items = lines.map(({ product, quantity, price }) =>
    saleItemBody({
      ...{ product_id: product, quantity, unit_price: price, subtotal: Math.round(quantity * price) },
      ...{ unit_cost: null, tax_class: "excluded", taxes: [] },
    }),
  );
  const total = items.reduce((sum, { subtotal }) => sum + subtotal, 0);
  const data = upload(
    saleBody(minute(n), {
      ...{ items, subtotal: total, total, tax: 0, tax_breakdown: [], occurred_at: minute(n), discount: 0 },
      ...fields,
    }),
  );
  const records: Record[] = [
    { type: "sale", id: data.id, data, edited_at: minute(n) },
    ...lines.map(({ product, quantity }) =>
      moved(product, n, { type: "sale", quantity, origin_type: "sale", sale_id: data.id }),
    ),
  ];
  return { id: data.id, items, records };
}

/** What a register uploads of a return of a sale's first line. */
export function broughtBack(saleId: string, itemId: string, quantity: number, n: number, fields = {}): Record {
  const data = {
    ...fields,
    sale_id: saleId,
    lines: [{ item_id: itemId, quantity }],
    payment_method: "CASH",
    occurred_at: minute(n),
  };
  return { type: "return", id: randomUUID(), data, edited_at: minute(n) };
}

export async function push(till: Till, records: readonly Record[]): Promise<void> {
  const { status, body, ...answer } = await till.push([...records]);
  if (status !== 200) throw new Error(`push failed: ${JSON.stringify({ body, answer })}`);
  const odd = body.results.find((one: { status: string }) => !["applied", "merged", "parked"].includes(one.status));
  if (odd) throw new Error(`not stored: ${JSON.stringify(odd)}`);
}
