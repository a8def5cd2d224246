import { nilUuid } from "../../business/sale-totals/move-totals.ts";
import type { ConsistencyCheck } from "./consistency-checks.ts";

const local = "s.occurred_at at time zone 'America/Bogota'";
const day = `(${local})::date`;

interface TotalsTable {
  table: string;
  problem: string;
  keys: readonly string[];
  sums: readonly string[];
  /** The same sums from the sales, with the keys and sums in their order. */
  counted: string;
}

/** The totals of the sales, added up again from the sales themselves. Rows of which nothing is left may stay, with zeros. */
const tables: readonly TotalsTable[] = [
  {
    table: "sale_hours",
    problem: "los totales por hora no son la suma de las ventas",
    keys: ["day", "hour", "device_id", "cash_session_id", "payment_method"],
    sums: ["tickets", "total", "tax", "discount", "tip"],
    counted: `select s.account_id, ${day}, extract(hour from ${local})::smallint, coalesce(s.device_id, '${nilUuid}'),
        coalesce(s.cash_session_id, '${nilUuid}'), left(s.body->>'payment_method', 60), count(*), sum((s.body->>'total')::numeric),
        sum((s.body->>'tax')::numeric), sum((s.body->>'discount')::numeric), sum((s.body->>'tip_amount')::numeric)
      from sales s where s.status = 'completed' group by 1, 2, 3, 4, 5, 6`,
  },
  {
    table: "sale_products",
    problem: "los totales por producto no son la suma de las ventas",
    keys: ["day", "product_id"],
    sums: ["lines", "quantity", "amount"],
    counted: `select s.account_id, ${day}, coalesce((item->>'product_id')::uuid, '${nilUuid}'), count(*),
        sum((item->>'quantity')::numeric), sum((item->>'subtotal')::numeric)
      from sales s cross join lateral json_array_elements(s.body->'items') as item
      where s.status = 'completed' group by 1, 2, 3`,
  },
  {
    table: "sale_taxes",
    problem: "los totales por impuesto no son la suma de las ventas",
    keys: ["day", "code", "rate"],
    sums: ["base", "amount"],
    counted: `select s.account_id, ${day}, left(tax->>'code', 60), coalesce(tax->>'rate', ''),
        sum((tax->>'base')::numeric), sum((tax->>'amount')::numeric)
      from sales s cross join lateral json_array_elements(
        case when json_typeof(s.body->'tax_breakdown') = 'array' then s.body->'tax_breakdown'
          when (s.body->>'tax')::numeric = 0 then '[]'
          else json_build_array(json_build_object('code', '', 'rate', null, 'amount', s.body->'tax',
            'base', (s.body->>'total')::numeric - (s.body->>'tip_amount')::numeric - (s.body->>'tax')::numeric)) end) as tax
      where s.status = 'completed' group by 1, 2, 3, 4`,
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
