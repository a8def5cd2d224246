import { customers } from "../../src/business/customers/resource.ts";
import { products } from "../../src/business/products/resource.ts";
import { eventText } from "../../src/engine/events/record-event.ts";
import type { RecordBody, Resource } from "../../src/engine/resources/resource.ts";
import { day, second } from "../../src/lib/clock.ts";
import { customerBody, productBody, saleBody } from "../../test/support/records.ts";
import { type Family, type Model, placeholder } from "./fill.ts";

const things = ["Camiseta", "Pantalón", "Café", "Arepa", "Cuaderno", "Jabón", "Lámpara", "Taza", "Bolso", "Gorra"];
const traits = [
  ...["blanca", "negra", "azul", "verde", "roja", "gris", "grande", "pequeña", "doble", "sencilla"],
  ...["clásica", "suave", "fina", "liviana", "nueva", "fuerte", "corta", "larga", "mediana", "premium"],
];
const names = things.flatMap((thing) => traits.map((trait) => `${thing} ${trait}`));

const firstNames = ["María", "José", "Luis", "Ana", "Carlos", "Sofía", "Andrés", "Laura", "Luz", "Óscar"];
const lastNames = [
  ...["Gómez", "Rodríguez", "Martínez", "López", "Peña", "Muñoz", "Díaz", "Rojas", "Vargas", "Castro"],
  ...["Ortiz", "Silva", "Ramírez", "Torres", "Núñez", "Mejía", "Ríos", "Duarte", "Acosta", "Zapata"],
];

const own = { id: placeholder.id, created_at: placeholder.createdAt, updated_at: placeholder.updatedAt };

/** Only rows of the rare model match these. */
export const rareName = "Edición aniversario";
export const rareCustomer = "0198c5a2-7c1e-7000-8000-000000000001";

/** Two hundred names; one product in ten is inactive; every SKU is unique. */
export const manyProducts: Family = {
  table: "products",
  models: names.map((name, i) => productModel(name, i % 10 !== 0)),
  rare: productModel(rareName, true),
  columns: { active: "boolean", search: "text", search_keys: "int[]", search_bits: "bit(128)" },
  own: {
    updated_at: "changed",
    seq: "number + 1",
    feed_seq: "number + 1",
    skus: "array['SKU-' || number]",
  },
  gapMs: () => second,
};

function productModel(name: string, active: boolean): Model {
  const body = productBody("", { ...own, name, active, sku: `SKU-${placeholder.number}` });
  return {
    columns: (accountId) => derived(products, body, manyProducts.columns, accountId),
    body: JSON.stringify(body),
  };
}

function derived<B extends RecordBody, P extends object>(
  { derived }: Resource<B, P>,
  body: B,
  columns: object,
  accountId: string,
): Record<string, unknown> {
  return Object.fromEntries(Object.keys(columns).map((column) => [column, derived[column]!.from(body, accountId)]));
}

/**
 * Two hundred names; every document number is unique. The search keys and bits of its digits are computed in SQL by the
 * rules of src/engine/search/search-text.ts, so that searches find these rows.
 */
export const manyCustomers: Family = {
  table: "customers",
  models: firstNames.flatMap((name) => lastNames.map((last_name) => customerModel({ name, last_name }))),
  rare: customerModel({ name: rareName }),
  columns: { search: "text", search_keys: "int[]", search_bits: "bit(128)" },
  own: {
    updated_at: "changed",
    seq: "number + 1",
    feed_seq: "number + 1",
    document_number: "code",
    search: "model.search || E'\\x01' || code",
    search_keys: "model.search_keys || digit_keys($1::uuid, code)",
    search_bits: "model.search_bits | digit_bits(code)",
  },
  functions: `
    create or replace function digit_hash(seed bigint, run text) returns bigint language plpgsql immutable as $$
      declare hash bigint := seed;
      begin
        for i in 1..length(run) loop hash := ((hash # ascii(substr(run, i, 1))) * 16777619) & 4294967295; end loop;
        return hash;
      end $$;
    create or replace function digit_keys(account uuid, code text) returns int[] language plpgsql immutable as $$
      declare
        size int;
        seed bigint := ('x' || right(account::text, 8))::bit(32)::bigint;
        keys int[] := array[digit_hash(seed, right(code, 2))::bit(32)::int];
      begin
        foreach size in array array[3, 5] loop
          for i in 1..length(code) - size + 1 loop
            keys := keys || digit_hash(seed, substr(code, i, size))::bit(32)::int;
          end loop;
        end loop;
        return keys;
      end $$;
    create or replace function digit_bits(code text) returns bit(128) language plpgsql immutable as $$
      declare bits bit(128) := repeat('0', 128)::bit(128);
      begin
        for i in 1..length(code) - 1 loop
          bits := set_bit(bits, (digit_hash(2166136261, substr(code, i, 2)) % 128)::int, 1);
        end loop;
        return bits;
      end $$`,
  gapMs: () => second,
};

function customerModel(fields: { name: string; last_name?: string }): Model {
  const body = customerBody("", { ...own, ...fields, document_number: placeholder.code });
  const named = { ...body, document_number: null };
  return {
    columns: (accountId) => derived(customers, named, manyCustomers.columns, accountId),
    body: JSON.stringify(body),
  };
}

/** One sale in twenty is cancelled, one in fifty has an invoice; the rare ones belong to one customer. */
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
  const body = saleBody("", { ...own, ...columns, occurred_at: placeholder.createdAt } as object);
  return { columns: () => columns, body: JSON.stringify(body) };
}

/** The log covers 30 days: more events make it denser, not longer. */
export const manyEvents: Family = {
  table: "events",
  models: [eventModel("customer.created")],
  rare: eventModel("customer.updated"),
  columns: { type: "text" },
  own: { seq: "number + 1" },
  gapMs: (rows) => Math.floor((28 * day) / rows),
};

function eventModel(type: "customer.created" | "customer.updated"): Model {
  const objectText = JSON.stringify(customerBody("", own));
  return { columns: () => ({ type }), body: eventText({ ...placeholder, sequence: 1, type, objectText }) };
}
