import { type Statement, sql } from "../../db/sql.ts";
import type { Write } from "../../engine/writing/write.ts";
import { ApiError, referenceNotFound } from "../../lib/errors.ts";
import { uuidv7 } from "../../lib/ids.ts";
import { warehouses } from "./resource.ts";
import type { Warehouse } from "./schema.ts";

const firstName = "Principal";

/** The default warehouses that writes have found or made: a write does not see what it has put. */
const defaults = new WeakMap<Write, string>();

/** The warehouse a body names, if it is open, or the account's default one. What registers upload goes where they say. */
export async function findWarehouse(write: Write, id: string | undefined): Promise<string> {
  if (id === undefined) return findDefault(write);
  if (id === defaults.get(write)) return id;
  const named = await write.load(warehouses, id);
  if (!named || named.deletedAt) throw referenceNotFound("warehouse_id", "una bodega");
  if (!named.body.active) {
    throw new ApiError("CONFLICT", {
      param: "warehouse_id",
      message: `La bodega "${named.body.name}" está cerrada y no recibe movimientos. Ábrala en el portal, en Ajustes → Bodegas, o con PATCH /warehouses/{id}; o use otra.`,
    });
  }
  return named.body.id;
}

/** The sede of what moves there: the warehouse's, or the first for one of the whole business. */
export async function placeOf(write: Write, warehouseId: string): Promise<string> {
  const found = await write.load(warehouses, warehouseId);
  return found?.body.location_id ?? write.accountId;
}

/** An account's first warehouse. One from before accounts were born with it gets it when it first needs one. */
export async function ensureWarehouse(write: Write): Promise<void> {
  if (await firstChoice(write)) write.discard();
  else openFirst(write);
}

/**
 * The account's warehouses, the one to use when none is named first: the default one, or else the oldest that is open. Of a sede
 * its own default one comes before, and then any that stands there.
 */
export function firstWarehouse(accountId: string, locationId: string | null = null): Statement {
  return sql`
    select id, active and deleted_at is null as is_open, coalesce(location_id, account_id) as place
    from warehouses where account_id = ${accountId}
    order by 2 desc, id = (
        select (body->>'default_warehouse_id')::uuid from locations where account_id = ${accountId} and id = ${locationId}
      ) desc nulls last,
      (${locationId}::uuid is not null and coalesce(location_id, account_id) = ${locationId} and is_shared is not true) desc,
      is_default desc, created_at, id limit 1`;
}

export function newWarehouse(write: Write, name: string, is_default: boolean): Warehouse {
  const at = write.at.toISOString();
  const made = { object: "warehouse", id: uuidv7(write.at), name, address: null, city: null } as const;
  return { ...made, is_default, active: true, created_at: at, updated_at: at };
}

async function findDefault(write: Write): Promise<string> {
  const known = defaults.get(write);
  if (known !== undefined) return known;
  const found = (await firstChoice(write)) ?? { id: openFirst(write), is_open: true };
  if (!found.is_open) throw new ApiError("NO_WAREHOUSE", { param: "warehouse_id" });
  defaults.set(write, found.id);
  return found.id;
}

async function firstChoice({ client, accountId }: Write): Promise<{ id: string; is_open: boolean } | undefined> {
  const { rows } = await client.query<{ id: string; is_open: boolean }>(firstWarehouse(accountId));
  return rows[0];
}

function openFirst(write: Write): string {
  const body = newWarehouse(write, firstName, true);
  write.put(warehouses, { body });
  return body.id;
}
