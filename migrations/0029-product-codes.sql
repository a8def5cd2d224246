-- The other codes of a product, packs among them, as they are searched; the product's own text has them in full.
alter table products add column if not exists barcodes text[] not null default '{}';
-- Which digits of a scale's label are the article and which its weight or its price.
alter table counter_settings add column if not exists scale_labels text[] not null default '{}';
-- Only of products that have some: the others keep their place in the table when their stock changes.
create index concurrently if not exists products_barcodes on products using gin (account_id, barcodes) where barcodes <> '{}';
