import { sql } from "../../db/sql.ts";
import type { Write } from "../../engine/writing/write.ts";
import { requireOpenLocation } from "../locations/registers.ts";
import type { OrderFulfilment } from "./schema.ts";

/**
 * The sede that gets an order: the one that it names, or the only open one in the municipality where it goes, or the first, which
 * every business has.
 */
export async function placeOf(
  { client, accountId }: Pick<Write, "client" | "accountId">,
  named: string | undefined,
  { type, municipality }: OrderFulfilment,
): Promise<string> {
  if (named !== undefined) {
    await requireOpenLocation(client, accountId, named);
    return named.toLowerCase();
  }
  if (type !== "delivery" || municipality === null) return accountId;
  const { rows } = await client.query<{ id: string }>(sql`
    select id from locations where account_id = ${accountId} and active and body->>'municipality' = ${municipality}
    order by created_at, id limit 2`);
  const [only, another] = rows;
  return only && !another ? only.id : accountId;
}
