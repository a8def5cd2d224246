import { products } from "../../business/products/resource.ts";
import { NewVariant, type Product, ProductVariant, VariantChanges } from "../../business/products/schema.ts";
import { ByVariant, createVariant, deleteVariant, updateVariant, variantOf } from "../../business/products/variants.ts";
import { ById, NoQuery } from "../../engine/resources/fields.ts";
import { ApiError } from "../../lib/errors.ts";
import { postOnce } from "./idempotency.ts";
import type { TypedApp } from "./public-app.ts";
import { notFoundMessage, type ReadingDeps } from "./reading.ts";
import { updateOne } from "./updating.ts";

const path = `${products.path}/:id/variants`;
const tags = [products.tag.name];
const config = { permission: "products:write", responseSchema: ProductVariant, emits: ["product.updated"] } as const;

/** The variants of a product, one by one. Each change is a version of its product, whose ETag they have. */
export function variantRoutes(app: TypedApp, deps: ReadingDeps): void {
  app.post(
    path,
    {
      config: {
        ...config,
        emits: [...config.emits],
        errors: ["CONFLICT", "SKU_ALREADY_EXISTS", "DEVICES_OUTDATED", "VARIANT_STOCK_UNSUPPORTED"],
      },
      schema: { tags, summary: "Agregar una variante", params: ById, querystring: NoQuery, body: NewVariant },
    },
    (request, reply) =>
      postOnce(deps, request, reply, async (write) => {
        const product = await write.load(products, request.params.id);
        if (!product || product.body.deleted_at)
          throw new ApiError("NOT_FOUND", { param: "id", message: notFoundMessage(products.spanish.one) });
        const variant = await createVariant(write, product, request.body);
        const location = request.url.split("/variants")[0] ?? "";
        return { status: 201, headers: { location }, body: JSON.stringify(variant) };
      }),
  );
  app.patch(
    `${path}/:variant_id`,
    {
      config: { ...config, emits: [...config.emits], errors: ["SKU_ALREADY_EXISTS", "DEVICES_OUTDATED"] },
      schema: { tags, summary: "Editar una variante", params: ByVariant, querystring: NoQuery, body: VariantChanges },
    },
    (request, reply) => {
      const { variant_id } = request.params;
      return updateOne(
        deps,
        request,
        reply,
        products,
        (write, current) => updateVariant(write, current, variant_id, request.body),
        (product) => JSON.stringify(variantOf(JSON.parse(product) as Product, variant_id)),
      );
    },
  );
  app.delete(
    `${path}/:variant_id`,
    {
      config: { ...config, emits: [...config.emits], errors: ["CONFLICT", "DEVICES_OUTDATED"] },
      schema: { tags, summary: "Eliminar una variante", params: ByVariant, querystring: NoQuery },
    },
    (request, reply) => {
      let gone: ProductVariant | undefined;
      return updateOne(
        deps,
        request,
        reply,
        products,
        (write, current) => {
          gone = { ...variantOf(current.body, request.params.variant_id), deleted_at: write.at.toISOString() };
          return deleteVariant(write, current, gone.id);
        },
        () => JSON.stringify(gone),
      );
    },
  );
}
