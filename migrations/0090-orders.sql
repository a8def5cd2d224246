-- What is ordered from outside. Numbers and the ids of other systems are given under the account's lock.
create table orders (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  seq bigint not null,
  status text not null,
  number integer not null,
  source text not null,
  external_id text,
  customer_id uuid,
  due_at timestamptz(3),
  ends_at timestamptz(3),
  ended_at timestamptz(3),
  location_id uuid,
  device_id uuid,
  reserved text,
  body json not null,
  body_bytes integer,
  version integer,
  primary key (account_id, id)
);
create index orders_created on orders (account_id, created_at desc, id desc);
create index orders_updated on orders (account_id, updated_at);
create index orders_seq on orders (account_id, seq);
create index orders_status on orders (account_id, status, created_at desc, id desc);
create unique index orders_number on orders (account_id, number);
create unique index orders_external on orders (account_id, source, external_id) where external_id is not null;
create index orders_customer on orders (account_id, customer_id, created_at desc, id desc) where customer_id is not null;
-- Only of open orders that end by themselves: the worker that ends them reads this and nothing else.
create index orders_ends on orders (account_id, ends_at) where ends_at is not null;

-- What accepted orders keep apart: the sum of their items, moved with them.
create table stock_reservations (
  account_id uuid not null,
  product_id uuid not null,
  warehouse_id uuid not null,
  reserved_milli bigint not null,
  primary key (account_id, product_id, warehouse_id)
);

-- The order that a sale says it is of.
alter table sales add column if not exists order_id uuid;
