-- Whom a business buys from. A document is one supplier's, which is held under the account's lock.
create table suppliers (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  seq bigint not null,
  document_key text,
  active boolean not null,
  external_id text,
  search text not null,
  search_keys int[] not null,
  search_bits bit(128) not null,
  body json not null,
  body_bytes integer,
  version integer,
  primary key (account_id, id)
);
create index suppliers_created on suppliers (account_id, created_at desc, id desc) include (search_bits);
create index suppliers_updated on suppliers (account_id, updated_at);
create index suppliers_search on suppliers using gin (search_keys);
create index suppliers_document on suppliers (account_id, document_key) where document_key is not null;
create unique index suppliers_external_id on suppliers (account_id, external_id)
  where external_id is not null and deleted_at is null;

-- What each of them sells: their code for it, how it comes and what it cost last. key: their code, or the product where they have none.
create table supplier_items (
  account_id uuid not null,
  supplier_id uuid not null,
  key text not null,
  code text,
  product_id uuid not null,
  variant_id uuid,
  description text,
  unit text not null,
  factor numeric not null,
  last_cost numeric not null,
  bought_at timestamptz(3) not null,
  primary key (account_id, supplier_id, key)
);
create index supplier_items_product on supplier_items (account_id, product_id);
