-- Register synchronization: how far each register has come, and what was odd in its uploads.

-- Apart from `devices`, which is a directory and not written on every push.
create table device_progress (
  account_id uuid not null,
  device_id uuid not null,
  acked_seq bigint not null default 0,
  skew_ms bigint,
  forked_at timestamptz(3),
  primary key (account_id, device_id)
);

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

-- What was odd in an upload that was applied all the same: one row per record, gone when it is uploaded in order.
create table flagged_records (
  account_id uuid not null,
  record_id uuid not null,
  type text not null,
  device_id uuid not null,
  device_seq bigint not null,
  found_at timestamptz(3) not null,
  findings json not null,
  primary key (account_id, record_id, type)
);
create index flagged_records_device on flagged_records (account_id, device_id, found_at);
