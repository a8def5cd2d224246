-- The same source in other capitals is the same: an order is found by its id in the other system alone, and its source is compared.
create index concurrently if not exists orders_by_external_id on orders (account_id, external_id) where external_id is not null;
