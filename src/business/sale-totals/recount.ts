import { passthroughSql, paymentPartsSql, reversals, soldSales } from "./definition.ts";
import { nilUuid, type TotalsName } from "./tables.ts";

/** Which records: a condition on the table or subquery of that name. */
export type Within = (records: string) => string;

const local = (table: string) => `${table}.occurred_at at time zone 'America/Bogota' as at`;

/** Sales that count, and what was taken back of them with the opposite sign. */
const records = (within: Within) => `(
  select s.account_id, s.device_id, s.cash_session_id, ${local("s")}, s.body, s.body->'items' as lines, s.payments, 1 as sign
  from ${soldSales} s where ${within("s")}
  union all
  select b.account_id, b.device_id, b.cash_session_id, ${local("b")}, b.body, b.body->'lines', b.payments, -1
  from ${reversals} b where ${within("b")}) records`;

const sum = (value: string) => `sum(sign * (${value})::numeric)`;
const once = (value: string) => `coalesce(${sum(value)} filter (where is_main), 0)`;
const passthrough = passthroughSql("lines");
const tickets = "count(*) filter (where sign = 1 and is_main)";
const returned = `coalesce(sum((body->>'total')::numeric - (body->>'tip_amount')::numeric - ${passthrough})
  filter (where sign = -1 and is_main), 0)`;

/** Of records with each part of their payments: in the order of the tables' sums. */
const sold = `${tickets}, ${sum("amount")}, ${once("body->>'tax'")}, ${once("body->>'discount'")}, ${once("body->>'tip_amount'")},
  ${returned}, ${once(passthrough)}`;
const parts = `cross join lateral ${paymentPartsSql("body", "payments")} part`;

/**
 * The totals, added up from the records themselves, with the account and the table's columns in their order: for `verify`, and where
 * the definition has changed under totals that are kept.
 */
export const recounted: Record<TotalsName, (within: Within) => string> = {
  hours: (within) => `select account_id, at::date, extract(hour from at)::smallint, ${sold}
    from ${records(within)} ${parts} group by 1, 2, 3`,
  shifts: (
    within,
  ) => `select account_id, at::date, coalesce(device_id, '${nilUuid}'), coalesce(cash_session_id, '${nilUuid}'),
      left(payment_method, 60), ${sold}, count(*) filter (where sign = 1)
    from ${records(within)} ${parts} group by 1, 2, 3, 4, 5`,
  products: (within) => `select account_id, at::date, coalesce((line->>'product_id')::uuid, '${nilUuid}'),
      count(*) filter (where sign = 1), ${sum("line->>'quantity'")}, ${sum("line->>'subtotal'")}
    from ${records(within)} cross join lateral json_array_elements(lines) as line group by 1, 2, 3`,
  taxes: (
    within,
  ) => `select account_id, at::date, left(tax->>'code', 60), coalesce(tax->>'rate', ''), ${sum("tax->>'base'")},
      ${sum("tax->>'amount'")}
    from (select account_id, at, sign, case when json_typeof(body->'tax_breakdown') = 'array' then body->'tax_breakdown'
        when (body->>'tax')::numeric = 0 then '[]'
        else json_build_array(json_build_object('code', '', 'rate', null, 'amount', body->'tax',
          'base', (body->>'total')::numeric - (body->>'tip_amount')::numeric - (body->>'tax')::numeric)) end as list
      from ${records(within)}) listed
    cross join lateral json_array_elements(list) as tax
    group by 1, 2, 3, 4`,
};
