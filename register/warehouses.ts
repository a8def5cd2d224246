import type { Catalog } from "./catalog.ts";

export interface Warehouse {
  id: string;
  name: string;
  is_default?: boolean;
  active?: boolean;
}

/** Those in use, the register's own first: it sells from the business's default one. */
export function warehousesIn(catalog: Catalog): Warehouse[] {
  const all = (catalog.all("warehouse") as Warehouse[]).filter(({ active }) => active !== false);
  const own = ownWarehouse(catalog);
  return all.sort((a, b) => Number(b.id === own) - Number(a.id === own) || (a.name < b.name ? -1 : 1));
}

/** Where the register sells from. */
export function ownWarehouse(catalog: Catalog): string | null {
  const all = catalog.all("warehouse") as Warehouse[];
  return (all.find((one) => one.is_default) ?? all[0])?.id ?? null;
}
