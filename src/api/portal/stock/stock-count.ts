import type { Static } from "typebox";
import { createMovement } from "../../../business/inventory/create-movement.ts";
import { findWarehouse } from "../../../business/inventory/find-warehouse.ts";
import type { Queryable } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";
import { label, uuid } from "../../../engine/resources/fields.ts";
import type { Write } from "../../../engine/writing/write.ts";
import { ApiError, validationError } from "../../../lib/errors.ts";
import { Type } from "../../../lib/schema.ts";

export const maxCountLines = 200;
const quantity = Type.Number({ minimum: -999_999_999, maximum: 999_999_999, "x-max-decimals": 3 });

/** A count of what is really there. `expected` is the stock that the person who counted had in front of them. */
export const StockCount = Type.Object(
  {
    warehouse_id: Type.Optional(uuid()),
    reason: label(200),
    lines: Type.Array(
      Type.Object(
        { product_id: uuid(), counted: Type.Number({ ...quantity, minimum: 0 }), expected: quantity },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: maxCountLines },
    ),
  },
  { additionalProperties: false },
);
export type StockCount = Static<typeof StockCount>;

export interface CountedLine {
  product_id: string;
  name: string;
  base_unit: string;
  counted: number;
  expected: number;
  /** The stock at this moment: a sale may have come in since it was counted. */
  stock: number;
  /** The adjustment, and its value at the average cost. */
  difference: number;
  value: number;
}

export interface CountResult {
  object: "stock_count";
  id: string;
  created_at: string;
  updated_at: string;
  adjusted: number;
}

/**
 * What a count would change. The difference is against what was expected when it was counted, not against the stock now: what
 * was sold in between has left the shelf as well.
 */
export async function previewCount(db: Queryable, accountId: string, count: StockCount): Promise<CountedLine[]> {
  requireDistinct(count);
  const ids = count.lines.map((line) => line.product_id.toLowerCase());
  const { rows } = await db.query(sql`
    select p.id, p.body ->> 'name' as name, p.body ->> 'base_unit' as base_unit, (p.body ->> 'unit_cost')::float8 as cost,
      case when ${count.warehouse_id ?? null}::uuid is null then p.stock_milli else coalesce(l.stock_milli, 0) end as milli
    from products p
    left join stock_levels l on l.account_id = p.account_id and l.product_id = p.id
      and l.warehouse_id = ${count.warehouse_id ?? null}::uuid
    where p.account_id = ${accountId} and p.id = any(${ids}::uuid[]) and p.deleted_at is null`);
  const byId = new Map(rows.map((row) => [row.id as string, row]));
  return count.lines.map((line, i) => {
    const row = byId.get(ids[i]!);
    if (!row) throw unknownLine(i);
    const difference = differenceOf(line);
    return {
      product_id: row.id,
      name: row.name,
      base_unit: row.base_unit,
      counted: line.counted,
      expected: line.expected,
      stock: row.milli / 1000,
      difference,
      value: Math.round(difference * row.cost),
    };
  });
}

/** Records one adjustment for each difference, all of them or none, by the rules of POST /inventory/movements. */
export async function recordCount(write: Write, id: string, count: StockCount): Promise<CountResult> {
  requireDistinct(count);
  const warehouse_id = await findWarehouse(write, count.warehouse_id);
  let adjusted = 0;
  for (const [i, line] of count.lines.entries()) {
    const difference = differenceOf(line);
    if (difference === 0) continue;
    const movement = { product_id: line.product_id, type: "adjustment", quantity: difference, warehouse_id } as const;
    await atLine(i, () =>
      createMovement(write, { ...movement, reason: count.reason, reference: `Conteo ${id.slice(-8)}` }),
    );
    adjusted += 1;
  }
  const at = write.at.toISOString();
  return { object: "stock_count", id, created_at: at, updated_at: at, adjusted };
}

/** In thousandths, because 0.3 − 0.1 is not 0.2. */
function differenceOf({ counted, expected }: StockCount["lines"][number]): number {
  return (Math.round(counted * 1000) - Math.round(expected * 1000)) / 1000;
}

function requireDistinct({ lines }: StockCount): void {
  const seen = new Set<string>();
  for (const [i, { product_id }] of lines.entries()) {
    if (seen.has(product_id.toLowerCase()))
      throw validationError([
        { param: `lines.${i}.product_id`, message: "Este producto está dos veces en el conteo. Deje una sola línea." },
      ]);
    seen.add(product_id.toLowerCase());
  }
}

function unknownLine(i: number): ApiError {
  return new ApiError("NOT_FOUND", {
    param: `lines.${i}.product_id`,
    message: "Uno de los productos del conteo ya no existe. Vuelva a abrir la hoja de conteo.",
  });
}

/** An error of one line says which line it was. */
async function atLine<T>(i: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, message, status, extra } = error;
    const param = `lines.${i}.${error.param === "product_id" ? "product_id" : "counted"}`;
    throw new ApiError(code, { message, status, param, extra: { ...extra, errors: [{ param, message }] } });
  }
}
