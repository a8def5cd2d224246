import { nilUuid } from "../../business/sale-totals/move-totals.ts";
import type { ConsistencyCheck } from "./consistency-checks.ts";

interface TotalsTable {
  table: string;
  problem: string;
  keys: readonly string[];
  sums: readonly string[];
  /** The same sums from the records, with the keys and sums in their order. */
  counted: string;
}

/** Completed sales, and what was returned of them, with the opposite sign, on the day of the return. */
const records = `(
  select account_id, device_id, cash_session_id, occurred_at at time zone 'America/Bogota' as at, body, body->'items' as lines, 1 as sign
  from sales where status = 'completed'
  union all
  select r.account_id, r.device_id, r.cash_session_id, r.occurred_at at time zone 'America/Bogota', r.body, r.body->'lines', -1
  from returns r join sales s on s.account_id = r.account_id and s.id = r.sale_id where s.status = 'completed') records`;
const sum = (value: string) => `sum(sign * (${value})::numeric)`;

/** The totals, added up again from the records themselves. Rows of which nothing is left may stay, with zeros. */
const tables: readonly TotalsTable[] = [
  {
    table: "sale_hours",
    problem: "los totales por hora no son la suma de las ventas",
    keys: ["day", "hour", "device_id", "cash_session_id", "payment_method"],
    sums: ["tickets", "total", "tax", "discount", "tip", "returned"],
    counted: `select account_id, at::date, extract(hour from at)::smallint, coalesce(device_id, '${nilUuid}'),
        coalesce(cash_session_id, '${nilUuid}'), left(body->>'payment_method', 60), count(*) filter (where sign = 1),
        ${sum("body->>'total'")}, ${sum("body->>'tax'")}, ${sum("body->>'discount'")}, ${sum("body->>'tip_amount'")},
        sum((body->>'total')::numeric) filter (where sign = -1)
      from ${records} group by 1, 2, 3, 4, 5, 6`,
  },
  {
    table: "sale_products",
    problem: "los totales por producto no son la suma de las ventas",
    keys: ["day", "product_id"],
    sums: ["lines", "quantity", "amount"],
    counted: `select account_id, at::date, coalesce((line->>'product_id')::uuid, '${nilUuid}'),
        count(*) filter (where sign = 1), ${sum("line->>'quantity'")}, ${sum("line->>'subtotal'")}
      from ${records} cross join lateral json_array_elements(lines) as line group by 1, 2, 3`,
  },
  {
    table: "sale_taxes",
    problem: "los totales por impuesto no son la suma de las ventas",
    keys: ["day", "code", "rate"],
    sums: ["base", "amount"],
    counted: `select account_id, at::date, left(tax->>'code', 60), coalesce(tax->>'rate', ''), ${sum("tax->>'base'")},
        ${sum("tax->>'amount'")}
      from ${records} cross join lateral json_array_elements(
        case when json_typeof(body->'tax_breakdown') = 'array' then body->'tax_breakdown'
          when (body->>'tax')::numeric = 0 then '[]'
          else json_build_array(json_build_object('code', '', 'rate', null, 'amount', body->'tax',
            'base', (body->>'total')::numeric - (body->>'tip_amount')::numeric - (body->>'tax')::numeric)) end) as tax
      group by 1, 2, 3, 4`,
  },
];

export const totalChecks: readonly ConsistencyCheck[] = tables.map(({ table, problem, keys, sums, counted }) => {
  const key = ["account_id", ...keys].join(", ");
  const differs = sums.map((name) => `coalesce(kept.${name}, 0) <> coalesce(counted.${name}, 0)`).join(" or ");
  const shown = (of: string) => `concat_ws('/', ${sums.map((name) => `coalesce(${of}.${name}, 0)`).join(", ")})`;
  return {
    problem,
    text: `select format('cuenta %s, %s: %s ≠ %s', account_id, concat_ws(' ', ${keys.join(", ")}), ${shown("kept")}, ${shown("counted")}) as "where"
      from (select ${key}, ${sums.join(", ")} from ${table}) kept
      full join (${counted}) counted(${key}, ${sums.join(", ")}) using (${key})
      where ${differs}`,
  };
});
