import { sql } from "../../../db/sql.ts";
import { finding } from "../../../fiscal/findings/finding.ts";
import type { Batch } from "./batch.ts";
import type { Incoming } from "./read-record.ts";

/**
 * Two registers may each have created a default warehouse while offline. Movements without a warehouse go to the older one;
 * every default warehouse is flagged for the owner until only one is left.
 */
export async function flagDefaultWarehouses(
  { write, recordSets, flags }: Batch,
  uploads: readonly Incoming[],
): Promise<void> {
  const upload = uploads.findLast(({ type }) => type === "warehouse");
  if (!upload) return;
  const { rows } = await write.client.query<{ id: string; claims: boolean }>(sql`
    select w.id, w.is_default and w.active as claims from warehouses w
    left join flagged_records f on f.account_id = w.account_id and f.record_id = w.id and f.type = 'warehouse'
    where w.account_id = ${write.accountId} and (w.is_default or f.record_id is not null)`);
  const claims = new Map(rows.map((row) => [row.id, row.claims]));
  for (const { type, id } of uploads) {
    const body = type === "warehouse" ? recordSets.warehouses.get(id)?.body : undefined;
    if (body) claims.set(id, body.is_default && body.active);
  }
  const named = Array.from(claims.keys(), (id) => ({ type: upload.type, id, deviceSeq: upload.deviceSeq }));
  await flags.load(named);
  const count = [...claims.values()].filter(Boolean).length;
  const tooMany = finding("is_default", 1, count, `Hay ${count} bodegas predeterminadas. Deje solo una en las cajas.`);
  for (const one of named) {
    const others = flags.get(one).filter(({ field }) => field !== "is_default");
    flags.set(one, claims.get(one.id) && count > 1 ? [...others, tooMany] : others);
  }
}
