import { isSoldSql } from "../../business/sale-totals/definition.ts";
import { productsOfSpans } from "../../business/sale-totals/product-spans.ts";
import { recounted, recountedByLocation } from "../../business/sale-totals/recount.ts";
import {
  columnsOf,
  locationTables,
  type TotalsName,
  type TotalsTable,
  totalsSource,
  totalsTables,
} from "../../business/sale-totals/tables.ts";
import type { Queryable } from "../../db/pool.ts";
import type { ConsistencyCheck } from "./consistency-checks.ts";

const names: Record<TotalsName, string> = { hours: "hora", shifts: "turno", products: "producto", taxes: "impuesto" };

const columnsOfProducts = Object.keys(totalsTables.products.sums);

/** What is kept of a stretch is the sum of its days. */
const spanCheck: ConsistencyCheck = {
  problem: "los totales de un periodo no son la suma de sus días",
  text: `select format('cuenta %s, %s a %s, producto %s', account_id, first_day, last_day, product_id) as "where"
    from (select s.account_id, s.first_day, s.last_day, u.* from sale_product_spans s cross join ${productsOfSpans}) kept
    full join (
      select s.account_id, s.first_day, s.last_day, d.product_id, ${columnsOfProducts.map((name) => `sum(d.${name}) as ${name}`).join(", ")}
      from sale_product_spans s join sale_products d on d.account_id = s.account_id and d.day between s.first_day and s.last_day
      group by 1, 2, 3, 4) counted
    using (account_id, first_day, last_day, product_id)
    where ${columnsOfProducts.map((name) => `coalesce(kept.${name}, 0) <> coalesce(counted.${name}, 0)`).join(" or ")}`,
};

/** Rows of which nothing is left may stay, with zeros. */
const tableChecks: readonly ConsistencyCheck[] = (Object.keys(totalsTables) as TotalsName[]).flatMap((name) => {
  const all = () => "true";
  return [
    tableCheck(names[name], totalsTables[name], recounted[name](all), totalsSource(name)),
    tableCheck(
      `${names[name]} y sede`,
      locationTables[name],
      recountedByLocation(name, all),
      locationTables[name].name,
    ),
  ];
});

function tableCheck(what: string, table: TotalsTable, text: string, source: string): ConsistencyCheck {
  const [keys, sums] = [Object.keys(table.keys), Object.keys(table.sums)];
  const [key, columns] = [["account_id", ...keys].join(", "), columnsOf(table).join(", ")];
  const differs = sums.map((sum) => `coalesce(kept.${sum}, 0) <> coalesce(counted.${sum}, 0)`).join(" or ");
  const shown = (side: string) => `concat_ws('/', ${sums.map((sum) => `coalesce(${side}.${sum}, 0)`).join(", ")})`;
  const kept = `select ${key}, ${sums.map((sum) => `sum(${sum}) as ${sum}`).join(", ")} from ${source} t group by ${key}`;
  return {
    problem: `los totales por ${what} no son la suma de las ventas`,
    text: `select format('cuenta %s, %s: %s ≠ %s', account_id, concat_ws(' ', ${keys.join(", ")}), ${shown("kept")}, ${shown("counted")}) as "where"
      from (${kept}) kept
      full join (${text}) counted(${columns}) using (${key})
      where ${differs}`,
  };
}

const booksHave = (name: string) =>
  `sum(case when id = sale_id then 1 else -1 end * (body->>'${name}')::numeric) as ${name}`;
const amounts = ["total", "tax", "discount", "tip_amount"];

/** What was counted of a corrected sale, less its corrections, is what it is worth now. */
const correctionCheck: ConsistencyCheck = {
  problem: "una venta corregida no cuenta por lo que vale",
  text: `select format('venta %s', coalesce(s.id, k.sale_id)) as "where"
    from (select account_id, sale_id, bool_or(id = sale_id) as is_counted, ${amounts.map(booksHave).join(", ")} from sale_corrections group by 1, 2) k
    full join (select account_id, id, body, ${isSoldSql("s")} as is_sold from sales s where 'corrected' = any(settled)) s
      on s.account_id = k.account_id and s.id = k.sale_id
    where s.id is null or not coalesce(k.is_counted, false)
      or ${amounts.map((name) => `k.${name} <> case when is_sold then (s.body->>'${name}')::numeric else 0 end`).join(" or ")}`,
};

/** While the sums of before a migration are counted again, those of the days that are left follow the former rule. */
export async function totalChecks(db: Queryable): Promise<ConsistencyCheck[]> {
  const { rowCount } = await db.query("select from fills where name = 'sale_sums' and finished_at is null");
  return rowCount === 0 ? [...tableChecks, correctionCheck, spanCheck] : [];
}
