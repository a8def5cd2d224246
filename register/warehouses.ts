import { businessIn } from "./business.ts";
import type { Catalog } from "./catalog.ts";

export interface Warehouse {
  id: string;
  name: string;
  is_default?: boolean;
  active?: boolean;
}

/** Those that are open, the register's own first: it sells from its sede's, or else from the business's default one. */
export function warehousesIn(catalog: Catalog): Warehouse[] {
  const open = (catalog.all("warehouse") as Warehouse[]).filter(({ active }) => active !== false);
  const ofSede = businessIn(catalog).location?.default_warehouse_id;
  const rank = ({ id, is_default }: Warehouse) => (id === ofSede ? 2 : Number(is_default === true));
  return open.sort((a, b) => rank(b) - rank(a) || (a.name < b.name ? -1 : 1));
}

/** Where the register sells from. */
export function ownWarehouse(catalog: Catalog): string | null {
  return warehousesIn(catalog)[0]?.id ?? null;
}
