-- Register synchronization. Private columns beside the bodies remember who made a record, what was announced and which
-- reference is still awaited; the feed has a place of its own, because a sale moves a product's stock, its seq and its
-- updated_at without anything that a register receives.

-- feed_seq: the last change that travels down to registers. feed_floor: cursors below it have missed a purged tombstone.
alter table account_clock add column feed_seq bigint not null default 0, add column feed_floor bigint not null default 0;

-- revisions: per field the [seq, edited at in ms, device] of its last edit; "*" stands for the record's making.
alter table customers add column feed_seq bigint, add column revisions json;
alter table categories add column feed_seq bigint, add column revisions json;
alter table products add column feed_seq bigint, add column revisions json;
alter table warehouses add column feed_seq bigint, add column revisions json;
alter table quotes add column feed_seq bigint, add column revisions json;
update customers set feed_seq = seq, revisions = json_build_object('*', json_build_array(seq, extract(epoch from updated_at) * 1000));
update categories set feed_seq = seq, revisions = json_build_object('*', json_build_array(seq, extract(epoch from updated_at) * 1000));
update products set feed_seq = seq, revisions = json_build_object('*', json_build_array(seq, extract(epoch from updated_at) * 1000));
update warehouses set feed_seq = seq, revisions = json_build_object('*', json_build_array(seq, extract(epoch from updated_at) * 1000));
update quotes set feed_seq = seq, revisions = json_build_object('*', json_build_array(seq, extract(epoch from updated_at) * 1000));
update account_clock set feed_seq = seq;
drop index customers_seq, categories_seq, products_seq, warehouses_seq, quotes_seq;
create index customers_feed on customers (account_id, feed_seq);
create index categories_feed on categories (account_id, feed_seq);
create index products_feed on products (account_id, feed_seq);
create index warehouses_feed on warehouses (account_id, feed_seq);
create index quotes_feed on quotes (account_id, feed_seq);

-- The device that a record belongs to, and its number and edit time there. announced: once-only events already emitted.
-- findings: what did not add up in the upload.
alter table sales add column device_id uuid, add column device_seq bigint, add column edited_at timestamptz(3),
  add column announced text[], add column findings json;
alter table invoices add column device_id uuid, add column device_seq bigint, add column edited_at timestamptz(3),
  add column if not exists announced text[], add column wanted_sale_id uuid;
alter table cash_sessions add column device_id uuid, add column device_seq bigint, add column edited_at timestamptz(3),
  add column announced text[];
alter table stock_movements add column wanted_warehouse_id uuid;
update sales set announced = array[status] where status in ('completed', 'cancelled');
update invoices set announced = array[status] where status in ('issued', 'rejected');
update cash_sessions set announced = array[status] where status = 'closed';
create index invoices_parked on invoices (account_id, wanted_sale_id) where sale_id is null and wanted_sale_id is not null;
create index stock_movements_parked on stock_movements (account_id, wanted_warehouse_id)
  where warehouse_id is null and wanted_warehouse_id is not null;

-- A rotated token waits here until its register has used it once: an answer lost on the way locks nobody out.
alter table devices add column next_token_hash bytea unique;

-- selector: the code's first characters, by which it is found and its attempts counted before the rest is compared.
create table enrolment_codes (
  selector text primary key,
  code_hash bytea not null,
  account_id uuid not null references accounts,
  name text not null,
  attempts smallint not null default 0,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);

-- How far a register's uploads have come. Apart from `devices`, which is a directory and not written on every push.
create table device_progress (
  account_id uuid not null,
  device_id uuid not null,
  acked_seq bigint not null default 0,
  skew_ms bigint,
  forked_at timestamptz(3),
  primary key (account_id, device_id)
);
insert into device_progress (account_id, device_id) select account_id, id from devices;

-- One row per push: eight bytes of each record's digest, so that a number used again with other content is noticed.
create table push_receipts (
  account_id uuid not null,
  device_id uuid not null,
  last_seq bigint not null,
  created_at timestamptz(3) not null,
  first_seq bigint not null,
  seq bigint not null,
  hashes bytea not null,
  primary key (account_id, device_id, last_seq, created_at)
) partition by range (created_at);

-- Uploads that cannot be read, as they came.
create table quarantined_records (
  account_id uuid not null,
  device_id uuid not null,
  device_seq bigint not null,
  received_at timestamptz(3) not null,
  type text,
  record_id text,
  reason text not null,
  raw text not null,
  primary key (account_id, device_id, device_seq)
);

-- Edits that lost against a later one, or against the register that owns the record.
create table conflicts (
  account_id uuid not null,
  id uuid not null,
  found_at timestamptz(3) not null,
  device_id uuid not null,
  device_seq bigint not null,
  type text not null,
  record_id uuid not null,
  field text not null,
  kept json,
  lost json,
  primary key (account_id, id)
);
create index conflicts_record on conflicts (account_id, record_id);
