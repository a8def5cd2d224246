import { passthroughSql, paymentPartsSql } from "../../business/sale-totals/definition.ts";
import type { Queryable } from "../../db/pool.ts";
import { prepared } from "../../db/sql.ts";
import type { TaxTotal } from "../../taxes/tax.ts";
import { addRates } from "./rates.ts";

export interface PaymentFigure {
  payment_method: string;
  count: number;
  amount: number;
}

/** Sums over some sales. All amounts are pesos. */
export interface Figures {
  count: number;
  /** Lines less discounts, with taxes and tips. */
  total: number;
  discount: number;
  tax: number;
  tip: number;
  /** Collected for third parties: no income of the business. */
  passthrough: number;
  taxes: TaxTotal[];
  /** The same with what bears no tax: together their bases and amounts are the total without tips and third parties. */
  rates: TaxTotal[];
  payments: PaymentFigure[];
}

export const noFigures: Figures = {
  count: 0,
  total: 0,
  discount: 0,
  tax: 0,
  tip: 0,
  passthrough: 0,
  taxes: [],
  rates: [],
  payments: [],
};

/**
 * A query for sales or for what reverses them: `body`, json, of a sale, a return or a note, and `payments`, the parts of a
 * mixed payment as JSON text, or null.
 */
export interface Chosen {
  text: string;
  values: unknown[];
}

/** Summed in the database: a day of a large shop is thousands of sales. Only what bears no tax is told line by line. */
export async function readFigures(db: Queryable, chosen: Chosen): Promise<Figures> {
  const query = async <Row extends object>(select: string) =>
    (await db.query<Row>(prepared(`with chosen as materialized (${chosen.text}) ${select}`, chosen.values))).rows;
  const [sums] = await query<Sums>(sumsText);
  if (!sums || sums.count === 0) return noFigures;
  const [others] = await query<{ amount: number | null }>(passthroughText);
  return {
    ...sums,
    passthrough: others?.amount ?? 0,
    taxes: await query<TaxTotal>(taxesText),
    rates: await addRates(await query<{ body: string }>("select body from chosen")),
    payments: await query<PaymentFigure>(paymentsText),
  };
}

type Sums = Pick<Figures, "count" | "total" | "discount" | "tax" | "tip">;

const sum = (field: string) => `coalesce(sum((body->>'${field}')::numeric), 0)`;

const sumsText = `
  select count(*)::int as count, ${sum("total")} as total, ${sum("discount")} as discount, ${sum("tax")} as tax,
    ${sum("tip_amount")} as tip
  from chosen`;

const paymentsText = `
  select coalesce(m.payment_method, '') as payment_method, count(*)::int as count, sum(m.amount) as amount
  from chosen cross join lateral ${paymentPartsSql("body", "payments")} m
  group by 1 order by amount desc, 1`;

const taxesText = `
  select t.code, t.rate::float8 as rate, t.per_unit, sum(t.base) as base, sum(t.amount) as amount
  from chosen cross join lateral json_to_recordset(
    case json_typeof(body->'tax_breakdown') when 'array' then body->'tax_breakdown' else '[]' end)
    as t(code text, rate numeric, per_unit numeric, base numeric, amount numeric)
  group by t.code, t.rate, t.per_unit order by t.code, t.rate desc nulls last`;

const passthroughText = `
  select sum(${passthroughSql("coalesce(body->'items', body->'lines')")}) as amount from chosen`;
