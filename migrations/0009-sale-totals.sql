-- What was sold, added up by the day of Colombia, so that a year is read without its sales. Kept by the write that stores a
-- sale, by difference (business/sale-totals). Only completed sales count. Rows change in place: their free space keeps
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

insert into sale_hours (account_id, day, hour, device_id, cash_session_id, payment_method, tickets, total, tax, discount, tip)
select account_id, (occurred_at at time zone 'America/Bogota')::date, extract(hour from occurred_at at time zone 'America/Bogota'),
  coalesce(device_id, '00000000-0000-0000-0000-000000000000'),
  coalesce(cash_session_id, '00000000-0000-0000-0000-000000000000'),
  left(body->>'payment_method', 60), count(*), sum((body->>'total')::numeric), sum((body->>'tax')::numeric),
  sum((body->>'discount')::numeric), sum((body->>'tip_amount')::numeric)
from sales where status = 'completed' group by 1, 2, 3, 4, 5, 6;

insert into sale_products (account_id, day, product_id, lines, quantity, amount)
select s.account_id, (s.occurred_at at time zone 'America/Bogota')::date,
  coalesce((item->>'product_id')::uuid, '00000000-0000-0000-0000-000000000000'), count(*),
  sum((item->>'quantity')::numeric), sum((item->>'subtotal')::numeric)
from sales s cross join lateral json_array_elements(s.body->'items') as item
where s.status = 'completed' group by 1, 2, 3;

insert into sale_taxes (account_id, day, code, rate, base, amount)
select s.account_id, (s.occurred_at at time zone 'America/Bogota')::date, left(tax->>'code', 60), coalesce(tax->>'rate', ''),
  sum((tax->>'base')::numeric), sum((tax->>'amount')::numeric)
from sales s cross join lateral json_array_elements(
  case when json_typeof(s.body->'tax_breakdown') = 'array' then s.body->'tax_breakdown'
    when (s.body->>'tax')::numeric = 0 then '[]'
    else json_build_array(json_build_object('code', '', 'rate', null, 'amount', s.body->'tax',
      'base', (s.body->>'total')::numeric - (s.body->>'tip_amount')::numeric - (s.body->>'tax')::numeric)) end) as tax
where s.status = 'completed' group by 1, 2, 3, 4;

-- Owners who want last week's sales by mail on Mondays. sent_for is the Monday of the last week that was mailed.
create table weekly_summaries (
  account_id uuid not null,
  since timestamptz(3) not null,
  sent_for date not null,
  constraint weekly_summaries_pkey primary key (account_id),
  constraint weekly_summaries_account_id_fkey foreign key (account_id) references accounts(id)
);
