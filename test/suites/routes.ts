import type { FastifyInstance } from "fastify";
import { publicPrefix } from "../../src/api/public/public-api.ts";
import { registry, resources } from "../../src/business/registry.ts";
import type { Scope } from "../../src/engine/resources/scopes.ts";
import { writing } from "../../src/engine/writing/writing.ts";
import type { Business, Service } from "../support/service.ts";
import { sampleRecord } from "./samples.ts";

/** A route as the app itself lists it. */
export interface PublicRoute {
  /** "GET /customers/:id" */
  name: string;
  method: string;
  path: string;
  permission: Scope | undefined;
}

/** Every route of the public API. HEAD is left out: Fastify answers it with the GET beside it. */
export function publicRoutes(app: FastifyInstance): PublicRoute[] {
  return app.publicRoutes.routes
    .filter(({ method }) => method !== "HEAD")
    .map(({ method, url, config }) => {
      const path = url.slice(publicPrefix.length);
      return { name: `${String(method)} ${path}`, method: String(method), path, permission: config?.permission };
    });
}

/** A business with one record of each kind, by the path of its list. */
export interface StockedShop extends Business {
  ids: Record<string, string>;
}

export async function stockedShop(service: Service): Promise<StockedShop> {
  const shop = await service.business();
  const ids = await writing(service.deps, shop.accountId, (write) => {
    const records = resources.map((resource) => ({ resource, record: sampleRecord(resource, write.at.toISOString()) }));
    for (const { resource, record } of records) write.put(resource, record);
    write.emit("customer.created", records[0]!.record.body);
    return Object.fromEntries(records.map(({ resource, record }) => [resource.path, record.body.id]));
  });
  const events = await shop.api.get("/events");
  const audit = await shop.api.get("/audit-log");
  const product = { name: "Camisa", base_price: 1, variants: [{ label: "M" }] };
  const { body: varied } = await shop.api.post("/products", product);
  const { body: stocked } = await shop.api.post("/products", { name: "Pan", base_price: 1, initial_stock: 1 });
  const lines = [{ product_id: stocked.id, quantity: 1000, unit_cost: 900 }];
  const { body: bought } = await shop.api.post("/purchases", { supplier_id: ids["/suppliers"], lines });
  return {
    ...shop,
    ids: {
      ...ids,
      "/events": events.body.data[0].id,
      "/audit-log": audit.body.data[0].id,
      "/products/variants": varied.id,
      variant: varied.variants[0].id,
      "/inventory/levels": stocked.id,
      "/purchases": bought.id,
      purchase_line: bought.lines[0].id,
    },
  };
}

/** Where the example of the reference names records that this shop does not have. */
const bodies: Record<string, (shop: StockedShop) => object> = {
  "POST /products": (shop) => ({ name: "Leche", base_price: 4200, category_id: shop.ids["/categories"] }),
  "PATCH /products/:id": (shop) => ({ base_price: 4300, category_id: shop.ids["/categories"] }),
  "POST /customers/batch": () => ({ items: [{ name: "Ana" }] }),
  "POST /products/batch": () => ({ items: [{ name: "Leche", base_price: 4200 }] }),
  "POST /products/:id/variants": () => ({ label: "L" }),
  "PATCH /products/:id/variants/:variant_id": () => ({ label: "XL" }),
  "POST /orders": (shop) => ({ items: [{ product_id: shop.ids["/products"], quantity: 1 }] }),
  "POST /orders/preview": (shop) => ({ items: [{ product_id: shop.ids["/products"], quantity: 1 }] }),
  "POST /orders/:id/cancel": () => ({}),
  "POST /purchases": (shop) => ({
    supplier_id: shop.ids["/suppliers"],
    lines: [{ product_id: shop.ids["/inventory/levels"], quantity: 1, unit_cost: 1000 }],
  }),
  "POST /purchases/:id/receipts": (shop) => ({ lines: [{ line_id: shop.ids.purchase_line, quantity: 1 }] }),
  "POST /inventory/movements": (shop) => ({ product_id: shop.ids["/products"], type: "in", quantity: 1 }),
};

/** A request of this route that succeeds in this shop. */
export function sampleOf(route: PublicRoute, shop: StockedShop): { path: string; body: object | undefined } {
  const listPath = route.path
    .replace("/:id", "")
    .replace("/:variant_id", "")
    .replace("/cancel", "")
    .replace("/receipts", "");
  const id = shop.ids[listPath] ?? "";
  const operations = registry.find(({ resource }) => resource.path === listPath)?.operations;
  const operation = { POST: operations?.create, PATCH: operations?.update }[route.method];
  const [example] = (operation?.body as { examples?: object[] } | undefined)?.examples ?? [];
  const path = route.path.replace(":id", id).replace(":variant_id", shop.ids.variant ?? "");
  return { path, body: bodies[route.name]?.(shop) ?? example };
}
