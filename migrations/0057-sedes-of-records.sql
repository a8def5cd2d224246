-- The sede of a record, as its body publishes it. Null is the first, whose id is the account's, and so is all that was stored before.
alter table sales add column if not exists location_id uuid;
alter table returns add column if not exists location_id uuid;
alter table invoices add column if not exists location_id uuid;
alter table cash_sessions add column if not exists location_id uuid;
alter table stock_movements add column if not exists location_id uuid;
alter table quotes add column if not exists location_id uuid;
-- A warehouse may also belong to the whole business, and then to no sede.
alter table warehouses add column if not exists location_id uuid;
alter table warehouses add column if not exists is_shared boolean;
-- Only of other sedes than the first: a business with one has no entries.
create index concurrently if not exists sales_location on sales (account_id, location_id, created_at desc, id desc)
  where location_id is not null;
create index concurrently if not exists sales_location_occurred on sales (account_id, location_id, occurred_at desc, id desc)
  where location_id is not null;
create index concurrently if not exists invoices_location on invoices (account_id, location_id, issued_at desc, id desc)
  where location_id is not null;
create index concurrently if not exists stock_movements_location on stock_movements (account_id, location_id, created_at desc, id desc)
  where location_id is not null;
