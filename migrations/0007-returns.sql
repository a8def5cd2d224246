-- What a buyer brings back, and a sale's change from POS document to invoice.

-- A return of some or all lines of a completed sale. invoice_id: its note, once the sale's document is issued. payments and
-- cashier_id: as the register sent them, never published.
create table returns (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  seq bigint not null,
  sale_id uuid not null,
  cash_session_id uuid,
  invoice_id uuid,
  occurred_at timestamptz(3) not null,
  device_id uuid,
  device_seq bigint,
  edited_at timestamptz(3),
  announced text[],
  cash_amount bigint,
  payments text,
  cashier_id uuid,
  body json not null,
  body_bytes integer,
  primary key (account_id, id)
);
create index returns_created on returns (account_id, created_at desc, id desc);
create index returns_updated on returns (account_id, updated_at);
create index returns_sale on returns (account_id, sale_id);
create index returns_cash_session on returns (account_id, cash_session_id) where cash_session_id is not null;
create index returns_invoice on returns (account_id, invoice_id) where invoice_id is not null;
create index returns_occurred on returns (account_id, occurred_at);

-- Returns of a sale that has not arrived, or is not completed yet, as their register sent them.
create table parked_returns (
  account_id uuid not null,
  id uuid not null,
  sale_id uuid not null,
  device_id uuid not null,
  device_seq bigint not null,
  received_at timestamptz(3) not null,
  edited_at timestamptz(3),
  data json not null,
  beside json not null,
  primary key (account_id, id)
);
create index parked_returns_sale on parked_returns (account_id, sale_id);

-- What later uploads of a sale no longer change: `returned`, its lines and amounts; `invoiced`, its kind and buyer.
alter table sales add column settled text[];

-- The document that a note corrects. `annuls` names it only when the note takes back what is left of it.
alter table fiscal_documents add column corrects uuid;
