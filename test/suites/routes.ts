import type { FastifyInstance } from "fastify";
import { publicPrefix } from "../../src/api/public/public-api.ts";
import { cashSessions } from "../../src/business/cash-sessions/resource.ts";
import { categories } from "../../src/business/categories/resource.ts";
import { customers } from "../../src/business/customers/resource.ts";
import { newEntry, stockMovements, warehouses } from "../../src/business/inventory/resource.ts";
import { invoices } from "../../src/business/invoices/resource.ts";
import { newLedger } from "../../src/business/products/ledger.ts";
import { products } from "../../src/business/products/resource.ts";
import { quotes } from "../../src/business/quotes/resource.ts";
import { sales } from "../../src/business/sales/resource.ts";
import type { Scope } from "../../src/engine/resources/scopes.ts";
import { writing } from "../../src/engine/writing/writing.ts";
import {
  cashSessionBody,
  categoryBody,
  customerBody,
  invoiceBody,
  movementBody,
  productBody,
  quoteBody,
  saleBody,
  warehouseBody,
} from "../support/records.ts";
import type { Business, Service } from "../support/service.ts";

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
    const at = write.at.toISOString();
    const customer = customerBody(at);
    const category = categoryBody(at);
    const product = productBody(at);
    const sale = saleBody(at);
    const invoice = invoiceBody(at);
    const movement = movementBody(at);
    const warehouse = warehouseBody(at);
    const session = cashSessionBody(at);
    const quote = quoteBody(at);
    write.put(customers, { body: customer });
    write.put(categories, { body: category });
    write.put(products, { body: product, ...newLedger(0) });
    write.put(sales, { body: sale });
    write.put(invoices, { body: invoice });
    write.put(stockMovements, newEntry(movement, { from_api: false }));
    write.put(warehouses, { body: warehouse });
    write.put(cashSessions, { body: session });
    write.put(quotes, { body: quote });
    write.emit("customer.created", customer);
    return {
      "/customers": customer.id,
      "/categories": category.id,
      "/products": product.id,
      "/sales": sale.id,
      "/invoices": invoice.id,
      "/inventory/movements": movement.id,
      "/warehouses": warehouse.id,
      "/cash-sessions": session.id,
      "/quotes": quote.id,
    };
  });
  const events = await shop.api.get("/events");
  return { ...shop, ids: { ...ids, "/events": events.body.data[0].id } };
}

const bodies: Record<string, (shop: StockedShop) => object> = {
  "POST /customers": () => ({ name: "Ana" }),
  "PATCH /customers/:id": () => ({ phone: "300 123 4567" }),
  "POST /categories": () => ({ name: "Lácteos" }),
  "PATCH /categories/:id": () => ({ sort_order: 3 }),
  "POST /products": (shop) => ({ name: "Leche", base_price: 4200, category_id: shop.ids["/categories"] }),
  "PATCH /products/:id": (shop) => ({ base_price: 4300, category_id: shop.ids["/categories"] }),
  "POST /inventory/movements": (shop) => ({ product_id: shop.ids["/products"], type: "in", quantity: 1 }),
};

/** A request of this route that succeeds in this shop. */
export function sampleOf(route: PublicRoute, shop: StockedShop): { path: string; body: object | undefined } {
  const id = shop.ids[route.path.replace("/:id", "")];
  const body = bodies[route.name]?.(shop);
  const isWrite = route.method !== "GET";
  if ((route.path.includes(":id") && id === undefined) || isWrite !== (body !== undefined)) {
    throw new Error(`${route.name} has no sample request yet: add one to test/suites/routes.ts`);
  }
  return { path: route.path.replace(":id", id ?? ""), body };
}
