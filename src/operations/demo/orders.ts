import { moveOrder } from "../../business/orders/move-order.ts";
import type { NewOrder } from "../../business/orders/new-order.ts";
import { createOrder } from "../../business/orders/operations.ts";
import { orders } from "../../business/orders/resource.ts";
import type { OrderStatus } from "../../business/orders/states.ts";
import type { Product } from "../../business/products/schema.ts";
import type { Write } from "../../engine/writing/write.ts";
import { type WritingDeps, writing } from "../../engine/writing/writing.ts";
import { minute } from "../../lib/clock.ts";
import { must } from "../../lib/must.ts";
import type { Shop } from "./shop.ts";

interface Demo {
  deps: WritingDeps;
  accountId: string;
  shop: Shop;
  moveTo: (instant: number) => void;
  /** Sells one of a product for an order; returns the sale's id. */
  sellOne: (write: Write, product: Product, orderId: string) => string;
}

interface Example {
  /** Before now. */
  minutesAgo: number;
  source: string;
  name: string;
  phone: string;
  /** How many of the product at this place. */
  wanted: [at: number, quantity: number, notes?: string][];
  fields?: Partial<NewOrder>;
  steps: [to: OrderStatus, details?: { minutes?: number; reason?: string }][];
}

/** What somebody who opens Pedidos for the first time sees: two that wait, one that is being made, one that is ready, three that are over. */
const examples: Example[] = [
  {
    ...{ minutesAgo: 120, source: "Tienda web", name: "Gloria Inés Arango", phone: "315 555 0100" },
    ...{ wanted: [[1, 1]], steps: [["accepted", { minutes: 15 }], ["ready"], ["completed"]] },
  },
  {
    ...{ minutesAgo: 95, source: "Tienda web", name: "Hernán Castaño", phone: "310 555 0101" },
    ...{ wanted: [[0, 1]], steps: [["rejected", { reason: "No alcanzamos a tiempo" }]] },
  },
  {
    ...{ minutesAgo: 50, source: "Domicilios del barrio", name: "Paola Restrepo", phone: "311 555 0102" },
    ...{ wanted: [[6, 1]], steps: [["cancelled", { reason: "Se arrepintió" }]] },
  },
  {
    ...{ minutesAgo: 31, source: "Tienda web", name: "Julián Ossa", phone: "312 555 0103" },
    wanted: [
      [1, 2],
      [4, 1],
    ],
    fields: { payment: { status: "paid", method: "CARD", reference: "AP-4471" } },
    steps: [["accepted", { minutes: 20 }], ["ready"]],
  },
  {
    ...{ minutesAgo: 14, source: "Domicilios del barrio", name: "María Fernanda Gómez", phone: "300 555 0104" },
    wanted: [
      [2, 3],
      [5, 1, "Bien fría"],
      [8, 2],
    ],
    fields: {
      fulfilment: { type: "delivery", address: "Cra 47 # 10-18, apto 302", notes: "Timbrar en portería" },
      delivery_fee: 4_000,
    },
    steps: [["accepted", { minutes: 30 }]],
  },
  {
    ...{ minutesAgo: 5, source: "Tienda web", name: "Andrés Felipe Mejía", phone: "313 555 0105" },
    wanted: [
      [3, 1],
      [7, 6],
    ],
    fields: { notes: "Paso a las seis, si pueden tenerlo en una bolsa." },
    steps: [],
  },
  {
    ...{ minutesAgo: 2, source: "Código QR de la mesa", name: "Luisa", phone: "314 555 0106" },
    wanted: [
      [5, 2, "Sin gas"],
      [9, 1],
    ],
    fields: { fulfilment: { type: "dine_in", table: "Mesa 2" } },
    steps: [],
  },
];

/** The orders of the last hour, placed and moved on like any others. */
export async function orderSome({ deps, accountId, shop, moveTo, sellOne }: Demo, now: Date): Promise<void> {
  const onSale = [...shop.products.values()].map(({ body }) => body).filter(isOrdered);
  for (const { minutesAgo, source, name, phone, wanted, fields, steps } of examples) {
    moveTo(now.getTime() - minutesAgo * minute);
    const productAt = (at: number) => must(onSale[at % onSale.length], "The demo has products");
    const items = wanted.map(([at, quantity, notes]) => ({
      product_id: productAt(at).id,
      quantity,
      ...(notes && { notes }),
    }));
    const { id } = await writing(deps, accountId, (write) =>
      createOrder(write, { source, contact: { name, phone }, items, ...fields }, { keyName: source }),
    );
    for (const [to, details = {}] of steps)
      await writing(deps, accountId, async (write) => {
        const order = must(await write.load(orders, id), "It was just placed");
        write.placeAt(accountId);
        const sold = to === "completed" && { saleId: sellOne(write, productAt(wanted[0]![0]), id) };
        await moveOrder(write, order, to, { ...details, ...sold });
      });
  }
}

const isOrdered = (product: Product) =>
  product.base_unit === "und" && product.final_price > 500 && product.variants.length === 0 && product.sellable;
