import { passthroughSql, paymentPartsSql, reversals, soldSales } from "./definition.ts";
import { nilUuid, type TotalsName } from "./tables.ts";

/** Which records: a condition on the table or subquery of that name. */
export type Within = (records: string) => string;

const local = (table: string) => `${table}.occurred_at at time zone 'America/Bogota' as at`;

/** Sales that count, and what was taken back of them with the opposite sign. */
const records = (within: Within) => `(
  select s.account_id, s.device_id, s.cash_session_id, s.location_id, ${local("s")}, s.body, s.body->'items' as lines, s.payments, 1 as sign
  from ${soldSales} s where ${within("s")}
  union all
  select b.account_id, b.device_id, b.cash_session_id, b.location_id, ${local("b")}, b.body, b.body->'lines', b.payments, -1
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

/** The keys of each table after the account's, its sums, and where they are read, of records. */
const counted: Record<TotalsName, { keys: string[]; sums: string; from: (records: string) => string }> = {
  hours: {
    keys: ["at::date", "extract(hour from at)::smallint"],
    sums: sold,
    from: (all) => `${all} ${parts}`,
  },
  shifts: {
    keys: [
      "at::date",
      `coalesce(device_id, '${nilUuid}')`,
      `coalesce(cash_session_id, '${nilUuid}')`,
      "left(payment_method, 60)",
    ],
    sums: `${sold}, count(*) filter (where sign = 1)`,
    from: (all) => `${all} ${parts}`,
  },
  products: {
    keys: ["at::date", `coalesce((line->>'product_id')::uuid, '${nilUuid}')`],
    sums: `count(*) filter (where sign = 1), ${sum("line->>'quantity'")}, ${sum("line->>'subtotal'")}`,
    from: (all) => `${all} cross join lateral json_array_elements(lines) as line`,
  },
  taxes: {
    keys: ["at::date", "left(tax->>'code', 60)", "coalesce(tax->>'rate', '')"],
    sums: `${sum("tax->>'base'")}, ${sum("tax->>'amount'")}`,
    from: (
      all,
    ) => `(select account_id, location_id, at, sign, case when json_typeof(body->'tax_breakdown') = 'array' then body->'tax_breakdown'
        when (body->>'tax')::numeric = 0 then '[]'
        else json_build_array(json_build_object('code', '', 'rate', null, 'amount', body->'tax',
          'base', (body->>'total')::numeric - (body->>'tip_amount')::numeric - (body->>'tax')::numeric)) end as list
      from ${all}) listed
    cross join lateral json_array_elements(list) as tax`,
  },
};

function counting(name: TotalsName, first: readonly string[], within: Within): string {
  const { keys, sums, from } = counted[name];
  const all = [...first, ...keys];
  return `select ${[...all, sums].join(", ")} from ${from(records(within))} group by ${all.map((_, i) => i + 1).join(", ")}`;
}

type Counting = Record<TotalsName, (within: Within) => string>;

/**
 * The totals, added up from the records themselves, with the account and the table's columns in their order: for `verify`, and where
 * the definition has changed under totals that are kept.
 */
export const recounted: Counting = {
  hours: (within) => counting("hours", ["account_id"], within),
  shifts: (within) => counting("shifts", ["account_id"], within),
  products: (within) => counting("products", ["account_id"], within),
  taxes: (within) => counting("taxes", ["account_id"], within),
};

/** The same of each sede but the first. */
export function recountedByLocation(name: TotalsName, within: Within): string {
  return counting(name, ["account_id", "location_id"], (t) => `${within(t)} and ${t}.location_id is not null`);
}
