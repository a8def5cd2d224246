import { prepared, type Statement } from "../../db/sql.ts";

/** The products of kept stretches as rows again. `s` is the table of stretches. */
export const productsOfSpans =
  "lateral unnest(s.product_ids, s.lines, s.quantities, s.amounts) as u(product_id, lines, quantity, amount)";

/** Removes the stretches that hold one of the days. The next report that needs them adds them up again. */
export function forgetSpans(accountId: string, days: readonly string[]): Statement {
  const text = `delete from sale_product_spans s
    where account_id = $1 and exists (select from unnest($2::date[]) as d(day) where d.day between s.first_day and s.last_day)`;
  return prepared(text, [accountId, days]);
}

/** For changes whose days are not at hand. */
export function forgetAllSpans(accountId: string): Statement {
  return prepared("delete from sale_product_spans where account_id = $1", [accountId]);
}
