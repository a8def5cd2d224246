-- What was sold, added up by the day of Colombia, so that a year is read without its sales. Kept by the write that stores a
-- sale, by difference (business/sale-totals). Only completed sales count, less what was returned of them. Rows change in place: their free space keeps
-- the changes on the page and the index untouched.

-- No cash session and no device are the nil uuid: a key has no nulls.
create table sale_hours (
  account_id uuid not null,
  day date not null,
  hour smallint not null,
  device_id uuid not null,
  cash_session_id uuid not null,
  payment_method text not null,
  tickets bigint not null,
  total numeric not null,
  tax numeric not null,
  discount numeric not null,
  tip numeric not null,
  returned numeric not null default 0,
  constraint sale_hours_pkey primary key (account_id, day, hour, device_id, cash_session_id, payment_method)
) with (fillfactor = 60);

-- Lines without a product have the nil uuid.
create table sale_products (
  account_id uuid not null,
  day date not null,
  product_id uuid not null,
  lines bigint not null,
  quantity numeric not null,
  amount numeric not null,
  constraint sale_products_pkey primary key (account_id, day, product_id)
) with (fillfactor = 60);

-- A tax by unit has the rate ''. A sale whose taxes came without detail has the code ''.
create table sale_taxes (
  account_id uuid not null,
  day date not null,
  code text not null,
  rate text not null,
  base numeric not null,
  amount numeric not null,
  constraint sale_taxes_pkey primary key (account_id, day, code, rate)
) with (fillfactor = 60);

-- What counts: completed sales, and what was returned of them, with the opposite sign, on the day of the return.
create temporary table counted on commit drop as
select account_id, device_id, cash_session_id, occurred_at at time zone 'America/Bogota' as at, body, body->'items' as lines, 1 as sign
from sales where status = 'completed'
union all
select r.account_id, r.device_id, r.cash_session_id, r.occurred_at at time zone 'America/Bogota', r.body, r.body->'lines', -1
from returns r join sales s on s.account_id = r.account_id and s.id = r.sale_id
where s.status = 'completed';

insert into sale_hours (account_id, day, hour, device_id, cash_session_id, payment_method, tickets, total, tax, discount, tip, returned)
select account_id, at::date, extract(hour from at), coalesce(device_id, '00000000-0000-0000-0000-000000000000'),
  coalesce(cash_session_id, '00000000-0000-0000-0000-000000000000'), left(body->>'payment_method', 60),
  count(*) filter (where sign = 1), sum(sign * (body->>'total')::numeric), sum(sign * (body->>'tax')::numeric),
  sum(sign * (body->>'discount')::numeric), sum(sign * (body->>'tip_amount')::numeric),
  coalesce(sum((body->>'total')::numeric) filter (where sign = -1), 0)
from counted group by 1, 2, 3, 4, 5, 6;

insert into sale_products (account_id, day, product_id, lines, quantity, amount)
select account_id, at::date, coalesce((line->>'product_id')::uuid, '00000000-0000-0000-0000-000000000000'),
  count(*) filter (where sign = 1), sum(sign * (line->>'quantity')::numeric), sum(sign * (line->>'subtotal')::numeric)
from counted cross join lateral json_array_elements(lines) as line group by 1, 2, 3;

insert into sale_taxes (account_id, day, code, rate, base, amount)
select account_id, at::date, left(tax->>'code', 60), coalesce(tax->>'rate', ''),
  sum(sign * (tax->>'base')::numeric), sum(sign * (tax->>'amount')::numeric)
from counted cross join lateral json_array_elements(
  case when json_typeof(body->'tax_breakdown') = 'array' then body->'tax_breakdown'
    when (body->>'tax')::numeric = 0 then '[]'
    else json_build_array(json_build_object('code', '', 'rate', null, 'amount', body->'tax',
      'base', (body->>'total')::numeric - (body->>'tip_amount')::numeric - (body->>'tax')::numeric)) end) as tax
group by 1, 2, 3, 4;

-- Owners who want last week's sales by mail on Mondays. sent_for is the Monday of the last week that was mailed.
create table weekly_summaries (
  account_id uuid not null,
  since timestamptz(3) not null,
  sent_for date not null,
  constraint weekly_summaries_pkey primary key (account_id),
  constraint weekly_summaries_account_id_fkey foreign key (account_id) references accounts(id)
);
