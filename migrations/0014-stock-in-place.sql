-- Every sale changes the stock and updated_at of its products. As long as no index holds what changed and the page has room, PostgreSQL
-- changes such a row in place, without an entry in each of its indexes. The hour of a change is enough to find it.
alter table products add column updated_hour timestamptz(3);
update products set updated_hour = date_trunc('hour', updated_at, 'UTC');
alter table products alter column updated_hour set not null;
create index products_updated_hour on products (account_id, updated_hour);
drop index products_updated;
alter table products set (fillfactor = 70);
