import { productsOfSpans } from "../../business/sale-totals/product-spans.ts";
import {
  columnsOf,
  nilUuid,
  type TotalsName,
  type TotalsTable,
  totalsTables,
} from "../../business/sale-totals/tables.ts";
import type { ConsistencyCheck } from "./consistency-checks.ts";

/** Completed sales, and what was returned of them, with the opposite sign, on the day of the return. */
const records = `(
  select account_id, device_id, cash_session_id, occurred_at at time zone 'America/Bogota' as at, body, body->'items' as lines, 1 as sign
  from sales where status = 'completed'
  union all
  select r.account_id, r.device_id, r.cash_session_id, r.occurred_at at time zone 'America/Bogota', r.body, r.body->'lines', -1
  from returns r join sales s on s.account_id = r.account_id and s.id = r.sale_id where s.status = 'completed') records`;
const sum = (value: string) => `sum(sign * (${value})::numeric)`;
const sold = `count(*) filter (where sign = 1), ${sum("body->>'total'")}, ${sum("body->>'tax'")}, ${sum("body->>'discount'")},
  ${sum("body->>'tip_amount'")}, sum((body->>'total')::numeric) filter (where sign = -1)`;

/** The totals, added up again from the records themselves, with the account and the table's columns in their order. */
const counted: Record<TotalsName, { of: string; text: string }> = {
  hours: {
    of: "hora",
    text: `select account_id, at::date, extract(hour from at)::smallint, ${sold} from ${records} group by 1, 2, 3`,
  },
  shifts: {
    of: "turno",
    text: `select account_id, at::date, coalesce(device_id, '${nilUuid}'), coalesce(cash_session_id, '${nilUuid}'),
        left(body->>'payment_method', 60), ${sold}
      from ${records} group by 1, 2, 3, 4, 5`,
  },
  products: {
    of: "producto",
    text: `select account_id, at::date, coalesce((line->>'product_id')::uuid, '${nilUuid}'),
        count(*) filter (where sign = 1), ${sum("line->>'quantity'")}, ${sum("line->>'subtotal'")}
      from ${records} cross join lateral json_array_elements(lines) as line group by 1, 2, 3`,
  },
  taxes: {
    of: "impuesto",
    text: `select account_id, at::date, left(tax->>'code', 60), coalesce(tax->>'rate', ''), ${sum("tax->>'base'")},
        ${sum("tax->>'amount'")}
      from (select account_id, at, sign, case when json_typeof(body->'tax_breakdown') = 'array' then body->'tax_breakdown'
          when (body->>'tax')::numeric = 0 then '[]'
          else json_build_array(json_build_object('code', '', 'rate', null, 'amount', body->'tax',
            'base', (body->>'total')::numeric - (body->>'tip_amount')::numeric - (body->>'tax')::numeric)) end as list
        from ${records}) listed
      cross join lateral json_array_elements(list) as tax
      group by 1, 2, 3, 4`,
  },
};

/** The table and the journal together. The function that the reports read the journal with would keep Citus from asking all nodes at once. */
function keptRows(table: TotalsTable): string {
  const noted = Object.entries({ ...table.keys, ...table.sums }).map(
    ([column, type]) => `(row->>'${column}')::${type}`,
  );
  return `(select ${columnsOf(table).join(", ")} from ${table.name}
    union all select account_id, ${noted.join(", ")} from sale_journal cross join lateral json_array_elements(${table.journal}) as row)`;
}

const columnsOfProducts = Object.keys(totalsTables.products.sums);

/** What is kept of a stretch is the sum of its days. */
const spanCheck: ConsistencyCheck = {
  problem: "los totales de un periodo no son la suma de sus días",
  text: `select format('cuenta %s, %s a %s, producto %s', account_id, first_day, last_day, product_id) as "where"
    from (select s.account_id, s.first_day, s.last_day, u.* from sale_product_spans s cross join ${productsOfSpans}) kept
    full join (
      select s.account_id, s.first_day, s.last_day, d.product_id, ${columnsOfProducts.map((name) => `sum(d.${name}) as ${name}`).join(", ")}
      from sale_product_spans s join ${keptRows(totalsTables.products)} d on d.account_id = s.account_id and d.day between s.first_day and s.last_day
      group by 1, 2, 3, 4) counted
    using (account_id, first_day, last_day, product_id)
    where ${columnsOfProducts.map((name) => `coalesce(kept.${name}, 0) <> coalesce(counted.${name}, 0)`).join(" or ")}`,
};

/** Rows of which nothing is left may stay, with zeros. */
const tableChecks: readonly ConsistencyCheck[] = Object.entries(totalsTables).map(([name, table]) => {
  const { of, text } = counted[name as TotalsName];
  const [keys, sums] = [Object.keys(table.keys), Object.keys(table.sums)];
  const [key, columns] = [["account_id", ...keys].join(", "), columnsOf(table).join(", ")];
  const differs = sums.map((sum) => `coalesce(kept.${sum}, 0) <> coalesce(counted.${sum}, 0)`).join(" or ");
  const shown = (side: string) => `concat_ws('/', ${sums.map((sum) => `coalesce(${side}.${sum}, 0)`).join(", ")})`;
  const kept = `select ${key}, ${sums.map((sum) => `sum(${sum}) as ${sum}`).join(", ")} from ${keptRows(table)} t group by ${key}`;
  return {
    problem: `los totales por ${of} no son la suma de las ventas`,
    text: `select format('cuenta %s, %s: %s ≠ %s', account_id, concat_ws(' ', ${keys.join(", ")}), ${shown("kept")}, ${shown("counted")}) as "where"
      from (${kept}) kept
      full join (${text}) counted(${columns}) using (${key})
      where ${differs}`,
  };
});

/** The reports do not look behind the mark. */
const journalCheck: ConsistencyCheck = {
  problem: "una anotación de ventas quedó sin sumar en los totales",
  text: `select format('cuenta %s, seq %s', account_id, j.seq) as "where" from sale_journal j join account_clock c using (account_id)
    where j.seq <= c.journal_seq`,
};

export const totalChecks: readonly ConsistencyCheck[] = [...tableChecks, spanCheck, journalCheck];
