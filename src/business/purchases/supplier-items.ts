import { type Statement, sql } from "../../db/sql.ts";
import type { Write } from "../../engine/writing/write.ts";
import type { Purchase, PurchaseLine } from "./schema.ts";

/** What a supplier sells: his code, our product, how it comes and what it cost last. */
export interface SupplierItem {
  key: string;
  code: string | null;
  product_id: string;
  variant_id: string | null;
  description: string | null;
  unit: string;
  factor: number;
  last_cost: number;
}

type Reader = Pick<Write, "client" | "accountId">;

/** Of these codes and products, what the supplier has sold before. */
export async function itemsOfSupplier(
  { client, accountId }: Reader,
  supplierId: string,
  { codes = [], productIds = [] }: { codes?: readonly string[]; productIds?: readonly string[] },
): Promise<SupplierItem[]> {
  if (codes.length === 0 && productIds.length === 0) return [];
  const { rows } = await client.query<SupplierItem>(sql`
    select key, code, product_id, variant_id, description, unit, factor::float8 as factor, last_cost::float8 as last_cost
    from supplier_items where account_id = ${accountId} and supplier_id = ${supplierId}
      and (code = any(${[...codes]}::text[]) or product_id = any(${[...productIds]}::uuid[]))
    order by bought_at desc, key`);
  return rows;
}

/** Their code names it, or else our product does. */
const keyOf = ({
  supplier_code,
  product_id,
  variant_id,
}: Pick<PurchaseLine, "supplier_code" | "product_id" | "variant_id">) =>
  supplier_code ?? `=${product_id}${variant_id === null ? "" : ` ${variant_id}`}`;

/** Keeps what lines say of what the supplier sells, for the next purchase and the next invoice. */
export function rememberItems(
  { accountId, at }: Pick<Write, "accountId" | "at">,
  { supplier_id, lines }: Pick<Purchase, "supplier_id" | "lines">,
): Statement[] {
  const known = lines.filter(({ product_id }) => product_id !== null);
  // One statement may not touch a row twice: of two lines of the same, the last one counts.
  const rows = [...new Map(known.map((line) => [keyOf(line), line])).entries()];
  if (rows.length === 0) return [];
  const column = <T>(value: (line: PurchaseLine) => T) => rows.map(([, line]) => value(line));
  return [
    sql`
      insert into supplier_items (account_id, supplier_id, key, code, product_id, variant_id, description, unit, factor,
        last_cost, bought_at)
      select ${accountId}::uuid, ${supplier_id}::uuid, key, code, product_id, variant_id, description, unit, factor, cost,
        ${at}::timestamptz
      from unnest(${rows.map(([key]) => key)}::text[], ${column((line) => line.supplier_code)}::text[],
        ${column((line) => line.product_id)}::uuid[], ${column((line) => line.variant_id)}::uuid[],
        ${column((line) => line.description)}::text[], ${column((line) => line.unit)}::text[],
        ${column((line) => line.factor)}::numeric[], ${column((line) => line.unit_cost)}::numeric[])
        as bought (key, code, product_id, variant_id, description, unit, factor, cost)
      on conflict (account_id, supplier_id, key) do update set product_id = excluded.product_id,
        variant_id = excluded.variant_id, description = excluded.description, unit = excluded.unit,
        factor = excluded.factor, last_cost = excluded.last_cost, bought_at = excluded.bought_at`,
  ];
}
