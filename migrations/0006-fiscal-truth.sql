-- Ranges per place and with a first day, what does not agree between sales and documents, and numbers that others used.

-- A range may serve one register or one warehouse; without either it serves all. `told` says which of its ends the owner
-- has been told of.
alter table numbering_ranges
  add column valid_from date,
  add column register_id uuid,
  add column warehouse_id uuid,
  add column told text[] not null default '{}',
  add check (register_id is null or warehouse_id is null);

-- Which register stands in which warehouse, where the business says so.
create table register_places (
  account_id uuid not null,
  register_id uuid not null,
  warehouse_id uuid not null,
  primary key (account_id, register_id)
);

-- Numbers of our ranges that a register's own documents have. Those still ahead are skipped.
create table taken_numbers (
  account_id uuid not null,
  range_id uuid not null,
  number bigint not null,
  invoice_id uuid not null,
  created_at timestamptz(3) not null,
  primary key (account_id, range_id, number, invoice_id)
);

-- What a document waits for besides its number: the customer of its sale, who has not arrived.
alter table fiscal_documents add column waits_for uuid;
create index fiscal_documents_waiting on fiscal_documents (account_id, waits_for) where waits_for is not null;

-- What does not agree between a sale and its documents. One open row per matter; closed when it agrees again, or when
-- somebody says that it was dealt with.
create table fiscal_findings (
  account_id uuid not null,
  id uuid not null,
  kind text not null,
  subject text not null,
  gravity text not null check (gravity in ('error', 'warning')),
  sale_id uuid,
  invoice_id uuid,
  message text not null,
  next_step text not null,
  found_at timestamptz(3) not null,
  closed_at timestamptz(3),
  closed_because text,
  primary key (account_id, id)
);
create unique index fiscal_findings_open on fiscal_findings (account_id, kind, subject) where closed_at is null;
create index fiscal_findings_sale on fiscal_findings (account_id, sale_id) where sale_id is not null;

-- A rejected document does not use up its number.
alter table simulated_authority add column verdict text;
