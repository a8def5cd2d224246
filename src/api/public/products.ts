import { createProduct } from "../../business/inventory/create-product.ts";
import { NewProduct, Product, ProductChanges, ProductQuery } from "../../business/products/schema.ts";
import { productList, products } from "../../business/products/store.ts";
import { updateProduct } from "../../business/products/update-product.ts";
import { ById, IncludeDeleted, listOf, NoQuery } from "../../engine/resources/fields.ts";
import { createOnce } from "./idempotency.ts";
import type { TypedApp } from "./public-app.ts";
import { type ReadingDeps, sendList, sendOne } from "./reading.ts";
import { updateOne } from "./updating.ts";

const tags = ["Productos"];

export function productRoutes(app: TypedApp, deps: ReadingDeps): void {
  app.post(
    "/products",
    {
      config: {
        permission: "products:write",
        answers: Product,
        emits: ["product.created", "inventory.movement.created"],
        errors: ["NOT_FOUND", "SKU_ALREADY_EXISTS", "NO_WAREHOUSE", "VARIANT_STOCK_UNSUPPORTED"],
      },
      schema: { tags, summary: "Crear un producto", querystring: NoQuery, body: NewProduct },
    },
    (request, reply) => createOnce(deps, request, reply, (write) => createProduct(write, request.body)),
  );
  app.get(
    "/products",
    {
      config: { permission: "products:read", answers: listOf(Product) },
      schema: { tags, summary: "Listar productos", querystring: ProductQuery },
    },
    (request, reply) => sendList(deps, request, reply, productList),
  );
  app.get(
    "/products/:id",
    {
      config: { permission: "products:read", answers: Product },
      schema: { tags, summary: "Leer un producto", params: ById, querystring: IncludeDeleted },
    },
    (request, reply) => sendOne(deps, request, reply, products),
  );
  app.patch(
    "/products/:id",
    {
      config: {
        permission: "products:write",
        answers: Product,
        emits: ["product.updated"],
        errors: ["SKU_ALREADY_EXISTS", "DEVICES_OUTDATED"],
      },
      schema: { tags, summary: "Editar un producto", params: ById, querystring: NoQuery, body: ProductChanges },
    },
    (request, reply) =>
      updateOne(deps, request, reply, products, (write, current) => updateProduct(write, current, request.body)),
  );
}
