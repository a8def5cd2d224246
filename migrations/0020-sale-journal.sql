-- What writes counted that is not in the totals of sales yet. A sale changes a row of its hour, of its shift, and of each of its products and taxes; its write
-- notes that here in one row, and one write in many adds what was noted to sale_hours, sale_shifts, sale_products and sale_taxes
-- (business/sale-totals). What was sold is always the totals and this together.
create table sale_journal (
  account_id uuid not null,
  seq bigint not null,
  -- A write may change sales and returns.
  kind text not null,
  -- Rows of the totals as JSON, to be added: of the hour and the shift, of products, of taxes.
  sold json not null,
  products json not null,
  taxes json not null,
  constraint sale_journal_pkey primary key (account_id, seq, kind)
);

-- What was noted up to here is in the totals. Only the rows after it are looked for: the others are gone, but an index remembers them for a while.
alter table account_clock add column journal_seq bigint not null default 0;
