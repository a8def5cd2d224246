import type { CatalogProduct } from "../../../register/catalog.ts";
import { folded } from "../../../register/search.ts";

/** Which of those found Enter takes: the only one, or the only one of exactly that name. The first has the best match. */
export function meant(query: string, found: readonly CatalogProduct[]): CatalogProduct | undefined {
  if (found.length === 1) return found[0];
  const isExact = ({ name }: CatalogProduct) => folded(name).trim() === folded(query).trim();
  const exact = found.filter(isExact);
  return exact.length === 1 ? exact[0] : undefined;
}
