import type { Session } from "../../../access/people/session.ts";
import { ensureWarehouse } from "../../../business/inventory/find-warehouse.ts";
import { countNewMovements } from "../../../business/inventory/stock-levels.ts";
import type { Queryable } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";
import { type WritingDeps, writing } from "../../../engine/writing/writing.ts";
import { ApiError } from "../../../lib/errors.ts";

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
  /** Its sede; null for one of the whole business. */
  location_id: string | null;
}

type OfWhom = Pick<Session, "accountId" | "locationIds">;

/** Those that are open, the default one first; of whoever has only some sedes, hers. */
export async function readWarehouses(deps: WritingDeps, of: OfWhom): Promise<WarehouseChoice[]> {
  const find = async () => (await readAllWarehouses(deps.pool, of.accountId)).filter(({ active }) => active);
  let found = await find();
  if (found.length === 0) {
    await writing(deps, of.accountId, ensureWarehouse);
    found = await find();
  }
  return withDefault(found.filter(isOf(of)).map(choiceOf));
}

/** Of hers, the first one is used where none is named. */
function withDefault(own: WarehouseChoice[]): WarehouseChoice[] {
  if (own.some(({ is_default }) => is_default)) return own;
  return own.map((one, i) => ({ ...one, is_default: i === 0 }));
}

const isOf =
  ({ locationIds }: OfWhom) =>
  ({ location_id }: { location_id: string | null }) =>
    locationIds === null || (location_id !== null && locationIds.includes(location_id));

/** The warehouse that is meant where whoever has only some sedes names none: the business's may be another's. */
export async function inOwnWarehouse<B extends { warehouse_id?: string | undefined }>(
  deps: WritingDeps,
  of: OfWhom,
  body: B,
): Promise<B> {
  if (of.locationIds === null || body.warehouse_id !== undefined) return body;
  const own = (await readWarehouses(deps, of)).find(({ is_default }) => is_default);
  if (own) return { ...body, warehouse_id: own.id };
  throw new ApiError("NO_WAREHOUSE", {
    param: "warehouse_id",
    message: "Su sede no tiene bodega abierta. Pida a quien es dueño del negocio que le abra una en Ajustes → Bodegas.",
  });
}

export interface ShownWarehouse extends WarehouseChoice {
  active: boolean;
  /** How many products it has stock of, or owes. */
  products: number;
}

/** Open and closed ones, with what is in them. */
export async function readStockedWarehouses(deps: WritingDeps, of: OfWhom): Promise<ShownWarehouse[]> {
  const { accountId } = of;
  await readWarehouses(deps, of);
  await countNewMovements(deps.pool, accountId);
  const { rows } = await deps.pool.query<{ warehouse_id: string; products: number }>(sql`
    select warehouse_id, count(*) as products from stock_levels
    where account_id = ${accountId} and stock_milli <> 0 group by warehouse_id`);
  const counts = new Map(rows.map(({ warehouse_id, products }) => [warehouse_id, products]));
  const all = (await readAllWarehouses(deps.pool, accountId)).filter(isOf(of));
  return all.map((one) => ({ ...one, products: counts.get(one.id) ?? 0 }));
}

type StoredWarehouse = Omit<ShownWarehouse, "products">;

async function readAllWarehouses(db: Queryable, accountId: string): Promise<StoredWarehouse[]> {
  const { rows } = await db.query<StoredWarehouse>(sql`
    select id, body ->> 'name' as name, is_default, active,
      case when is_shared then null else coalesce(location_id, account_id) end as location_id
    from warehouses
    where account_id = ${accountId} and deleted_at is null
    order by active desc, is_default desc, 2, id limit ${maxChoices}`);
  return rows;
}

function choiceOf({ id, name, is_default, location_id }: StoredWarehouse): WarehouseChoice {
  return { id, name, is_default, location_id };
}
