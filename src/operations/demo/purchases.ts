import type { Product } from "../../business/products/schema.ts";
import type { NewPurchase } from "../../business/purchases/new-purchase.ts";
import { createPurchase } from "../../business/purchases/operations.ts";
import { receivePurchase } from "../../business/purchases/receive.ts";
import { purchases } from "../../business/purchases/resource.ts";
import { createSupplier } from "../../business/suppliers/operations.ts";
import type { NewSupplier } from "../../business/suppliers/schema.ts";
import { type WritingDeps, writing } from "../../engine/writing/writing.ts";
import { day } from "../../lib/clock.ts";
import { must } from "../../lib/must.ts";
import { bogotaDate } from "../../taxes/bogota-time.ts";
import type { Shop } from "./shop.ts";

const suppliers: NewSupplier[] = [
  {
    ...{ name: "Distribuidora La Sabana S.A.S.", document_number: "900373923-8", contact_name: "Jorge Prieto" },
    ...{ email: "pedidos@lasabana.example", phone: "604 555 0140", term_days: 30 },
  },
  {
    ...{ name: "Panificadora El Trigal", document_type: "CC", document_number: "43123987", phone: "312 555 0141" },
    notes: "Pasa los martes y los viernes temprano.",
  },
];

interface Bought {
  supplier: number;
  /** The products at these places, in boxes of so many. */
  wanted: [at: number, boxes: number, of: number][];
  daysAgo: number;
  fields?: Partial<NewPurchase>;
  /** Of the first line, what came; all of everything unless given. Nothing where it is null. */
  came?: number | null;
}

/** What somebody who opens Compras for the first time sees: one that is here and owed, one that came in part, one to be sent. */
const examples: Bought[] = [
  {
    ...{ supplier: 0, daysAgo: 9, fields: { invoice_number: "FV-20418" } },
    wanted: [
      [1, 4, 24],
      [4, 2, 12],
    ],
  },
  { supplier: 0, daysAgo: 2, wanted: [[2, 6, 12]], came: 4, fields: { invoice_number: "FV-20517" } },
  {
    ...{ supplier: 1, daysAgo: 0, came: null },
    wanted: [
      [0, 20, 1],
      [3, 10, 1],
    ],
    fields: { notes: "Para el viernes." },
  },
];

/** Two suppliers and three purchases, made and received like any others. */
export async function buySome(deps: WritingDeps, accountId: string, shop: Shop): Promise<void> {
  const goods = [...shop.products.values()].map(({ body }) => body).filter(isBought);
  const made: string[] = [];
  for (const supplier of suppliers)
    made.push((await writing(deps, accountId, (write) => createSupplier(write, supplier))).id);
  for (const { supplier, wanted, daysAgo, fields, came } of examples) {
    const purchase = await writing(deps, accountId, (write) => {
      const invoice_date = bogotaDate(new Date(write.at.getTime() - daysAgo * day));
      const lines = wanted.map(([at, boxes, of]) =>
        lineOf(must(goods[at % goods.length], "The demo has products"), boxes, of),
      );
      return createPurchase(write, {
        supplier_id: must(made[supplier], "The demo has suppliers"),
        lines,
        status: came === null ? "draft" : "ordered",
        ...(fields?.invoice_number !== undefined && { invoice_date }),
        ...fields,
      });
    });
    if (came === null) continue;
    await writing(deps, accountId, async (write) => {
      const current = must(await write.load(purchases, purchase.id), "It was just made");
      const [first] = purchase.lines;
      const part = came === undefined || !first ? {} : { lines: [{ line_id: first.id, quantity: came }] };
      await receivePurchase(write, current, part);
    });
  }
}

const isBought = (product: Product) =>
  product.base_unit === "und" &&
  product.variants.length === 0 &&
  product.kind === "simple" &&
  product.final_price > 500;

/** About what the shop pays: two thirds of its price without taxes. */
function lineOf({ id, final_price }: Product, boxes: number, of: number) {
  const unit_cost = Math.round((final_price * 0.55) / 50) * 50 * of;
  const unit = of === 1 ? {} : { unit: `Caja x${of}`, factor: of };
  return { product_id: id, quantity: boxes, unit_cost, ...unit, taxes: [{ code: "01" as const, rate: 19 }] };
}
