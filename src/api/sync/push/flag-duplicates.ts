import { codesOf, skusOf } from "../../../business/products/resource.ts";
import type { Product } from "../../../business/products/schema.ts";
import { sql } from "../../../db/sql.ts";
import { finding } from "../../../fiscal/findings/finding.ts";
import { must } from "../../../lib/must.ts";
import { storedFlags } from "./flags.ts";
import type { Incoming } from "./read-record.ts";
import type { WorkingSet } from "./working-set.ts";

/**
 * Two registers may each have assigned the same code while offline, as a SKU or as another code. Both are accepted, since the
 * shop scans both; the later arrival is recorded as a conflict once, and not again when either product is edited. No upload
 * record is its source, so its device_seq is 0. The API rejects a code that is taken.
 */
export async function flagTakenCodes(batch: WorkingSet): Promise<void> {
  const { write, recordSets } = batch;
  const changed = [...batch.newCodes].flatMap(([id, codes]) => {
    const { body } = must(recordSets.products.get(id), "A product with new codes has been applied");
    return currentCodes(body).flatMap((code) =>
      codes.has(code) ? [{ id, code, isSku: skusOf(body).includes(code) }] : [],
    );
  });
  if (changed.length === 0) return;
  const wanted = changed.map(({ code }) => code);
  const { rows } = await write.client.query<{ id: string; codes: string[] }>(sql`
    select id, skus || barcodes as codes from products
    where account_id = ${write.accountId} and deleted_at is null
      and (skus && ${wanted}::text[] or (barcodes <> '{}' and barcodes && ${wanted}::text[]))`);
  const holders = new Map<string, string>();
  for (const { id, codes } of rows) {
    const now = recordSets.products.get(id);
    for (const code of now ? currentCodes(now.body).filter((one) => codes.includes(one)) : codes) holders.set(code, id);
  }
  for (const { id, code, isSku } of changed) {
    const holder = holders.get(code);
    const unit = isSku ? "sku" : "barcodes";
    if (holder !== undefined && holder !== id)
      batch.addConflict({ deviceSeq: 0, type: "product", id }, { unit, kept: holder, lost: code });
    else holders.set(code, id);
  }
}

function currentCodes(body: Product): string[] {
  return body.deleted_at ? [] : codesOf(body);
}

/**
 * Two registers may each have created a default warehouse while offline. Movements without a warehouse go to the older one;
 * every default warehouse is flagged for the owner until only one is left.
 */
export async function flagDefaultWarehouses(
  { write, recordSets, flags }: WorkingSet,
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
  flags.add(await write.read(storedFlags(write.accountId, named)));
  const count = [...claims.values()].filter(Boolean).length;
  const tooMany = finding(
    "is_default",
    1,
    count,
    `Hay ${count} bodegas predeterminadas. Elija una en el portal, en Bodegas.`,
  );
  for (const one of named) {
    const others = flags.get(one).filter(({ field }) => field !== "is_default");
    flags.set(one, claims.get(one.id) && count > 1 ? [...others, tooMany] : others);
  }
}
