-- What the owner's portal keeps about the stock; neither the API nor the registers see any of it.

-- low_stock: at this many base units or fewer a product counts as running out. start_hidden_at: when the owner put the
-- first-steps page away.
create table portal_settings (
  account_id uuid primary key references accounts,
  low_stock integer not null default 5 check (low_stock >= 0),
  start_hidden_at timestamptz(3)
);

-- A product's own limit, where the account's does not fit it.
create table product_thresholds (
  account_id uuid not null,
  product_id uuid not null,
  low_stock integer not null check (low_stock >= 0),
  primary key (account_id, product_id)
);

-- The ledger's sums by warehouse, of the movements up to counted_until; the newer ones are added when somebody asks. Movements
-- without a warehouse are under the nil UUID.
create table stock_levels (
  account_id uuid not null,
  product_id uuid not null,
  warehouse_id uuid not null,
  stock_milli bigint not null,
  primary key (account_id, product_id, warehouse_id)
);
create table stock_level_progress (
  account_id uuid primary key,
  counted_until timestamptz(3) not null
);

-- An imported product file that was read and compared: what it would change, in chunks of rows. Each chunk is applied in one
-- write together with applied_chunks, so a repeated or interrupted import does nothing twice.
create table product_imports (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null,
  file_name text not null,
  summary json not null,
  chunks integer not null,
  applied_chunks integer not null default 0,
  created_count integer not null default 0,
  updated_count integer not null default 0,
  failures json not null default '[]',
  primary key (account_id, id)
);
create table product_import_chunks (
  account_id uuid not null,
  import_id uuid not null,
  position integer not null,
  rows json not null,
  primary key (account_id, import_id, position)
);

-- The portal's search by what people read on paper. A register may upload a longer text as a CUFE than an index entry holds.
create index invoices_number on invoices (account_id, (body ->> 'number'));
create index invoices_cufe on invoices (account_id, left(body ->> 'cufe', 96) text_pattern_ops) where body ->> 'cufe' is not null;
create index quotes_number on quotes (account_id, (body ->> 'number'));
