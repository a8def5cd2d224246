-- One living record of a kind has it. Only of records that have one, which are none when these are built.
create unique index concurrently if not exists customers_external_id on customers (account_id, external_id)
  where external_id is not null and deleted_at is null;
create unique index concurrently if not exists products_external_id on products (account_id, external_id)
  where external_id is not null and deleted_at is null;
create unique index concurrently if not exists sales_external_id on sales (account_id, external_id)
  where external_id is not null and deleted_at is null;
create unique index concurrently if not exists quotes_external_id on quotes (account_id, external_id)
  where external_id is not null and deleted_at is null;
