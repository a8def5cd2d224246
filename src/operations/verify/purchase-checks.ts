/** Invariants of what is bought. Each query returns the violations as `where`. */
export const purchaseChecks: readonly { problem: string; text: string }[] = [
  {
    problem: "lo que se debe por una compra no es la suma de sus asientos",
    text: `select format('compra %s: %s ≠ %s', p.number, p.balance, coalesce(e.amount, 0)) as "where"
      from purchases p left join (
        select account_id, purchase_id, sum(amount) as amount from payable_entries group by 1, 2
      ) e on e.account_id = p.account_id and e.purchase_id = p.id
      where p.balance <> coalesce(e.amount, 0)`,
  },
  {
    problem: "lo recibido de una línea de compra no es la suma de sus recepciones",
    text: `select format('compra %s, línea %s', p.number, l->>'id') as "where"
      from purchases p cross join json_array_elements(p.body->'lines') l
      left join lateral (
        select sum(case r->>'kind' when 'receipt' then 1 when 'correction' then -1 else 0 end * (m->>'quantity')::numeric) as received,
          sum(case r->>'kind' when 'return' then 1 else 0 end * (m->>'quantity')::numeric) as returned
        from json_array_elements(p.body->'receipts') r, json_array_elements(r->'lines') m where m->>'line_id' = l->>'id'
      ) sums on true
      where (l->>'received')::numeric <> coalesce(sums.received, 0) or (l->>'returned')::numeric <> coalesce(sums.returned, 0)`,
  },
  {
    problem: "una recepción no tiene su movimiento de inventario, o dice otra cantidad",
    text: `select format('compra %s, movimiento %s', p.number, m->>'movement_id') as "where"
      from purchases p cross join json_array_elements(p.body->'receipts') r cross join json_array_elements(r->'lines') m
      left join stock_movements s on s.account_id = p.account_id and s.id = (m->>'movement_id')::uuid
      where s.id is null or abs(s.delta_milli) <> round((m->>'base_quantity')::numeric * 1000)`,
  },
];
