-- What is bought. Numbers, and that an invoice is one purchase, are held under the account's lock.
create table purchases (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  seq bigint not null,
  status text not null,
  number integer not null,
  supplier_id uuid not null,
  invoice_number text,
  invoice_key text,
  cufe text,
  due_date text,
  balance bigint not null,
  external_id text,
  location_id uuid,
  search text not null,
  search_keys int[] not null,
  search_bits bit(128) not null,
  body json not null,
  body_bytes integer,
  version integer,
  primary key (account_id, id)
);
create index purchases_created on purchases (account_id, created_at desc, id desc) include (search_bits);
create index purchases_updated on purchases (account_id, updated_at);
create index purchases_search on purchases using gin (search_keys);
create index purchases_status on purchases (account_id, status, created_at desc, id desc);
create index purchases_supplier on purchases (account_id, supplier_id, created_at desc, id desc);
create unique index purchases_number on purchases (account_id, number);
create unique index purchases_invoice on purchases (account_id, invoice_key) where invoice_key is not null;
create unique index purchases_cufe on purchases (account_id, cufe) where cufe is not null;
create unique index purchases_external_id on purchases (account_id, external_id)
  where external_id is not null and deleted_at is null;
create index purchases_due on purchases (account_id, due_date) where balance <> 0;

-- What is owed to suppliers: goods that came add to it, goods that went back and payments take from it. Entries are never edited.
create table payable_entries (
  account_id uuid not null,
  id uuid not null,
  supplier_id uuid not null,
  purchase_id uuid not null,
  location_id uuid,
  kind text not null,
  amount bigint not null,
  means text,
  cash_session_id uuid,
  note text,
  person text,
  created_at timestamptz(3) not null,
  primary key (account_id, id)
);
create index payable_entries_purchase on payable_entries (account_id, purchase_id, created_at);
create index payable_entries_supplier on payable_entries (account_id, supplier_id, created_at desc, id desc);
