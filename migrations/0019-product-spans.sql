-- What each product sold in a stretch of ended days (a month, a third of one, the last four weeks), so that a year is not read day by day. The
-- reports keep a stretch when they first read it, from sale_products; a write that reaches a day of it removes it (business/sale-totals).
-- Emptying this table is always safe.
create table sale_product_spans (
  account_id uuid not null,
  first_day date not null,
  last_day date not null,
  product_ids uuid[] not null,
  lines bigint[] not null,
  quantities numeric[] not null,
  amounts numeric[] not null,
  constraint sale_product_spans_pkey primary key (account_id, first_day, last_day)
);
