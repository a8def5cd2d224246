-- The records of a business. Those that registers synchronize have no foreign keys between them: they arrive in any order.
-- `body` is json, not jsonb: its bytes and the order of its keys are what the API returns. body_bytes is its length, so that a
-- page can be bounded by bytes without reading the bodies it leaves out.

-- The account's clock: the only source of change order, created_at and updated_at. Whether events are recorded, and whether an
-- active endpoint waits for them, is here too, because a writer that waited for this row must see what its predecessor left.
-- feed_seq: the last change that registers receive. feed_floor: cursors below it have missed a purged tombstone.
create table account_clock (
  account_id uuid primary key references accounts,
  seq bigint not null default 0,
  ts timestamptz(3) not null,
  records_events boolean not null,
  fans_out boolean not null default false,
  feed_seq bigint not null default 0,
  feed_floor bigint not null default 0
);

-- Of records that registers edit too: feed_seq is the last change of what they receive (a sale moves a product's stock, seq and
-- updated_at without one), and revisions holds for each field the [seq, edited at in ms, device] of its last edit; "*" stands
-- for the record's creation. `search` holds the folded texts; search_keys the hashes of their runs of characters, with the
-- account, so that no key is shared by two accounts; search_bits, which the index of the list's order carries, tells whether a
-- record may hold a text (src/engine/search/search-text.ts).

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
  search_keys int[] not null,
  search_bits bit(128) not null,
  feed_seq bigint,
  revisions json,
  body json not null,
  body_bytes integer,
  primary key (account_id, id)
);
create index customers_created on customers (account_id, created_at desc, id desc) include (search_bits);
create index customers_updated on customers (account_id, updated_at);
create index customers_feed on customers (account_id, feed_seq);
create index customers_email on customers (account_id, email_key);
create index customers_document on customers (account_id, document_number);
create index customers_search on customers using gin (search_keys);
create index customers_tombstones on customers (account_id, deleted_at) where deleted_at is not null and feed_seq is not null;

create table categories (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  seq bigint not null,
  search text not null,
  search_keys int[] not null,
  search_bits bit(128) not null,
  feed_seq bigint,
  revisions json,
  body json not null,
  body_bytes integer,
  primary key (account_id, id)
);
create index categories_created on categories (account_id, created_at desc, id desc) include (search_bits);
create index categories_updated on categories (account_id, updated_at);
create index categories_feed on categories (account_id, feed_seq);
create index categories_search on categories using gin (search_keys);
create index categories_tombstones on categories (account_id, deleted_at) where deleted_at is not null and feed_seq is not null;

-- stock_milli is the ledger's exact sum in thousandths of the base unit; cost_milli and cost_value are the quantity, and the
-- value in billionths of a peso, of what came in with a known cost. skus: the product's own SKU and its living variants'.
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
  search_keys int[] not null,
  search_bits bit(128) not null,
  stock_milli bigint not null default 0,
  cost_milli bigint not null default 0,
  cost_value numeric not null default 0,
  declared_cost numeric not null default 0,
  feed_seq bigint,
  revisions json,
  body json not null,
  body_bytes integer,
  primary key (account_id, id)
);
create index products_created on products (account_id, created_at desc, id desc) include (search_bits);
create index products_updated on products (account_id, updated_at);
create index products_feed on products (account_id, feed_seq);
create index products_active on products (account_id, active, created_at desc, id desc);
create index products_category on products (account_id, category_id, created_at desc, id desc);
create index products_skus on products using gin (account_id, skus);
create index products_search on products using gin (search_keys);
create index products_tombstones on products (account_id, deleted_at) where deleted_at is not null and feed_seq is not null;

create table warehouses (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  seq bigint not null,
  is_default boolean not null,
  active boolean not null,
  feed_seq bigint,
  revisions json,
  body json not null,
  body_bytes integer,
  primary key (account_id, id)
);
create index warehouses_created on warehouses (account_id, created_at desc, id desc);
create index warehouses_updated on warehouses (account_id, updated_at);
create index warehouses_feed on warehouses (account_id, feed_seq);

-- from_api: only these go down to the registers. delta_milli: what the entry adds to the stock. wanted_warehouse_id: a warehouse
-- that was named before it arrived.
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
  wanted_warehouse_id uuid,
  body json not null,
  body_bytes integer,
  primary key (account_id, id)
);
create index stock_movements_created on stock_movements (account_id, created_at desc, id desc);
create index stock_movements_updated on stock_movements (account_id, updated_at);
create index stock_movements_seq on stock_movements (account_id, seq) where from_api;
create index stock_movements_product on stock_movements (account_id, product_id, created_at desc, id desc);
create index stock_movements_warehouse on stock_movements (account_id, warehouse_id, created_at desc, id desc);
create index stock_movements_type on stock_movements (account_id, type, created_at desc, id desc);
create index stock_movements_parked on stock_movements (account_id, wanted_warehouse_id)
  where warehouse_id is null and wanted_warehouse_id is not null;

-- Records that belong to the register that made them: device_id, with its number and edit time there. announced: the once-only
-- events already emitted, remembered for ever: the event log forgets after 30 days, a register may upload after 31.
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
  device_id uuid,
  device_seq bigint,
  edited_at timestamptz(3),
  announced text[],
  body json not null,
  body_bytes integer,
  primary key (account_id, id)
);
create index sales_created on sales (account_id, created_at desc, id desc);
create index sales_updated on sales (account_id, updated_at);
create index sales_status on sales (account_id, status, created_at desc, id desc);
create index sales_document_kind on sales (account_id, document_kind, created_at desc, id desc);
create index sales_customer on sales (account_id, customer_id, created_at desc, id desc) where customer_id is not null;
create index sales_cash_session on sales (account_id, cash_session_id, created_at desc, id desc) where cash_session_id is not null;
create index sales_occurred on sales (account_id, occurred_at);

-- wanted_sale_id: a sale that was named before it arrived.
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
  device_id uuid,
  device_seq bigint,
  edited_at timestamptz(3),
  announced text[],
  wanted_sale_id uuid,
  body json not null,
  body_bytes integer,
  primary key (account_id, id)
);
create index invoices_created on invoices (account_id, created_at desc, id desc);
create index invoices_updated on invoices (account_id, updated_at);
create index invoices_status on invoices (account_id, status, created_at desc, id desc);
create index invoices_document_type on invoices (account_id, document_type, created_at desc, id desc);
create index invoices_sale on invoices (account_id, sale_id) where sale_id is not null;
create index invoices_issued on invoices (account_id, issued_at);
create index invoices_parked on invoices (account_id, wanted_sale_id) where sale_id is null and wanted_sale_id is not null;

create table cash_sessions (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  seq bigint not null,
  status text not null,
  device_id uuid,
  device_seq bigint,
  edited_at timestamptz(3),
  announced text[],
  body json not null,
  body_bytes integer,
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
  feed_seq bigint,
  revisions json,
  body json not null,
  body_bytes integer,
  primary key (account_id, id)
);
create index quotes_created on quotes (account_id, created_at desc, id desc);
create index quotes_updated on quotes (account_id, updated_at);
create index quotes_feed on quotes (account_id, feed_seq);
create index quotes_status on quotes (account_id, status, created_at desc, id desc);
create index quotes_customer on quotes (account_id, customer_id, created_at desc, id desc) where customer_id is not null;
create index quotes_tombstones on quotes (account_id, deleted_at) where deleted_at is not null and feed_seq is not null;

-- The event log: partitions of one day, dropped when they are past the 30 days that can be read. An event's id carries
-- its created_at (UUID version 7), so one event is found without searching all days. request_id: the request that caused it.
create table events (
  account_id uuid not null,
  created_at timestamptz(3) not null,
  id uuid not null,
  seq bigint not null,
  type text not null,
  request_id uuid,
  body json not null,
  body_bytes integer,
  primary key (account_id, created_at, id)
) partition by range (created_at);
create index events_type on events (account_id, type, created_at, id);

-- Keys live for 24 hours; a writer holds the account's clock, which is what makes a key unique.
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
