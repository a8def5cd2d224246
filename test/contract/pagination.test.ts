import { afterAll, beforeAll, expect, test } from "vitest";
import { cashSessions } from "../../src/business/cash-sessions/resource.ts";
import { categories } from "../../src/business/categories/resource.ts";
import { customers } from "../../src/business/customers/resource.ts";
import { newEntry, stockMovements, warehouses } from "../../src/business/inventory/resource.ts";
import { invoices } from "../../src/business/invoices/resource.ts";
import { newLedger } from "../../src/business/products/ledger.ts";
import { products } from "../../src/business/products/resource.ts";
import { quotes } from "../../src/business/quotes/resource.ts";
import { sales } from "../../src/business/sales/resource.ts";
import type { RecordBody, Resource, Stored } from "../../src/engine/resources/resource.ts";
import { writing } from "../../src/engine/writing/writing.ts";
import { type ListUnderTest, passesPagination } from "../suites/pagination.ts";
import {
  cashSessionBody,
  categoryBody,
  change,
  customerBody,
  invoiceBody,
  movementBody,
  productBody,
  quoteBody,
  remove,
  saleBody,
  store,
  warehouseBody,
} from "../support/records.ts";
import { type Service, startService } from "../support/service.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

const customerId = "8f14e45f-ceea-467f-a8f2-9c1d3b1a0001";
const productId = "8f14e45f-ceea-467f-a8f2-9c1d3b1a0002";

const lists: ListUnderTest[] = [
  deletable(
    listOf("/customers", customers, (at) => ({ body: customerBody(at) }), {
      passing: "q=mar%C3%ADa",
      other: "q=pedro",
    }),
    customers,
  ),
  deletable(
    listOf("/categories", categories, (at) => ({ body: categoryBody(at) }), { passing: "q=bebidas", other: "q=aseo" }),
    categories,
  ),
  deletable(
    listOf("/products", products, (at) => ({ body: productBody(at), ...newLedger(0) }), {
      passing: "active=true",
      other: "active=false",
    }),
    products,
  ),
  listOf("/sales", sales, (at) => ({ body: saleBody(at, { customer_id: customerId }) }), {
    passing: `customer_id=${customerId}`,
    other: `customer_id=${productId}`,
  }),
  listOf("/invoices", invoices, (at) => ({ body: invoiceBody(at) }), {
    passing: "status=issued",
    other: "status=rejected",
  }),
  listOf(
    "/inventory/movements",
    stockMovements,
    (at) => newEntry(movementBody(at, { product_id: productId }), { from_api: false }),
    { passing: `product_id=${productId}`, other: `product_id=${customerId}` },
  ),
  listOf("/warehouses", warehouses, (at) => ({ body: warehouseBody(at) }), {
    passing: "active=true",
    other: "active=false",
  }),
  listOf("/cash-sessions", cashSessions, (at) => ({ body: cashSessionBody(at) }), {
    passing: "status=open",
    other: "status=closed",
  }),
  listOf("/quotes", quotes, (at) => ({ body: quoteBody(at) }), { passing: "status=sent", other: "status=expired" }),
  eventsIn("desc"),
  eventsIn("asc"),
];

for (const list of lists) passesPagination(() => service, list);

test("every list of the public API passes this suite", () => {
  const served = service.app.publicRoutes.routes
    .filter((route) => route.method === "GET" && !route.url.includes(":"))
    .map((route) => route.url.replace("/public/v1", ""))
    .filter((path) => path !== "/openapi.json" && !path.startsWith("/exports/"));
  expect(new Set(lists.map((list) => list.path))).toEqual(new Set(served));
});

function listOf<B extends RecordBody, P extends object>(
  path: string,
  resource: Resource<B, P>,
  make: (at: string) => Stored<B, P>,
  filter: ListUnderTest["filter"],
): ListUnderTest {
  return {
    path,
    order: "desc",
    filter,
    keyOf: (record) => record.id,
    async add({ deps }, shop, count) {
      const made = await store(deps, shop.accountId, resource, (at) => Array.from({ length: count }, () => make(at)));
      return made.map(({ id, created_at }) => ({ key: id, created_at, rank: id }));
    },
    touch: ({ deps }, shop, id) => change(deps, shop.accountId, resource, id, () => ({})),
  };
}

function deletable<B extends RecordBody & { deleted_at: string | null }, P extends object>(
  list: ListUnderTest,
  resource: Resource<B, P>,
): ListUnderTest {
  return { ...list, remove: ({ deps }, shop, id) => remove(deps, shop.accountId, resource, id) };
}

/** Events of one write sort as they were emitted. */
function eventsIn(order: "asc" | "desc"): ListUnderTest {
  return {
    path: "/events",
    order,
    ...(order === "asc" && { always: "order=asc" }),
    filter: { passing: "type=customer.created", other: "type=sale.created" },
    keyOf: (event) => event.data.object.id,
    add: ({ deps }, shop, count) =>
      writing(deps, shop.accountId, (write) =>
        Array.from({ length: count }, (_, i) => {
          const body = customerBody(write.at.toISOString());
          write.emit("customer.created", body);
          return { key: body.id, created_at: body.created_at, rank: String(i).padStart(4, "0") };
        }),
      ),
  };
}
