import type { Session } from "../../../access/people/session.ts";
import { readTransfer, type Transfer } from "../../../business/inventory/transfers.ts";
import type { Queryable } from "../../../db/pool.ts";
import type { Reads } from "../../../db/shared-reads.ts";
import { sql } from "../../../db/sql.ts";
import type { Position } from "../../../lib/cursor.ts";
import { ApiError } from "../../../lib/errors.ts";

type OfWhom = Pick<Session, "accountId" | "locationIds">;

export type ListedTransfer = Omit<Transfer, "created_at"> & { created_at: Date };

/** Newest first: those that go from or to a sede of hers. */
export async function readTransfers(
  db: Reads,
  { accountId, locationIds }: OfWhom,
  { open, limit, after }: { open: boolean; limit: number; after: Position | undefined },
): Promise<ListedTransfer[]> {
  const { rows } = await db.query<{ created_at: Date; body: string }>(sql`
    select created_at, body from stock_transfers
    where account_id = ${accountId} and (not ${open} or state in ('sent', 'short'))
      and (${locationIds}::uuid[] is null or from_location_id = any(${locationIds}::uuid[])
        or to_location_id = any(${locationIds}::uuid[]))
      and (${after?.createdAt ?? null}::timestamptz is null
        or (created_at, id) < (${after?.createdAt ?? null}, ${after?.id ?? null}::uuid))
    order by created_at desc, id desc limit ${limit}`);
  return rows.map(({ created_at, body }) => ({ ...(JSON.parse(body) as Transfer), created_at }));
}

export async function findTransfer(db: Queryable, { accountId, locationIds }: OfWhom, id: string): Promise<Transfer> {
  const found = await readTransfer(db, accountId, id);
  const isHers = ({ location_id }: Transfer["from"]) =>
    locationIds === null || (location_id !== null && locationIds.includes(location_id));
  if (found && (isHers(found.from) || isHers(found.to))) return found;
  throw new ApiError("NOT_FOUND", { param: "id", message: "No existe este traslado en las sedes que usted ve." });
}

export interface OnTheWay {
  product_id: string;
  name: string;
  base_unit: string;
  quantity: number;
}

/** What has left a warehouse and arrived in none, by product; of her sedes, what they sent or wait for. */
export async function readOnTheWay(db: Queryable, { accountId, locationIds }: OfWhom): Promise<OnTheWay[]> {
  const { rows } = await db.query<OnTheWay>(sql`
    select l ->> 'product_id' as product_id, max(l ->> 'name') as name, max(l ->> 'base_unit') as base_unit,
      sum((l ->> 'sent')::numeric - (l ->> 'received')::numeric - (l ->> 'settled')::numeric)::float8 as quantity
    from stock_transfers t cross join lateral json_array_elements(t.body -> 'lines') l
    where t.account_id = ${accountId} and t.state in ('sent', 'short')
      and (${locationIds}::uuid[] is null or t.from_location_id = any(${locationIds}::uuid[])
        or t.to_location_id = any(${locationIds}::uuid[]))
    group by 1 having sum((l ->> 'sent')::numeric - (l ->> 'received')::numeric - (l ->> 'settled')::numeric) > 0
    order by 2, 1 limit 1000`);
  return rows;
}

export interface Destination {
  id: string;
  name: string;
  location_id: string | null;
  location_name: string | null;
}

/** Every open warehouse of the business with the name of its sede, and nothing of what is in it. */
export async function readDestinations(db: Queryable, accountId: string): Promise<Destination[]> {
  const { rows } = await db.query<Destination>(sql`
    select w.id, w.body ->> 'name' as name, l.id as location_id, l.body ->> 'name' as location_name
    from warehouses w left join locations l
      on l.account_id = w.account_id and w.is_shared is not true and l.id = coalesce(w.location_id, w.account_id)
    where w.account_id = ${accountId} and w.active and w.deleted_at is null order by 4 nulls last, 2, 1 limit 1000`);
  return rows;
}
