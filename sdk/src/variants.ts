import type { NewProductVariant, ProductVariant, ProductVariantChanges } from "./contract.ts";
import { readJson } from "./list.ts";
import { type CreateOptions, pathOf, postOnce, type UpdateOptions } from "./resources.ts";
import type { Send } from "./send.ts";

/** The variants of a product, one by one. `ifMatch` is the ETag of the product. */
export interface Variants {
  create(productId: string, fields: NewProductVariant, options?: CreateOptions): Promise<ProductVariant>;
  update(
    productId: string,
    id: string,
    changes: ProductVariantChanges,
    options?: UpdateOptions,
  ): Promise<ProductVariant>;
  /** Returns the variant as it was, with its deleted_at. */
  delete(productId: string, id: string, options?: UpdateOptions): Promise<ProductVariant>;
}

export function variants(send: Send): Variants {
  const place = (productId: string) => `${pathOf("/products", productId)}/variants`;
  const ifMatching = ({ ifMatch }: UpdateOptions = {}): Record<string, string> =>
    ifMatch ? { "if-match": ifMatch } : {};
  return {
    create: (productId, fields, options) => postOnce(send, place(productId), fields, options),
    update: (productId, id, body, options) =>
      readJson(send, { method: "PATCH", path: pathOf(place(productId), id), body, headers: ifMatching(options) }),
    delete: (productId, id, options) =>
      readJson(send, { method: "DELETE", path: pathOf(place(productId), id), headers: ifMatching(options) }),
  };
}
