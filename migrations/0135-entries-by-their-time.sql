-- The entries of a product since some moment, to go through them again.
create index concurrently if not exists stock_movements_made on stock_movements (account_id, product_id, made_us) where made_us is not null;
