-- The totals of sales of each sede but the first, whose are what is left of the whole: a business with one sede keeps nothing here, and
-- what is kept of before is its own.
create table location_hours (
  account_id uuid not null,
  location_id uuid not null,
  day date not null,
  hour smallint not null,
  tickets bigint not null,
  total numeric not null,
  tax numeric not null,
  discount numeric not null,
  tip numeric not null,
  returned numeric not null,
  passthrough numeric not null,
  primary key (account_id, location_id, day, hour)
);
create table location_shifts (
  account_id uuid not null,
  location_id uuid not null,
  day date not null,
  device_id uuid not null,
  cash_session_id uuid not null,
  payment_method text not null,
  tickets bigint not null,
  total numeric not null,
  tax numeric not null,
  discount numeric not null,
  tip numeric not null,
  returned numeric not null,
  passthrough numeric not null,
  payments bigint not null,
  primary key (account_id, location_id, day, device_id, cash_session_id, payment_method)
);
create table location_products (
  account_id uuid not null,
  location_id uuid not null,
  day date not null,
  product_id uuid not null,
  lines bigint not null,
  quantity numeric not null,
  amount numeric not null,
  primary key (account_id, location_id, day, product_id)
);
create table location_taxes (
  account_id uuid not null,
  location_id uuid not null,
  day date not null,
  code text not null,
  rate text not null,
  base numeric not null,
  amount numeric not null,
  primary key (account_id, location_id, day, code, rate)
);
