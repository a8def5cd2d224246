import { ApiError, validationError } from "../../lib/errors.ts";
import type { ProductLookups } from "./lookups.ts";
import { skusOf } from "./resource.ts";
import type { Product } from "./schema.ts";

/**
 * A code, be it a SKU or one of the others, is unique among the account's products and variants that are not deleted, and
 * stands once in its product. Only the ones that a request sets are checked.
 */
export async function checkCodes(
  { taken }: Pick<ProductLookups, "taken">,
  product: Product,
  set: readonly string[],
  isSent: (param: string) => boolean = () => true,
): Promise<void> {
  refuseRepetition(repetitions(product, set, isSent), isSent);
  if (set.length === 0) return;
  const [first] = await taken(set, product.id);
  if (first !== undefined) throw codeTaken(product, first);
}

/** A code names a variant of its own product, or none. */
export function checkVariants({ barcodes = [], variants }: Product): void {
  const errors = barcodes.flatMap(({ variant_id }, i) =>
    variant_id === null || variants.some(({ id }) => id === variant_id)
      ? []
      : [
          {
            param: `barcodes.${i}.variant_id`,
            message: "Este producto no tiene esa variante. Envíe el `id` de una de sus `variants`.",
          },
        ],
  );
  if (errors.length > 0) throw validationError(errors);
}

interface Repetition {
  code: string;
  /** Two places of the product, of which the request sent the first. */
  param: string;
  other: string;
}

/** Where one of these codes stands a second time in the product itself. */
function repetitions(
  { sku, variants, barcodes = [] }: Product,
  set: readonly string[],
  isSent: (param: string) => boolean,
): Repetition[] {
  const places: [param: string, code: string | null][] = [
    ["sku", sku],
    ...variants.map((variant, i): [string, string | null] => [`variants.${i}.sku`, variant.sku]),
    ...barcodes.map(({ code }, i): [string, string] => [`barcodes.${i}.code`, code]),
  ];
  const first = new Map<string, string>();
  return places.flatMap(([param, code]) => {
    if (code === null || !set.includes(code)) return [];
    const earlier = first.get(code);
    if (earlier !== undefined)
      return [isSent(param) ? { code, param, other: earlier } : { code, param: earlier, other: param }];
    first.set(code, param);
    return [];
  });
}

function refuseRepetition([found]: readonly Repetition[], isSent: (param: string) => boolean): void {
  if (found === undefined) return;
  const { code, param, other } = found;
  const isBarcode = param.startsWith("barcodes.");
  throw new ApiError("SKU_ALREADY_EXISTS", {
    param: isBarcode ? "barcodes" : "sku",
    message: isSent(other)
      ? `\`${param}\` repite el código "${code}" de \`${other}\`. Un código va una sola vez en el producto.`
      : `El ${isBarcode ? "código" : "SKU"} "${code}" ya lo tiene este mismo producto, en \`${other}\`. Use uno distinto.`,
  });
}

function codeTaken(product: Product, code: string): ApiError {
  const isSku = skusOf(product).includes(code);
  return new ApiError("SKU_ALREADY_EXISTS", {
    param: isSku ? "sku" : "barcodes",
    message: `El ${isSku ? "SKU" : "código"} "${code}" ya lo usa otro producto o variante de la cuenta. Use uno distinto o edite el producto que lo tiene.`,
  });
}
