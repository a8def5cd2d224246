interface Priced {
  final_price: number;
  variants?: readonly { id: string; final_price?: number | undefined }[] | undefined;
  barcodes?: readonly { units: number; price: number | null }[] | undefined;
}

/** What one of it costs by the catalogue, alone or in any of its packs. Registers and the service compare what is charged with it. */
export function leastPrice({ final_price, variants, barcodes }: Priced, variantId: string | null): number {
  const variant = variants?.find(({ id }) => id === variantId);
  const packs = (barcodes ?? []).flatMap(({ price, units }) => (price === null || units <= 0 ? [] : price / units));
  return Math.floor(Math.min(variant?.final_price || final_price, ...packs));
}
