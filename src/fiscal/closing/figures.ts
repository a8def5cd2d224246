import type { Queryable } from "../../db/pool.ts";
import { prepared } from "../../db/sql.ts";
import type { TaxTotal } from "../../taxes/tax.ts";

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
  payments: [],
};

/** A query for sales or for what reverses them: one column `body`, json, of a sale, a return or a note. */
export interface Chosen {
  text: string;
  values: unknown[];
}

/** Summed in the database: a day of a large shop is thousands of sales. */
export async function readFigures(db: Queryable, chosen: Chosen): Promise<Figures> {
  const query = async <Row extends object>(select: string) =>
    (await db.query<Row>(prepared(`with chosen as materialized (${chosen.text}) ${select}`, chosen.values))).rows;
  const payments = await query<PaymentRow>(`
    select coalesce(body->>'payment_method', '') as payment_method, count(*)::int as count,
      sum((body->>'total')::bigint)::bigint as amount, sum((body->>'discount')::bigint)::bigint as discount,
      sum((body->>'tax')::bigint)::bigint as tax, sum((body->>'tip_amount')::bigint)::bigint as tip
    from chosen group by 1 order by amount desc, 1`);
  if (payments.length === 0) return noFigures;
  const taxes = await query<TaxTotal>(`
    select t.code, t.rate::float8 as rate, t.per_unit, sum(t.base)::bigint as base, sum(t.amount)::bigint as amount
    from chosen cross join lateral json_to_recordset(
      case json_typeof(body->'tax_breakdown') when 'array' then body->'tax_breakdown' else '[]' end)
      as t(code text, rate numeric, per_unit bigint, base bigint, amount bigint)
    group by t.code, t.rate, t.per_unit order by t.code, t.rate desc nulls last`);
  const [others] = await query<{ amount: number | null }>(`
    select sum(coalesce(i.subtotal, i.extension))::bigint as amount
    from chosen cross join lateral json_to_recordset(coalesce(body->'items', body->'lines'))
      as i(tax_class text, subtotal bigint, extension bigint)
    where i.tax_class = 'passthrough'`);
  const sum = (of: (row: PaymentRow) => number | null) => payments.reduce((all, row) => all + (of(row) ?? 0), 0);
  return {
    count: sum(({ count }) => count),
    total: sum(({ amount }) => amount),
    discount: sum(({ discount }) => discount),
    tax: sum(({ tax }) => tax),
    tip: sum(({ tip }) => tip),
    passthrough: others?.amount ?? 0,
    taxes,
    payments: payments.map(({ payment_method, count, amount }) => ({ payment_method, count, amount })),
  };
}

interface PaymentRow extends PaymentFigure {
  discount: number | null;
  tax: number | null;
  tip: number | null;
}
