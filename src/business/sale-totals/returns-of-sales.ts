import { prepared, type Statement } from "../../db/sql.ts";
import { nilUuid } from "./move-totals.ts";

/**
 * The returns of a sale count while the sale does. When a sale with returns is cancelled, or completed again, they are taken
 * off or added from where they are stored: a rare thing, for which no write has to load them.
 */
export function moveReturnsOf(accountId: string, turns: readonly { sale_id: string; sign: 1 | -1 }[]): Statement[] {
  return turns.length === 0 ? [] : [prepared(moveSql, [accountId, JSON.stringify(turns)])];
}

const local = "r.occurred_at at time zone 'America/Bogota'";
const from = `from returns r join json_to_recordset($2::json) as turn(sale_id uuid, sign int) on turn.sale_id = r.sale_id`;
const amount = (name: string) => `sum(-turn.sign * (r.body->>'${name}')::numeric)`;

const moveSql = `
  with hours as (
    insert into sale_hours as t (account_id, day, hour, device_id, cash_session_id, payment_method, tickets, total, tax, discount,
      tip, returned)
    select r.account_id, (${local})::date, extract(hour from ${local}), coalesce(r.device_id, '${nilUuid}'),
      coalesce(r.cash_session_id, '${nilUuid}'), left(r.body->>'payment_method', 60), 0, ${amount("total")}, ${amount("tax")},
      ${amount("discount")}, ${amount("tip_amount")}, sum(turn.sign * (r.body->>'total')::numeric)
    ${from} where r.account_id = $1 group by 1, 2, 3, 4, 5, 6
    on conflict (account_id, day, hour, device_id, cash_session_id, payment_method) do update set
      total = t.total + excluded.total, tax = t.tax + excluded.tax, discount = t.discount + excluded.discount,
      tip = t.tip + excluded.tip, returned = t.returned + excluded.returned
  ), products as (
    insert into sale_products as t (account_id, day, product_id, lines, quantity, amount)
    select r.account_id, (${local})::date, coalesce((line->>'product_id')::uuid, '${nilUuid}'), 0,
      sum(-turn.sign * (line->>'quantity')::numeric), sum(-turn.sign * (line->>'subtotal')::numeric)
    ${from} cross join lateral json_array_elements(r.body->'lines') as line where r.account_id = $1 group by 1, 2, 3
    on conflict (account_id, day, product_id) do update set
      quantity = t.quantity + excluded.quantity, amount = t.amount + excluded.amount
  )
  insert into sale_taxes as t (account_id, day, code, rate, base, amount)
  select r.account_id, (${local})::date, left(tax->>'code', 60), coalesce(tax->>'rate', ''),
    sum(-turn.sign * (tax->>'base')::numeric), sum(-turn.sign * (tax->>'amount')::numeric)
  ${from} cross join lateral json_array_elements(
    case when json_typeof(r.body->'tax_breakdown') = 'array' then r.body->'tax_breakdown'
      when (r.body->>'tax')::numeric = 0 then '[]'
      else json_build_array(json_build_object('code', '', 'rate', null, 'amount', r.body->'tax',
        'base', (r.body->>'total')::numeric - (r.body->>'tip_amount')::numeric - (r.body->>'tax')::numeric)) end) as tax
  where r.account_id = $1 group by 1, 2, 3, 4
  on conflict (account_id, day, code, rate) do update set base = t.base + excluded.base, amount = t.amount + excluded.amount`;
