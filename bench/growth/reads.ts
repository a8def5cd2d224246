import { encodeCursor } from "../../src/lib/cursor.ts";
import { benchSecretKey } from "../support/dataset.ts";
import { manyCustomers, manyEvents, manyProducts, manySales, rareCustomer, rareName } from "./families.ts";
import { codeOf, type Family, type FilledShop } from "./fill.ts";

/** A filled account, with a sample of its records, evenly spread over its history. */
export interface ReadShop extends FilledShop {
  sample: { id: string; created_at: Date; number: number }[];
}

/** One measured read. `turn` counts the requests, so that they ask for different records. */
export interface GrowthRead {
  name: string;
  path(shop: ReadShop, turn: number): string;
  /** Measured only up to its first bytes. */
  firstByteOnly?: true;
}

export interface ReadFamily {
  family: Family;
  reads: GrowthRead[];
}

const products: ReadFamily = {
  family: manyProducts,
  reads: [
    one("products"),
    page("products"),
    // A cursor is valid for its filters only, including those that validation fills in.
    deep("products", '{"include_deleted":false}'),
    page("products", "active=false", () => "active=false"),
    page("products", "sku", (shop, turn) => `sku=SKU-${sampled(shop, turn).number}`),
    page("products", "q that 1 in 10 match", () => "q=camiseta"),
    page("products", "q of two letters", () => "q=ca"),
    page("products", "q that 1 in 200 match", () => "q=camiseta+negra"),
    page("products", "q that 30 match", () => `q=${encodeURIComponent(rareName)}`),
    page("products", "updated_since, 100 changed", changedSince),
    page("products", "updated_since, half of all", (shop) => `updated_since=${middle(shop)}`),
    page("products", "created_since and _until, 5 min", (shop) => window(shop, "created")),
  ],
};

const customers: ReadFamily = {
  family: manyCustomers,
  reads: [
    page("customers"),
    page("customers", "document_number", (shop, turn) => `document_number=${code(shop, turn)}`),
    page("customers", "q of a document number", (shop, turn) => `q=${code(shop, turn)}`),
    page("customers", "q of six digits", (shop, turn) => `q=${code(shop, turn).slice(3, 9)}`),
    page("customers", "q of a name that 1 in 200 have", () => "q=luz+rojas"),
    page("customers", "q of a name that 30 have", () => `q=${encodeURIComponent(rareName)}`),
    // Two letters of that name, and of no other.
    page("customers", "q of two letters that 30 have", () => "q=iv"),
  ],
};

const sales: ReadFamily = {
  family: manySales,
  reads: [
    one("sales"),
    page("sales"),
    deep("sales", "{}"),
    page("sales", "status, 1 in 20", () => "status=cancelled"),
    page("sales", "document_kind, 1 in 50", () => "document_kind=invoice"),
    page("sales", "customer_id with 30", () => `customer_id=${rareCustomer}`),
    page("sales", "created_since and _until, 5 min", (shop) => window(shop, "created")),
    page("sales", "occurred_since and _until, 5 min", (shop) => window(shop, "occurred")),
    page("sales", "updated_since, 100 changed", changedSince),
    page("sales", "updated_since, half of all", (shop) => `updated_since=${middle(shop)}`),
    { name: "GET /exports/sales, first bytes", path: () => "/public/v1/exports/sales", firstByteOnly: true },
  ],
};

const events: ReadFamily = {
  family: manyEvents,
  reads: [
    one("events"),
    page("events"),
    deep("events", '{"order":"desc"}'),
    page("events", "type with 30", () => "type=customer.updated"),
    page("events", "order=asc, from the oldest", () => "order=asc"),
    page("events", "order=asc, created_since the middle", (shop) => `order=asc&created_since=${middle(shop)}`),
  ],
};

export const readFamilies: readonly ReadFamily[] = [products, customers, sales, events];

function one(list: string): GrowthRead {
  return {
    name: `GET /${list}/{id}`,
    path: (shop, turn) => `/public/v1/${list}/${sampled(shop, turn).id}`,
  };
}

function page(list: string, filter = "", query?: (shop: ReadShop, turn: number) => string): GrowthRead {
  return {
    name: `GET /${list}, ${filter || "first page"}`,
    path: (shop, turn) => `/public/v1/${list}${query ? `?${query(shop, turn)}` : ""}`,
  };
}

/** A page anywhere in the list, with the cursor that a client would have there. */
function deep(list: string, filters: string): GrowthRead {
  const route = `/public/v1/${list}`;
  return {
    name: `GET /${list}, deep page`,
    path(shop, turn) {
      const { id, created_at } = sampled(shop, turn);
      const scope = { key: benchSecretKey, route, accountId: shop.accountId, filters };
      return `${route}?starting_after=${encodeCursor({ createdAt: created_at, id }, scope)}`;
    },
  };
}

function sampled({ sample }: ReadShop, turn: number): ReadShop["sample"][number] {
  return sample[turn % sample.length]!;
}

function code(shop: ReadShop, turn: number): string {
  return codeOf(sampled(shop, turn).number);
}

function changedSince({ newest }: FilledShop): string {
  return `updated_since=${newest.toISOString()}`;
}

function middle(shop: FilledShop): string {
  return shop.instantOf(Math.floor(shop.rows / 2)).toISOString();
}

function window(shop: FilledShop, column: "created" | "occurred"): string {
  const from = new Date(middle(shop));
  const until = new Date(from.getTime() + 5 * 60_000);
  return `${column}_since=${from.toISOString()}&${column}_until=${until.toISOString()}`;
}
