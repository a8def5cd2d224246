import { afterAll, beforeAll, expect, test } from "vitest";
import { resources } from "../../src/business/registry.ts";
import type { Resource } from "../../src/engine/resources/resource.ts";
import { writing } from "../../src/engine/writing/writing.ts";
import { type ListUnderTest, passesPagination } from "../suites/pagination.ts";
import { sampleRecord } from "../suites/samples.ts";
import { change, customerBody, remove, store } from "../support/records.ts";
import { type Service, startService } from "../support/service.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

const customerId = "8f14e45f-ceea-467f-a8f2-9c1d3b1a0001";
const productId = "8f14e45f-ceea-467f-a8f2-9c1d3b1a0002";

/** A filter that the samples pass, and one that they do not; any other list is asked for a time in the future. */
const filters: Record<string, ListUnderTest["filter"]> = {
  customer: { passing: "q=mar%C3%ADa", other: "q=pedro" },
  category: { passing: "q=bebidas", other: "q=aseo" },
  product: { passing: "active=true", other: "active=false" },
  sale: { passing: `customer_id=${customerId}`, other: `customer_id=${productId}` },
  invoice: { passing: "status=issued", other: "status=rejected" },
  stock_movement: { passing: `product_id=${productId}`, other: `product_id=${customerId}` },
  warehouse: { passing: "active=true", other: "active=false" },
  cash_session: { passing: "status=open", other: "status=closed" },
  quote: { passing: "status=sent", other: "status=expired" },
};
const inTime = { passing: "created_since=2020-01-01T00:00:00Z", other: "created_since=2999-01-01T00:00:00Z" };

const fields: Record<string, object> = {
  customer: { name: "María" },
  category: { name: "Bebidas" },
  sale: { customer_id: customerId },
  invoice: { status: "issued" },
  stock_movement: { product_id: productId },
  cash_session: { status: "open" },
  quote: { status: "sent", expires_at: null },
};

const lists: ListUnderTest[] = [...resources.map(listOf), eventsIn("desc"), eventsIn("asc")];

for (const list of lists) passesPagination(() => service, list);

/** One record, and lists that have an order and a suite of their own (test/api/me-and-levels.test.ts, test/portal/audit-list.test.ts). */
const apart = ["/openapi.json", "/me", "/inventory/levels", "/audit-log"];

test("every list of the public API passes this suite", () => {
  const served = service.app.publicRoutes.routes
    .filter((route) => route.method === "GET" && !route.url.includes(":"))
    .map((route) => route.url.replace("/public/v1", ""))
    .filter((path) => !apart.includes(path) && !path.startsWith("/exports/"));
  expect(new Set(lists.map((list) => list.path))).toEqual(new Set(served));
});

function listOf(resource: Resource): ListUnderTest {
  const { name, path, query } = resource;
  const make = (at: string) => sampleRecord(resource, at, fields[name]);
  const isRemovable = "include_deleted" in query.properties;
  return {
    path,
    order: "desc",
    filter: filters[name] ?? inTime,
    keyOf: (record) => record.id,
    async add({ deps }, shop, count) {
      const made = await store(deps, shop.accountId, resource, (at) => Array.from({ length: count }, () => make(at)));
      return made.map(({ id, created_at }) => ({ key: id, created_at, rank: id }));
    },
    touch: ({ deps }, shop, id) => change(deps, shop.accountId, resource, id, () => ({})),
    ...(isRemovable && {
      remove: ({ deps }, shop, id) => remove(deps, shop.accountId, resource as never, id),
    }),
  };
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
          const created_at = new Date(write.at.getTime() + i).toISOString();
          return { key: body.id, created_at, rank: String(i).padStart(4, "0") };
        }),
      ),
  };
}
