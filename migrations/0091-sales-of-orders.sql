create index concurrently if not exists sales_order on sales (account_id, order_id) where order_id is not null;
