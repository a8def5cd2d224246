import type { ConsistencyCheck } from "./consistency-checks.ts";

const returnedLines = `returns r cross join lateral json_array_elements(r.body->'lines') as line(value)`;
const isOwnElectronic = (invoice: string) => `${invoice}.document_type in ('pos_document', 'electronic_invoice')`;

/** Invariants of returns, their notes, their stock and their cash. */
export const returnChecks: readonly ConsistencyCheck[] = [
  {
    problem: "se devolvió más de lo vendido",
    text: `select format('venta %s, línea %s: %s de %s', t.sale_id, t.item_id, t.quantity, coalesce(i.quantity, 0)) as "where"
      from (
        select r.account_id, r.sale_id, line.value->>'item_id' as item_id, sum((line.value->>'quantity')::numeric) as quantity
        from ${returnedLines} group by 1, 2, 3
      ) t left join (
        select s.account_id, s.id as sale_id, item.value->>'id' as item_id, max((item.value->>'quantity')::numeric) as quantity
        from sales s cross join lateral json_array_elements(s.body->'items') as item(value)
        where 'returned' = any(s.settled) group by 1, 2, 3
      ) i using (account_id, sale_id, item_id)
      where t.quantity > coalesce(i.quantity, 0)`,
  },
  {
    problem: "se devolvió más dinero del que valía la venta",
    text: `select format('venta %s: %s de %s', s.id, sum((r.body->>'total')::bigint), s.body->>'total') as "where"
      from returns r join sales s on s.account_id = r.account_id and s.id = r.sale_id
      group by s.account_id, s.id, s.body->>'total' having sum((r.body->>'total')::bigint) > (s.body->>'total')::bigint`,
  },
  {
    problem: "una devolución no suma sus líneas",
    text: `select format('devolución %s', r.id) as "where" from returns r cross join lateral (
        select coalesce(sum((line.value->>'total')::bigint), 0) as total from json_array_elements(r.body->'lines') as line(value)) l
      where (r.body->>'total')::bigint <> (r.body->>'subtotal')::bigint - (r.body->>'discount')::bigint + (r.body->>'tip_amount')::bigint
        or (r.body->>'kind' = 'partial' and l.total <> (r.body->>'total')::bigint)`,
  },
  {
    problem: "una venta con devoluciones no lo recuerda",
    text: `select format('venta %s', s.id) as "where" from returns r
      join sales s on s.account_id = r.account_id and s.id = r.sale_id where not coalesce('returned' = any(s.settled), false)`,
  },
  {
    problem: "lo devuelto no volvió a las existencias",
    // Services, variants and composite products have no movements; where there are some, they are complete. A movement has
    // thousandths, a line may have smaller parts.
    text: `select format('venta %s, producto %s: volvieron %s de %s', m.sale_id, m.product_id, m.moved, coalesce(t.returned, 0)) as "where"
      from (
        select account_id, sale_id, product_id, sum(delta_milli) as moved from stock_movements
        where from_api and sale_id is not null and body->>'origin_type' = 'return' group by 1, 2, 3
      ) m left join (
        select r.account_id, r.sale_id, (line.value->>'product_id')::uuid as product_id,
          sum((line.value->>'quantity')::numeric * 1000) as returned, count(*) as lines
        from ${returnedLines} group by 1, 2, 3
      ) t using (account_id, sale_id, product_id)
      where abs(m.moved - coalesce(t.returned, 0)) >= coalesce(t.lines, 1)`,
  },
  {
    problem: "el efectivo devuelto no salió de su turno",
    text: `select format('turno %s: %s, y se devolvieron %s', c.id, c.body->>'cash_refunds', r.amount) as "where"
      from (
        select account_id, cash_session_id, sum(cash_amount) as amount from returns
        where cash_session_id is not null group by 1, 2
      ) r join cash_sessions c on c.account_id = r.account_id and c.id = r.cash_session_id
      where (c.body->>'cash_refunds')::bigint < r.amount`,
  },
  {
    problem: "la nota de una devolución no es la suya",
    text: `select format('devolución %s, nota %s', r.id, r.invoice_id) as "where"
      from returns r left join invoices i on i.account_id = r.account_id and i.id = r.invoice_id
      where r.invoice_id is not null
        and (i.id is null or i.sale_id is distinct from r.sale_id or (i.body->>'total')::bigint <> (r.body->>'total')::bigint)`,
  },
  {
    problem: "una devolución espera su nota, y su documento ya está emitido",
    text: `select format('devolución %s, documento %s', r.id, i.id) as "where"
      from returns r join fiscal_profiles p on p.account_id = r.account_id and r.created_at >= p.since
      join invoices i on i.account_id = r.account_id and i.sale_id = r.sale_id and i.status = 'issued' and ${isOwnElectronic("i")}
      where r.invoice_id is null and not exists (
        select from fiscal_documents d where d.account_id = i.account_id and d.annuls = i.id)`,
  },
  {
    problem: "las notas de un documento suman más que él",
    text: `select format('documento %s: %s de %s', o.id, notes.total, o.body->>'total') as "where"
      from invoices o join (
        select d.account_id, coalesce(d.corrects, d.annuls) as id, sum((n.body->>'total')::bigint) as total
        from fiscal_documents d join invoices n on n.account_id = d.account_id and n.id = d.invoice_id
        group by d.account_id, coalesce(d.corrects, d.annuls)) notes on notes.account_id = o.account_id and notes.id = o.id
      where notes.total > (o.body->>'total')::bigint`,
  },
  {
    problem: "un documento está anulado sin nota aceptada",
    text: `select format('documento %s', o.id) as "where"
      from fiscal_documents d join invoices n on n.account_id = d.account_id and n.id = d.invoice_id
      join invoices o on o.account_id = d.account_id and o.id = d.annuls
      join fiscal_documents own on own.account_id = o.account_id and own.invoice_id = o.id
      where (o.status = 'annulled') <> (n.status = 'issued')`,
  },
  {
    problem: "una devolución sigue esperando la venta que ya llegó",
    text: `select format('devolución %s', p.id) as "where" from parked_returns p
      join sales s on s.account_id = p.account_id and s.id = p.sale_id where s.status in ('completed', 'cancelled')`,
  },
];
