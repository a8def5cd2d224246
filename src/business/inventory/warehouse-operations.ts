import { sql } from "../../db/sql.ts";
import type { Loaded } from "../../engine/resources/resource.ts";
import type { Operations } from "../../engine/writing/operations.ts";
import type { Write } from "../../engine/writing/write.ts";
import { ApiError, validationError } from "../../lib/errors.ts";
import { requireOpenLocation } from "../locations/registers.ts";
import { newWarehouse } from "./find-warehouse.ts";
import { warehouses } from "./resource.ts";
import { NewWarehouse, type Warehouse, WarehouseChanges } from "./schema.ts";

/** Warehouses produce no events in this version. Of those that are open, one is the default. */
export const warehouseOperations: Operations<Warehouse> = {
  create: { body: NewWarehouse, run: createWarehouse, errors: ["NOT_FOUND"] },
  update: { body: WarehouseChanges, run: updateWarehouse },
};

interface Other {
  id: string;
  is_default: boolean;
}

export async function createWarehouse(write: Write, input: NewWarehouse): Promise<Warehouse> {
  const others = await openOthers(write, null);
  const isDefault = input.is_default === true || !others.some(({ is_default }) => is_default);
  await requireOpenLocation(write.client, write.accountId, input.location_id);
  const made = newWarehouse(write, input.name, isDefault);
  const body = input.location_id === undefined ? made : { ...made, location_id: lowered(input.location_id) };
  write.put(warehouses, { body });
  if (isDefault) {
    await takeDefaultFrom(write, others);
    liftFlags(write);
  }
  return body;
}

export async function updateWarehouse(
  write: Write,
  { body: before }: Loaded<Warehouse>,
  changes: WarehouseChanges,
): Promise<Warehouse> {
  const others = await openOthers(write, before.id);
  const { location_id } = changes;
  await requireOpenLocation(write.client, write.accountId, location_id);
  const wanted = { ...before, ...changes, ...(location_id !== undefined && { location_id: lowered(location_id) }) };
  refuseWithoutDefault(before, wanted, changes, others);
  const hasDefault = others.some(({ is_default }) => is_default);
  const is_default = wanted.active && (wanted.is_default || !hasDefault);
  const body: Warehouse = { ...wanted, is_default, updated_at: write.at.toISOString() };
  write.put(warehouses, { body });
  // Registers may have made two: renaming one of them decides nothing.
  const isChosen = is_default && (changes.is_default === true || !isOpenDefault(before));
  if (isChosen) await takeDefaultFrom(write, others);
  const left = (is_default ? 1 : 0) + (isChosen ? 0 : others.filter((one) => one.is_default).length);
  if (left <= 1) liftFlags(write);
  return body;
}

const lowered = (id: string | null) => id?.toLowerCase() ?? null;

function isOpenDefault({ is_default, active }: Warehouse): boolean {
  return is_default && active;
}

/** Changes that would leave open warehouses without a default one. */
function refuseWithoutDefault(
  before: Warehouse,
  wanted: Warehouse,
  changes: WarehouseChanges,
  others: readonly Other[],
): void {
  if (changes.is_default === true && !wanted.active)
    throw validationError([
      { param: "is_default", message: "Una bodega cerrada no puede ser la predeterminada. Ábrala primero." },
    ]);
  if (!isOpenDefault(before) || others.some(({ is_default }) => is_default)) return;
  if (!wanted.active && others.length > 0)
    throw new ApiError("CONFLICT", {
      param: "active",
      message: "Es la bodega predeterminada. Haga predeterminada otra bodega y después ciérrela.",
    });
  if (wanted.active && !wanted.is_default)
    throw new ApiError("CONFLICT", {
      param: "is_default",
      message: "Siempre hay una bodega predeterminada. Haga predeterminada otra y esta deja de serlo.",
    });
}

/** Far more than anybody has; the default ones come first. */
const maxOthers = 1_000;

async function openOthers({ client, accountId }: Write, id: string | null): Promise<Other[]> {
  const { rows } = await client.query<Other>(sql`
    select id, is_default from warehouses
    where account_id = ${accountId} and id is distinct from ${id}::uuid and active and deleted_at is null
    order by is_default desc limit ${maxOthers}`);
  return rows;
}

async function takeDefaultFrom(write: Write, others: readonly Other[]): Promise<void> {
  const ids = others.filter(({ is_default }) => is_default).map(({ id }) => id);
  const updated_at = write.at.toISOString();
  for (const { body } of (await write.loadMany(warehouses, ids)).values())
    write.put(warehouses, { body: { ...body, is_default: false, updated_at } });
}

/** Two default warehouses of two registers are flagged until one is left: see api/sync/push/flag-duplicates.ts. */
function liftFlags(write: Write): void {
  write.addStatement(sql`
    update flagged_records set findings =
      (select coalesce(json_agg(f), '[]') from json_array_elements(findings) f where f ->> 'field' <> 'is_default')
    where account_id = ${write.accountId} and type = 'warehouse'`);
  write.addStatement(sql`
    delete from flagged_records
    where account_id = ${write.accountId} and type = 'warehouse' and json_array_length(findings) = 0`);
}
