import { createMovement } from "../../../business/inventory/create-movement.ts";
import { createProduct } from "../../../business/inventory/create-product.ts";
import { warehouses } from "../../../business/inventory/resource.ts";
import { NewMovement, NewWarehouse, WarehouseChanges } from "../../../business/inventory/schema.ts";
import { countNewMovements } from "../../../business/inventory/stock-levels.ts";
import { createWarehouse, updateWarehouse } from "../../../business/inventory/warehouse-operations.ts";
import { products } from "../../../business/products/resource.ts";
import { NewProduct, ProductChanges } from "../../../business/products/schema.ts";
import { updateProduct } from "../../../business/products/update-product.ts";
import type { ServedDeps } from "../../../deps.ts";
import { eventRetentionDays } from "../../../engine/events/event-types.ts";
import { ById, nullable, optional } from "../../../engine/resources/fields.ts";
import { day } from "../../../lib/clock.ts";
import { uuidv7 } from "../../../lib/ids.ts";
import { Type } from "../../../lib/schema.ts";
import { createOnce } from "../../public/idempotency.ts";
import type { TypedApp } from "../../public/public-app.ts";
import { updateOne } from "../../public/updating.ts";
import type { Answers } from "../answers.ts";
import { readBagTax } from "../catalog/read-bag-tax.ts";
import { readPrices, readProduct } from "../catalog/read-product.ts";
import { readProducts, readTotals } from "../catalog/read-products.ts";
import { asOwner } from "../developers/owner-request.ts";
import { countSheet, type ListedProduct, type productFilters, productList, stockList } from "../lists/products.ts";
import { movementList } from "../lists/stock-movements.ts";
import { actorOf } from "../settings/session-routes.ts";
import { pagesOf, type Reading, serveFile, serveList, serveRows } from "../tables/serve-list.ts";
import { inOwnWarehouse, readCategories, readStockedWarehouses, readWarehouses } from "./read-choices.ts";
import { readMovements } from "./read-movements.ts";
import { previewCount, recordCount, StockCount } from "./stock-count.ts";
import { readLowStock, setLowStock, setProductLowStock } from "./stock-settings.ts";

/** Here the first stock may have decimals where the unit is measured; the business refuses them where it is counted. */
const NewStockedProduct = Type.Object(
  {
    ...NewProduct.properties,
    initial_stock: optional(Type.Number({ minimum: 0, maximum: 999_999_999, "x-max-decimals": 3 })),
  },
  { additionalProperties: false },
);

const limit = Type.Integer({ minimum: 0, maximum: 1_000_000 });
const LowStock = Type.Object({ low_stock: limit }, { additionalProperties: false });
const OwnLowStock = Type.Object({ low_stock: nullable(limit) }, { additionalProperties: false });

/** The owner's catalogue and stock, changed by the public API's own operations. */
export function stockRoutes(app: TypedApp, deps: ServedDeps): void {
  productRoutes(app, deps);
  priceRoutes(app, deps);
  inventoryRoutes(app, deps);
  choiceRoutes(app, deps);
}

function productRoutes(app: TypedApp, deps: ServedDeps): void {
  const reading: Reading<ListedProduct, typeof productFilters> = {
    prepare: async ({ accountId, query }) =>
      query.warehouse_id === undefined && (query.location_ids ?? null) === null
        ? undefined
        : countNewMovements(deps.pool, accountId),
    read: ({ accountId, query }, limit, after) => readProducts(deps.pool, accountId, query, limit, after?.id),
    // The list is in the order of the names, so its pages go by ids alone.
    instantOf: ({ created_at }) => created_at,
    totals: ({ accountId, query }): Promise<Answers["GET /products/totals"]> => readTotals(deps.pool, accountId, query),
  };
  serveRows(app, deps, productList(), reading);
  for (const list of [productList, stockList, countSheet])
    serveFile(app, deps, list(), async (wanted) => {
      await reading.prepare?.(wanted);
      const categories = await readCategories(deps.pool, wanted.accountId);
      const { columns } = list(new Map(categories.map(({ id, name }) => [id, name])));
      return { columns, pages: pagesOf(reading, wanted) };
    });
  app.get(
    "/products/:id",
    { config: { right: "products:read" }, schema: { params: ById } },
    async (request): Promise<Answers["GET /products/:id"]> => {
      const { accountId, locationIds } = request.session;
      await countNewMovements(deps.pool, accountId);
      return readProduct(deps.pool, accountId, request.params.id.toLowerCase(), locationIds);
    },
  );
  app.post(
    "/products",
    { config: { right: "products:write" }, schema: { body: NewStockedProduct } },
    async (request, reply) => {
      const { session, body } = request;
      const input = body.initial_stock ? await inOwnWarehouse(deps, session, body) : body;
      return createOnce(deps, asOwner(request), reply, (write) => createProduct(write, input));
    },
  );
  app.patch(
    "/products/:id",
    { config: { right: "products:write" }, schema: { params: ById, body: ProductChanges } },
    (request, reply) =>
      updateOne(deps, asOwner(request), reply, products, (write, current) =>
        updateProduct(write, current, request.body),
      ),
  );
  app.put(
    "/products/:id/low-stock",
    // Every sede is told from there, so whoever has some does not change it.
    { config: { right: "stock:write", ofWhole: true }, schema: { params: ById, body: OwnLowStock } },
    async (request, reply) => {
      const limit = { productId: request.params.id.toLowerCase(), lowStock: request.body.low_stock };
      await setProductLowStock(deps, request.session.accountId, limit, actorOf(request));
      return reply.code(204).send();
    },
  );
}

function priceRoutes(app: TypedApp, deps: ServedDeps): void {
  app.get(
    "/bag-tax",
    { config: { right: "products:read" } },
    ({ session: { accountId } }): Promise<Answers["GET /bag-tax"]> =>
      readBagTax(deps.pool, deps.config, accountId, deps.clock.now()),
  );
  app.get(
    "/products/:id/prices",
    { config: { right: "products:read" }, schema: { params: ById } },
    async ({ session: { accountId }, params }): Promise<Answers["GET /products/:id/prices"]> => {
      const id = params.id.toLowerCase();
      const now = deps.clock.now();
      await readProduct(deps.pool, accountId, id);
      const data = await readPrices(deps.pool, accountId, id, now);
      return { object: "list", data, kept_since: new Date(now.getTime() - eventRetentionDays * day) };
    },
  );
}

function inventoryRoutes(app: TypedApp, deps: ServedDeps): void {
  serveList(app, deps, movementList, {
    read: ({ accountId, query }, limit, after) => readMovements(deps.pool, accountId, query, limit, after),
    instantOf: ({ created_at }) => created_at,
  });
  app.post(
    "/stock-movements",
    { config: { right: "stock:write" }, schema: { body: NewMovement } },
    async (request, reply) => {
      const input = await inOwnWarehouse(deps, request.session, request.body);
      return createOnce(deps, asOwner(request), reply, (write) => createMovement(write, input));
    },
  );
  app.post(
    "/stock-counts/preview",
    { config: { right: "stock:write" }, schema: { body: StockCount } },
    async ({ session, body: asked }): Promise<Answers["POST /stock-counts/preview"]> => {
      const { accountId } = session;
      const body = await inOwnWarehouse(deps, session, asked);
      if (body.warehouse_id !== undefined) await countNewMovements(deps.pool, accountId);
      return { object: "list", data: await previewCount(deps.pool, accountId, body) };
    },
  );
  app.post(
    "/stock-counts",
    { config: { right: "stock:write" }, schema: { body: StockCount } },
    async (request, reply) => {
      const count = await inOwnWarehouse(deps, request.session, request.body);
      return createOnce(deps, asOwner(request), reply, (write) => recordCount(write, uuidv7(write.at), count));
    },
  );
  app.get(
    "/stock-settings",
    { config: { right: "stock:read" } },
    async ({ session: { accountId } }): Promise<Answers["GET /stock-settings"]> => ({
      low_stock: await readLowStock(deps.pool, accountId),
    }),
  );
  app.put(
    "/stock-settings",
    { config: { right: "settings:write", ofWhole: true }, schema: { body: LowStock } },
    async (request, reply) => {
      await setLowStock(deps, request.session.accountId, request.body.low_stock, actorOf(request));
      return reply.code(204).send();
    },
  );
}

function choiceRoutes(app: TypedApp, deps: ServedDeps): void {
  app.get(
    "/categories",
    { config: { right: "products:read" } },
    async ({ session: { accountId } }): Promise<Answers["GET /categories"]> => ({
      object: "list",
      data: await readCategories(deps.pool, accountId),
    }),
  );
  app.get(
    "/warehouses",
    { config: { right: { any: ["stock:read", "products:read", "settings:read"] } } },
    async ({ session }): Promise<Answers["GET /warehouses"]> => ({
      object: "list",
      data: await readWarehouses(deps, session),
    }),
  );
  app.get(
    "/warehouses/all",
    { config: { right: { any: ["stock:read", "settings:read"] } } },
    async ({ session }): Promise<Answers["GET /warehouses/all"]> => ({
      object: "list",
      data: await readStockedWarehouses(deps, session),
    }),
  );
  app.post(
    "/warehouses",
    { config: { right: "settings:write", placedBy: ["location_id"] }, schema: { body: NewWarehouse } },
    (request, reply) => createOnce(deps, asOwner(request), reply, (write) => createWarehouse(write, request.body)),
  );
  app.patch(
    "/warehouses/:id",
    { config: { right: "settings:write" }, schema: { params: ById, body: WarehouseChanges } },
    (request, reply) =>
      updateOne(deps, asOwner(request), reply, warehouses, (write, current) =>
        updateWarehouse(write, current, request.body),
      ),
  );
}
