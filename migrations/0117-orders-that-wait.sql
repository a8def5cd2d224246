-- The orders that nobody has taken are few, and looked for in all businesses at once; so are those told of.
create index concurrently if not exists orders_waiting on orders (account_id, created_at) where status = 'placed';
create index concurrently if not exists alerts_told_waiting on alerts_told (account_id) where kind = 'orders_waiting';
