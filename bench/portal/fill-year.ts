import { recounted } from "../../src/business/sale-totals/recount.ts";
import { addTotalsSql, type TotalsName, totalsTables } from "../../src/business/sale-totals/tables.ts";
import { withoutTimeouts } from "../../src/db/pool.ts";
import { type Bench, fillProducts } from "../support/dataset.ts";

const products = 500;
const categories = 30;
const registers = 4;
const shiftsPerDay = 2;

/**
 * A year of a large shop, made in SQL: sales of three lines spread over fourteen hours of each day, four registers with two
 * shifts a day, five means of payment, five hundred products. The totals are filled as `recount` fills them.
 */
export async function fillYear(
  bench: Bench,
  accountId: string,
  sales: number,
  note: (text: string) => void,
): Promise<void> {
  await fillProducts(bench, { accountId, key: "" }, products);
  const startedAt = performance.now();
  const step = (text: string) => note(`${text} after ${Math.round((performance.now() - startedAt) / 1000)} s`);
  await withoutTimeouts(bench.pool, async (client) => {
    const run = (text: string, values: unknown[] = []) => client.query(text, values);
    await run("alter system set max_wal_size = '8GB'");
    await run("select pg_reload_conf()");
    await run(categoriesSql, [accountId, categories]);
    await run(shiftsSql, [accountId, registers, shiftsPerDay]);
    await run(movementsSql, [accountId]);
    const { rows: indexes } = await client.query<{ indexname: string; indexdef: string }>(
      "select indexname, indexdef from pg_indexes where tablename = 'sales' and indexname <> 'sales_pkey'",
    );
    for (const { indexname } of indexes) await run(`drop index ${indexname}`);
    await run(salesSql, [accountId, sales]);
    step(`${sales} sales stored`);
    for (const { indexdef } of indexes) await run(indexdef);
    step("indexes built");
    for (const [name, table] of Object.entries(totalsTables)) {
      await run(`truncate ${table.name}`);
      await run(
        addTotalsSql(
          table,
          recounted[name as TotalsName](() => "true"),
        ),
      );
    }
    step("totals filled");
    await run("update account_clock set seq = $2, ts = clock_timestamp() where account_id = $1::uuid", [
      accountId,
      sales + 1,
    ]);
    for (const table of [
      "sales",
      "cash_sessions",
      "sale_hours",
      "sale_shifts",
      "sale_products",
      "sale_taxes",
      "products",
    ])
      await run(`vacuum analyze ${table}`);
    step("vacuumed");
  });
}

const categoriesSql = `
  with made as (
    insert into categories (account_id, id, created_at, updated_at, seq, search, search_keys, search_bits, feed_seq, body)
    select $1::uuid, gen_random_uuid(), now(), now(), 1, 'categoria', '{}', repeat('0', 128)::bit(128), 1,
      json_build_object('object', 'category', 'name', 'Categoría ' || n)
    from generate_series(1, $2::int) n returning id
  ), numbered as (select id, row_number() over () as n from made)
  update products p set category_id = c.id
  from (select id, row_number() over (order by id) as n from products where account_id = $1::uuid) own
  join numbered c on c.n = 1 + own.n % (select count(*) from numbered)
  where p.account_id = $1::uuid and p.id = own.id`;

/** A shift's id can be computed from its day, register and number, so that the sales need no lookup. */
const shiftId = (day: string, register: string, shift: string) =>
  `md5($1::uuid::text || ${day} || '/' || ${register} || '/' || ${shift})::uuid`;

const shiftsSql = `
  insert into cash_sessions (account_id, id, created_at, updated_at, seq, status, body)
  select $1::uuid, ${shiftId("day", "register", "shift")}, now() - day * interval '1 day', now() - day * interval '1 day', 1,
    case when day = 0 then 'open' else 'closed' end,
    json_build_object('object', 'cash_session', 'register_name', 'Caja ' || register, 'opened_by', 'Cajero ' || (register * 2 + shift),
      'opened_at', to_char((now() - day * interval '1 day') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from generate_series(0, 365) day, generate_series(1, $2::int) register, generate_series(1, $3::int) shift`;

/** Every product has come in once, so that Hoy looks at all of them. */
const movementsSql = `
  insert into stock_movements (account_id, id, created_at, updated_at, seq, product_id, type, from_api, delta_milli, body)
  select account_id, gen_random_uuid(), now(), now(), 1, id, 'in', false, 1000, json_build_object('object', 'stock_movement')
  from products where account_id = $1::uuid`;

const iso = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;
const line = (
  i: number,
) => `json_build_object('object', 'sale_item', 'id', gen_random_uuid(), 'product_id', goods.ids[1 + (n * ${[7, 13, 29][i]} + ${i}) % goods.count],
  'variant_id', null, 'item_kind', 'product', 'description', 'Producto', 'quantity', 1 + n % 3, 'unit_price', 4000, 'subtotal', 4000 * (1 + n % 3),
  'unit_cost', 2500, 'tax_class', 'standard', 'taxes', null)`;

const salesSql = `
  insert into sales (account_id, id, created_at, updated_at, seq, status, document_kind, cash_session_id, occurred_at,
    payment_method, total, tax_amount, tip_amount, body)
  select $1::uuid, id, at, at, n, status, 'pos', shift, at, means, 12000 * (1 + n % 3), 1916 * (1 + n % 3), 0,
    json_build_object('object', 'sale', 'id', id, 'status', status, 'document_kind', 'pos', 'payment_method', means, 'customer_id', null,
    'cash_session_id', shift, 'subtotal', 12000 * (1 + n % 3), 'discount', 0, 'discount_percent', 0, 'tax', 1916 * (1 + n % 3),
    'tip_amount', 0, 'total', 12000 * (1 + n % 3),
    'tax_breakdown', json_build_array(json_build_object('code', '01', 'rate', case n % 4 when 0 then 5 else 19 end, 'per_unit', null,
      'base', 10084 * (1 + n % 3), 'amount', 1916 * (1 + n % 3))),
    'notes', null, 'table_label', null, 'items', json_build_array(${line(0)}, ${line(1)}, ${line(2)}), 'invoices', json_build_array(),
    'occurred_at', to_char(at at time zone 'UTC', ${iso}), 'created_at', to_char(at at time zone 'UTC', ${iso}),
    'updated_at', to_char(at at time zone 'UTC', ${iso}))
  from (select array_agg(id order by id) as ids, count(*)::int as count from products where account_id = $1::uuid) goods,
  lateral (
    select n, gen_random_uuid() as id, case when n % 50 = 0 then 'cancelled' else 'completed' end as status, at,
      (array['CASH', 'CASH', 'CARD', 'NEQUI', 'TRANSFER', 'DAVIPLATA'])[1 + n % 6] as means,
      ${shiftId("day", "(1 + n % 4)", "(1 + (n / 4) % 2)")} as shift
    from (select n, day, date_trunc('day', now() at time zone 'America/Bogota') at time zone 'America/Bogota' - day * interval '1 day'
        + interval '8 hours' + ((n::bigint * 7919) % 50400000) * interval '1 ms' as at
      from (select n, ((n - 1)::bigint * 366 / $2::int)::int as day from generate_series(1, $2::int) n) days) timed
    where at < now()
  ) made`;
