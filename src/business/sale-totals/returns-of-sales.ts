import { prepared, type Statement } from "../../db/sql.ts";
import { forgetAllSpans } from "./product-spans.ts";
import { addTotalsSql, nilUuid, type TotalsName, totalsTables } from "./tables.ts";

/**
 * The returns of a sale count while the sale does. When a sale with returns is cancelled, or completed again, they are taken
 * off or added from where they are stored: a rare thing, for which no write has to load them.
 */
export function moveReturnsOf(accountId: string, turns: readonly { sale_id: string; sign: 1 | -1 }[]): Statement[] {
  if (turns.length === 0) return [];
  const moves = Object.entries(returned).map(([name, rows]) =>
    prepared(addTotalsSql(totalsTables[name as TotalsName], rows), [accountId, JSON.stringify(turns)]),
  );
  return [...moves, forgetAllSpans(accountId)];
}

const local = "r.occurred_at at time zone 'America/Bogota'";
const from = `from returns r join json_to_recordset($2::json) as turn(sale_id uuid, sign int) on turn.sale_id = r.sale_id`;
const amount = (name: string) => `sum(-turn.sign * (r.body->>'${name}')::numeric)`;
const sold = `0, ${amount("total")}, ${amount("tax")}, ${amount("discount")}, ${amount("tip_amount")},
  sum(turn.sign * (r.body->>'total')::numeric)`;

/** What the returns take off, with the opposite sign when they are added back. $1 account, $2 turns. */
const returned: Record<TotalsName, string> = {
  hours: `select r.account_id, (${local})::date, extract(hour from ${local}), ${sold}
    ${from} where r.account_id = $1 group by 1, 2, 3`,
  shifts: `select r.account_id, (${local})::date, coalesce(r.device_id, '${nilUuid}'), coalesce(r.cash_session_id, '${nilUuid}'),
      left(r.body->>'payment_method', 60), ${sold}
    ${from} where r.account_id = $1 group by 1, 2, 3, 4, 5`,
  products: `select r.account_id, (${local})::date, coalesce((line->>'product_id')::uuid, '${nilUuid}'), 0,
      sum(-turn.sign * (line->>'quantity')::numeric), sum(-turn.sign * (line->>'subtotal')::numeric)
    ${from} cross join lateral json_array_elements(r.body->'lines') as line where r.account_id = $1 group by 1, 2, 3`,
  taxes: `select r.account_id, (${local})::date, left(tax->>'code', 60), coalesce(tax->>'rate', ''),
      sum(-turn.sign * (tax->>'base')::numeric), sum(-turn.sign * (tax->>'amount')::numeric)
    ${from} cross join lateral json_array_elements(
      case when json_typeof(r.body->'tax_breakdown') = 'array' then r.body->'tax_breakdown'
        when (r.body->>'tax')::numeric = 0 then '[]'
        else json_build_array(json_build_object('code', '', 'rate', null, 'amount', r.body->'tax',
          'base', (r.body->>'total')::numeric - (r.body->>'tip_amount')::numeric - (r.body->>'tax')::numeric)) end) as tax
    where r.account_id = $1 group by 1, 2, 3, 4`,
};
