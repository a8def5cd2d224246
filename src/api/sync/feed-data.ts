import type { Invoice } from "../../business/invoices/schema.ts";
import { productCodes } from "../../business/products/barcodes.ts";
import type { Product, ProductVariant } from "../../business/products/schema.ts";
import { ownFieldsCapability } from "../../engine/resources/own-fields.ts";
import type { RecordBody } from "../../engine/resources/resource.ts";

/** What a register is, as far as it decides what it receives. */
export type Receiver = { capabilities: readonly string[] | null };

/**
 * A record as sent to registers. A product's stock, cost, unit and kind belong to each register: `set` has the fields that
 * it must overwrite, `init` those it uses only if it does not have the product yet.
 */
export function feedData(body: RecordBody, { capabilities }: Receiver): unknown {
  if (body.object !== "product") return body;
  return productData(body as Product, (capability) => capabilities?.includes(capability) ?? false);
}

/** What a ticket prints of a document, and what a cashier must know of its verdict. */
export function documentData(body: Invoice, qrOf: (cufe: string) => string): object {
  const { id, sale_id, document_type, status, prefix, number, cufe, dian_message, document_reason, issued_at } = body;
  const qr = cufe === null ? null : qrOf(cufe);
  return { id, sale_id, document_type, status, prefix, number, cufe, dian_message, document_reason, issued_at, qr };
}

function productData(body: Product, knows: (capability: string) => boolean): object {
  return {
    set: {
      name: body.name,
      description: body.description,
      description_short: body.description_short,
      sku: body.sku,
      category_id: body.category_id,
      base_price: body.base_price,
      final_price: body.final_price,
      percent_discount: body.percent_discount,
      tax_class: body.tax_class,
      active: body.active,
      sellable: body.sellable,
      images: body.images,
      variants: body.variants.map(variantData),
      ...(knows(productCodes) && { barcodes: body.barcodes ?? [] }),
      ...(knows(ownFieldsCapability) && { external_id: body.external_id ?? null, metadata: body.metadata ?? {} }),
    },
    init: { kind: body.kind, base_unit: body.base_unit, sold_by_weight: body.sold_by_weight },
  };
}

function variantData({ object, product_id, created_at, updated_at, deleted_at, ...variant }: ProductVariant): object {
  return variant;
}
