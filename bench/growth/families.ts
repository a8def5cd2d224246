import { eventText } from "../../src/events/record-event.ts";
import { day, second } from "../../src/lib/clock.ts";
import { products } from "../../src/products/store.ts";
import { customerBody, productBody, saleBody } from "../../test/support/records.ts";
import { type Family, gap, type Model } from "./fill.ts";

const things = ["Camiseta", "Pantalón", "Café", "Arepa", "Cuaderno", "Jabón", "Lámpara", "Taza", "Bolso", "Gorra"];
const traits = [
  ...["blanca", "negra", "azul", "verde", "roja", "gris", "grande", "pequeña", "doble", "sencilla"],
  ...["clásica", "suave", "fina", "liviana", "nueva", "fuerte", "corta", "larga", "mediana", "premium"],
];
const names = things.flatMap((thing) => traits.map((trait) => `${thing} ${trait}`));

const own = { id: gap.id, created_at: gap.createdAt, updated_at: gap.updatedAt };

/** What rows of the rare model alone are found by. */
export const rareName = "Edición aniversario";
export const rareCustomer = "0198c5a2-7c1e-7000-8000-000000000001";

/** Two hundred names; one product in ten is not active; every SKU is its own. */
export const manyProducts: Family = {
  table: "products",
  models: names.map((name, i) => productModel(name, i % 10 !== 0)),
  rare: productModel(rareName, true),
  columns: { active: "boolean", search: "text", search_keys: "int[]", search_bits: "bigint" },
  own: {
    updated_at: "changed",
    seq: "number + 1",
    feed_seq: "number + 1",
    skus: "array['SKU-' || number]",
  },
  gapMs: () => second,
};

function productModel(name: string, active: boolean): Model {
  const body = productBody("", { ...own, name, active, sku: `SKU-${gap.number}` });
  const columns = (accountId: string) => {
    const shared = Object.keys(manyProducts.columns);
    return Object.fromEntries(shared.map((column) => [column, products.derived[column]!.from(body, accountId)]));
  };
  return { columns, body: JSON.stringify(body) };
}

/** One sale in twenty is cancelled, one in fifty asks for an invoice; the rare ones are one customer's. */
export const manySales: Family = {
  table: "sales",
  models: Array.from({ length: 100 }, (_, i) =>
    saleModel(i % 20 === 0 ? "cancelled" : "completed", i % 50 === 1 ? "invoice" : "pos", null),
  ),
  rare: saleModel("completed", "pos", rareCustomer),
  columns: { status: "text", document_kind: "text", customer_id: "uuid" },
  own: { updated_at: "changed", seq: "number + 1", occurred_at: "at" },
  gapMs: () => second,
};

function saleModel(status: string, kind: string, customer: string | null): Model {
  const columns = { status, document_kind: kind, customer_id: customer };
  const body = saleBody("", { ...own, ...columns, occurred_at: gap.createdAt } as object);
  return { columns: () => columns, body: JSON.stringify(body) };
}

/** The log is kept for 30 days: with more events it gets denser, not longer. */
export const manyEvents: Family = {
  table: "events",
  models: [eventModel("customer.created")],
  rare: eventModel("customer.updated"),
  columns: { type: "text" },
  own: { seq: "number + 1" },
  gapMs: (rows) => Math.floor((28 * day) / rows),
};

function eventModel(type: "customer.created" | "customer.updated"): Model {
  const object = JSON.stringify(customerBody("", own));
  const text = eventText(gap.id, type, new Date(0), object);
  return { columns: () => ({ type }), body: text.replace(new Date(0).toISOString(), gap.createdAt) };
}
