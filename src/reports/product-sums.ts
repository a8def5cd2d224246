import { productsOfSpans } from "../business/sale-totals/product-spans.ts";
import { type TotalsOf, totalsSource } from "../business/sale-totals/tables.ts";
import { prepared, type Statement } from "../db/sql.ts";
import type { Period } from "./period.ts";

/**
 * What each product sold, as SQL: product_id, lines, quantity, amount. $1 is the account; $2 and $3 the first and last days
 * of the parts. One question, so that a part is read either as it is kept or day by day, whatever is written meanwhile.
 * The planner takes the days to be many; MATERIALIZED keeps it from starting workers for them, which takes longer than the sum.
 */
export function productSumsSql(of?: TotalsOf): string {
  return `
  with part as materialized (select * from unnest($2::date[], $3::date[]) as p(first_day, last_day))
  select product_id, sum(lines) as lines, sum(quantity) as quantity, sum(amount) as amount from (
    ${of && !of.hasFirst ? inSedes(of) : `${whole}${of ? ` union all ${ofOthers(of)}` : ""}`}
  ) sold group by 1`;
}

const whole = `
    select u.product_id, u.lines, u.quantity, u.amount from part
    join sale_product_spans s on s.account_id = $1 and s.first_day = part.first_day and s.last_day = part.last_day
    cross join ${productsOfSpans}
    union all
    select d.product_id, d.lines, d.quantity, d.amount from part
    join ${totalsSource("products")} d on d.account_id = $1 and d.day between part.first_day and part.last_day
    where not exists (
      select from sale_product_spans s where s.account_id = $1 and s.first_day = part.first_day and s.last_day = part.last_day)`;

const inParts = "join location_products d on d.account_id = $1 and d.day between part.first_day and part.last_day";

/** No stretches are kept of a sede: its days are added up. */
const inSedes = ({ ids }: TotalsOf) =>
  `select d.product_id, d.lines, d.quantity, d.amount from part ${inParts} where d.location_id = any(${ids}::uuid[])`;
const ofOthers = ({ ids }: TotalsOf) =>
  `select d.product_id, -d.lines, -d.quantity, -d.amount from part ${inParts} where d.location_id <> all(${ids}::uuid[])`;

/** The values of a question with `productSumsSql`. */
export function ofParts(accountId: string, text: string, parts: readonly Period[]): Statement {
  return prepared(text, [accountId, ...boundsOf(parts)]);
}

export const boundsOf = (parts: readonly Period[]): string[][] => [
  parts.map(({ from }) => from),
  parts.map(({ to }) => to),
];
