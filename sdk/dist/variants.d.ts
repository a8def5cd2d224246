import type { NewProductVariant, ProductVariant, ProductVariantChanges } from "./contract.ts";
import { type CreateOptions, type UpdateOptions } from "./resources.ts";
import type { Send } from "./send.ts";
/** The variants of a product, one by one. `ifMatch` is the ETag of the product. */
export interface Variants {
    create(productId: string, fields: NewProductVariant, options?: CreateOptions): Promise<ProductVariant>;
    update(productId: string, id: string, changes: ProductVariantChanges, options?: UpdateOptions): Promise<ProductVariant>;
    /** Returns the variant as it was, with its deleted_at. */
    delete(productId: string, id: string, options?: UpdateOptions): Promise<ProductVariant>;
}
export declare function variants(send: Send): Variants;
