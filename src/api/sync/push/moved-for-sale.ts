import { plainArray } from "../../../db/arrays.ts";
import { sql } from "../../../db/sql.ts";
import { isOfSale } from "./judge-rights.ts";
import { type Fields, fieldIn, type Incoming, idIn } from "./read-record.ts";
import type { WorkingSet } from "./working-set.ts";

/** Movements have three decimals, and so may each line of a sale. */
const rounded = 0.0015;

const keyOf = (saleId: string, productId: string, type: string) => `${saleId} ${productId} ${type}`;
const shown = (quantity: number) => String(Math.round(quantity * 1000) / 1000).replace(".", ",");

/**
 * What is wrong with each movement that names a sale: there is no such sale, or it moves what is not in it, or more than is. A register
 * uploads a sale before what it moves; each kind of movement is counted by itself, since what was taken back may be taken back once.
 */
export async function wronglyMoved(batch: WorkingSet, records: readonly Incoming[]): Promise<Map<Incoming, string>> {
  const named = records.filter(({ type, data }) => type === "stock_movement" && isOfSale(data));
  const found = new Map<Incoming, string>();
  if (named.length === 0) return found;
  const moved = await movedBefore(batch, named);
  await loadSold(batch, named);
  for (const record of named) {
    const { data } = record;
    const saleId = idIn(data, "sale_id") ?? "";
    const productId = idIn(data, "product_id") ?? "";
    const sale = batch.recordSets.sales.get(saleId)?.body;
    if (!sale) {
      found.set(record, "El movimiento nombra una venta que no existe.");
      continue;
    }
    const key = keyOf(saleId, productId, String(data.type));
    const all = (moved.get(key) ?? 0) + Math.abs(fieldIn(data, "quantity", 0));
    moved.set(key, all);
    const lines = sale.items.filter(({ product_id }) => product_id === productId);
    const sold = lines.reduce((sum, { quantity }) => sum + quantity, 0);
    const isMade = lines.length === 0 && sale.items.some((item) => isComposite(batch, item.product_id));
    if (all <= sold + rounded * Math.max(1, lines.length) || isMade) continue;
    const name = `«${batch.recordSets.products.get(productId)?.body.name ?? "un producto que no existe"}»`;
    const has = lines.length === 0 ? "no tiene ese producto" : `tiene ${shown(sold)}`;
    found.set(record, `Por la venta que nombra se han movido ${shown(all)} de ${name}, y la venta ${has}.`);
  }
  return found;
}

/** What else is in a sale whose movement is of nothing in it. */
async function loadSold({ recordSets }: WorkingSet, movements: readonly Incoming[]): Promise<void> {
  const sold = movements.flatMap(({ data }) => {
    const items = recordSets.sales.get(idIn(data, "sale_id") ?? "")?.body.items ?? [];
    const ids = items.flatMap(({ product_id }) => product_id ?? []);
    return ids.includes(idIn(data, "product_id") ?? "") ? [] : ids;
  });
  await recordSets.products.load(sold);
}

/** Only its register knows what goes into it. */
const isComposite = ({ recordSets }: WorkingSet, id: string | null) =>
  recordSets.products.get(id ?? "")?.body.kind === "composite";

/** By earlier pushes; a sale that is new with this one has moved nothing. */
async function movedBefore(
  { write, events }: WorkingSet,
  movements: readonly { id: string; data: Fields }[],
): Promise<Map<string, number>> {
  const isNew = new Set(events.flatMap(({ type, body }) => (type === "sale.created" ? body.id : [])));
  const saleIds = movements.flatMap(({ data }) => idIn(data, "sale_id") ?? []).filter((id) => !isNew.has(id));
  if (saleIds.length === 0) return new Map();
  const { rows } = await write.client.query<{ sale_id: string; product_id: string; type: string; moved: string }>(sql`
    select sale_id, product_id, type, (sum(abs(delta_milli)) / 1000.0)::text as moved from stock_movements
    where account_id = ${write.accountId} and sale_id = any(${plainArray([...new Set(saleIds)])}::uuid[])
      and id <> all(${plainArray(movements.map(({ id }) => id))}::uuid[])
    group by 1, 2, 3`);
  return new Map(rows.map(({ sale_id, product_id, type, moved }) => [keyOf(sale_id, product_id, type), Number(moved)]));
}
