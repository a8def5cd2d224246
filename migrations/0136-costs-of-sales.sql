-- What each sale, return, cancellation and correction says of a product, without taxes, and what that cost. first_cost: what it was said to
-- cost at first, where that changed since.
create table sale_costs (
  account_id uuid not null,
  record_id uuid not null,
  kind text not null,
  product_id uuid not null,
  sale_id uuid not null,
  us bigint not null,
  day date not null,
  location_id uuid,
  cash_session_id uuid,
  customer_id uuid,
  lines bigint not null,
  milli bigint not null,
  net bigint not null,
  cost numeric,
  is_guess boolean not null,
  first_cost numeric,
  recosted_at timestamptz(3),
  primary key (account_id, record_id, kind, product_id)
);
create index sale_costs_day on sale_costs (account_id, day);
create index sale_costs_taken_back on sale_costs (account_id, product_id, us) where kind <> 'sale';
-- What ended stretches of days add up to, by each thing that reports go by; made when it is first read.
create table margin_spans (
  account_id uuid not null,
  first_day date not null,
  last_day date not null,
  dimension text not null,
  location_id uuid not null,
  keys text[] not null,
  lines bigint[] not null,
  net bigint[] not null,
  cost numeric[] not null,
  unknown_lines bigint[] not null,
  unknown_net bigint[] not null,
  guess_lines bigint[] not null,
  primary key (account_id, first_day, last_day, dimension, location_id)
);
insert into fills (name) select 'sale_costs' where exists (select 1 from accounts);
-- What each day added to the stock of a product in a warehouse, by the entries' own time; read forward when it is asked for.
create table stock_days (
  account_id uuid not null,
  day date not null,
  product_id uuid not null,
  warehouse_id uuid not null,
  stock_milli bigint not null,
  primary key (account_id, day, product_id, warehouse_id)
);
create table stock_day_progress (
  account_id uuid primary key,
  counted_until timestamptz(3) not null
);
