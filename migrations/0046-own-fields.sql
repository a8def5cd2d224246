-- The record's id in another system of the business, as its body publishes it.
alter table customers add column if not exists external_id text;
alter table products add column if not exists external_id text;
alter table sales add column if not exists external_id text;
alter table quotes add column if not exists external_id text;
