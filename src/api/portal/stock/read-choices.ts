import { ensureWarehouse } from "../../../business/inventory/find-warehouse.ts";
import { countNewMovements } from "../../../business/inventory/stock-levels.ts";
import type { Queryable } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";
import { type WritingDeps, writing } from "../../../engine/writing/writing.ts";

/** What filters and forms choose from. */
export interface Choice {
  id: string;
  name: string;
}

/** More would not fit in a list to choose from. */
const maxChoices = 1_000;

export async function readCategories(db: Queryable, accountId: string): Promise<Choice[]> {
  const { rows } = await db.query<Choice>(sql`
    select id, body ->> 'name' as name from categories
    where account_id = ${accountId} and deleted_at is null order by search, id limit ${maxChoices}`);
  return rows;
}

export interface WarehouseChoice extends Choice {
  is_default: boolean;
}

/** Those that are open, the default one first. */
export async function readWarehouses(deps: WritingDeps, accountId: string): Promise<WarehouseChoice[]> {
  const find = async () => (await readAllWarehouses(deps.pool, accountId)).filter(({ active }) => active);
  const found = await find();
  if (found.length > 0) return found.map(choiceOf);
  await writing(deps, accountId, ensureWarehouse);
  return (await find()).map(choiceOf);
}

export interface ShownWarehouse extends WarehouseChoice {
  active: boolean;
  /** How many products it has stock of, or owes. */
  products: number;
}

/** Open and closed ones, with what is in them. */
export async function readStockedWarehouses(deps: WritingDeps, accountId: string): Promise<ShownWarehouse[]> {
  await readWarehouses(deps, accountId);
  await countNewMovements(deps.pool, accountId);
  const { rows } = await deps.pool.query<{ warehouse_id: string; products: number }>(sql`
    select warehouse_id, count(*) as products from stock_levels
    where account_id = ${accountId} and stock_milli <> 0 group by warehouse_id`);
  const counts = new Map(rows.map(({ warehouse_id, products }) => [warehouse_id, products]));
  const all = await readAllWarehouses(deps.pool, accountId);
  return all.map((one) => ({ ...one, products: counts.get(one.id) ?? 0 }));
}

type StoredWarehouse = Omit<ShownWarehouse, "products">;

async function readAllWarehouses(db: Queryable, accountId: string): Promise<StoredWarehouse[]> {
  const { rows } = await db.query<StoredWarehouse>(sql`
    select id, body ->> 'name' as name, is_default, active from warehouses
    where account_id = ${accountId} and deleted_at is null
    order by active desc, is_default desc, 2, id limit ${maxChoices}`);
  return rows;
}

function choiceOf({ id, name, is_default }: StoredWarehouse): WarehouseChoice {
  return { id, name, is_default };
}
