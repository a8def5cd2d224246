-- The ground of the house. In every table of a business's data account_id leads the primary key and every index, so that
-- the schema shards by account as it is. Records that registers synchronize have no foreign keys between them: they
-- arrive in any order. `body` is type json, not jsonb: bytes and key order are what the API hands out.

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- Directories: global, small, never joined to a business's data in a request.

create table installation (
  only_row boolean primary key default true check (only_row),
  epoch uuid not null default gen_random_uuid(),
  clock_offset_ms bigint not null default 0
);
insert into installation default values;

create table accounts (
  id uuid primary key,
  name text not null,
  email text not null,
  password_hash text not null,
  plan text not null check (plan in ('basic', 'pro')),
  active boolean not null default true,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create unique index accounts_email on accounts (lower(email));

create table api_keys (
  id uuid primary key,
  account_id uuid not null references accounts,
  name text not null,
  hash bytea not null unique,
  last_four text not null,
  scopes text[] not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3)
);
create index api_keys_account on api_keys (account_id, created_at);

create table devices (
  id uuid primary key,
  account_id uuid not null references accounts,
  name text not null,
  token_hash bytea unique,
  app_version text,
  capabilities text[],
  created_at timestamptz(3) not null,
  last_seen_at timestamptz(3),
  revoked_at timestamptz(3)
);
create index devices_account on devices (account_id, created_at);

-- The account's clock: the only source of change order, created_at and updated_at. Whether events are recorded stands
-- here too, because a writer that waited for this row must see the value its predecessor left.
create table account_clock (
  account_id uuid primary key references accounts,
  seq bigint not null default 0,
  ts timestamptz(3) not null,
  records_events boolean not null
);

-- Resources.

create table customers (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  seq bigint not null,
  email_key text,
  document_number text,
  search text not null,
  body json not null,
  primary key (account_id, id)
);
create index customers_created on customers (account_id, created_at desc, id desc);
create index customers_updated on customers (account_id, updated_at);
create index customers_seq on customers (account_id, seq);
create index customers_email on customers (account_id, email_key);
create index customers_document on customers (account_id, document_number);
create index customers_search on customers using gin (account_id, search gin_trgm_ops);

create table categories (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  seq bigint not null,
  search text not null,
  body json not null,
  primary key (account_id, id)
);
create index categories_created on categories (account_id, created_at desc, id desc);
create index categories_updated on categories (account_id, updated_at);
create index categories_seq on categories (account_id, seq);
create index categories_search on categories using gin (account_id, search gin_trgm_ops);

-- stock_milli is the ledger's exact sum in thousandths of the base unit; cost_milli and cost_value are the quantity and
-- the value, in billionths of a peso, of what came in with a known cost. skus holds the product's own SKU and those of its living variants.
create table products (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  seq bigint not null,
  active boolean not null,
  category_id uuid,
  skus text[] not null,
  search text not null,
  stock_milli bigint not null default 0,
  cost_milli bigint not null default 0,
  cost_value numeric not null default 0,
  declared_cost numeric not null default 0,
  body json not null,
  primary key (account_id, id)
);
create index products_created on products (account_id, created_at desc, id desc);
create index products_updated on products (account_id, updated_at);
create index products_seq on products (account_id, seq);
create index products_active on products (account_id, active, created_at desc, id desc);
create index products_category on products (account_id, category_id, created_at desc, id desc);
create index products_skus on products using gin (account_id, skus);
create index products_search on products using gin (account_id, search gin_trgm_ops);

create table sales (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  seq bigint not null,
  status text not null,
  document_kind text not null,
  customer_id uuid,
  cash_session_id uuid,
  occurred_at timestamptz(3) not null,
  body json not null,
  primary key (account_id, id)
);
create index sales_created on sales (account_id, created_at desc, id desc);
create index sales_updated on sales (account_id, updated_at);
create index sales_status on sales (account_id, status, created_at desc, id desc);
create index sales_document_kind on sales (account_id, document_kind, created_at desc, id desc);
create index sales_customer on sales (account_id, customer_id, created_at desc, id desc) where customer_id is not null;
create index sales_cash_session on sales (account_id, cash_session_id, created_at desc, id desc) where cash_session_id is not null;
create index sales_occurred on sales (account_id, occurred_at);

create table invoices (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  seq bigint not null,
  status text not null,
  document_type text not null,
  sale_id uuid,
  issued_at timestamptz(3) not null,
  body json not null,
  primary key (account_id, id)
);
create index invoices_created on invoices (account_id, created_at desc, id desc);
create index invoices_updated on invoices (account_id, updated_at);
create index invoices_status on invoices (account_id, status, created_at desc, id desc);
create index invoices_document_type on invoices (account_id, document_type, created_at desc, id desc);
create index invoices_sale on invoices (account_id, sale_id) where sale_id is not null;
create index invoices_issued on invoices (account_id, issued_at);

-- from_api: only these travel down to the registers; delta_milli is what the entry adds to the stock.
create table stock_movements (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  seq bigint not null,
  product_id uuid not null,
  warehouse_id uuid,
  type text not null,
  sale_id uuid,
  from_api boolean not null,
  delta_milli bigint not null,
  body json not null,
  primary key (account_id, id)
);
create index stock_movements_created on stock_movements (account_id, created_at desc, id desc);
create index stock_movements_updated on stock_movements (account_id, updated_at);
create index stock_movements_seq on stock_movements (account_id, seq) where from_api;
create index stock_movements_product on stock_movements (account_id, product_id, created_at desc, id desc);
create index stock_movements_warehouse on stock_movements (account_id, warehouse_id, created_at desc, id desc);
create index stock_movements_type on stock_movements (account_id, type, created_at desc, id desc);

create table warehouses (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  seq bigint not null,
  is_default boolean not null,
  active boolean not null,
  body json not null,
  primary key (account_id, id)
);
create index warehouses_created on warehouses (account_id, created_at desc, id desc);
create index warehouses_updated on warehouses (account_id, updated_at);
create index warehouses_seq on warehouses (account_id, seq);

create table cash_sessions (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  seq bigint not null,
  status text not null,
  body json not null,
  primary key (account_id, id)
);
create index cash_sessions_created on cash_sessions (account_id, created_at desc, id desc);
create index cash_sessions_updated on cash_sessions (account_id, updated_at);
create index cash_sessions_status on cash_sessions (account_id, status, created_at desc, id desc);

create table quotes (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  seq bigint not null,
  status text not null,
  customer_id uuid,
  expires_at timestamptz(3),
  body json not null,
  primary key (account_id, id)
);
create index quotes_created on quotes (account_id, created_at desc, id desc);
create index quotes_updated on quotes (account_id, updated_at);
create index quotes_seq on quotes (account_id, seq);
create index quotes_status on quotes (account_id, status, created_at desc, id desc);
create index quotes_customer on quotes (account_id, customer_id, created_at desc, id desc) where customer_id is not null;

-- The event log: partitions of one day, dropped when they are past the 30 days that can be read. An event's id carries
-- its created_at (UUID version 7), so one event is found without searching all days.
create table events (
  account_id uuid not null,
  created_at timestamptz(3) not null,
  id uuid not null,
  seq bigint not null,
  type text not null,
  body json not null,
  primary key (account_id, created_at, id)
) partition by range (created_at);
create index events_type on events (account_id, type, created_at, id);

-- Keys live for 24 hours; whoever writes holds the account's clock, which is what makes a key unique.
create table idempotency_keys (
  account_id uuid not null,
  key text not null,
  created_at timestamptz(3) not null,
  fingerprint bytea not null,
  status smallint not null,
  headers json not null,
  body text not null,
  primary key (account_id, key, created_at)
) partition by range (created_at);
