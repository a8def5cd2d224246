-- The quote that a sale fulfilled, when the sale is uploaded again: what it offered is not judged as the sale's own.
create index concurrently if not exists quotes_sale on quotes (account_id, (body ->> 'sale_id'))
  where body ->> 'sale_id' is not null;
