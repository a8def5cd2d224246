-- What the owner's lists filter and add up. The index of each carries all that its totals need, so that a million sales are
-- counted without reading one of them; it takes the place of the index of the date alone.

alter table sales
  add column payment_method text,
  add column total bigint,
  add column tax_amount bigint,
  add column tip_amount bigint;
update sales set
  status = left(status, 100),
  payment_method = left(body ->> 'payment_method', 100),
  total = (body ->> 'total')::bigint,
  tax_amount = (body ->> 'tax')::bigint,
  tip_amount = (body ->> 'tip_amount')::bigint;
create index sales_figures on sales (account_id, occurred_at desc, id desc)
  include (total, tax_amount, tip_amount, status, payment_method, document_kind, device_id, cash_session_id);
drop index sales_occurred;

alter table invoices
  add column total bigint,
  add column tax_amount bigint;
update invoices set total = (body ->> 'total')::bigint, tax_amount = (body ->> 'tax')::bigint;
create index invoices_figures on invoices (account_id, issued_at desc, id desc) include (total, tax_amount, status, document_type);
drop index invoices_issued;

-- The movements that a sale caused, for its page.
create index stock_movements_sale on stock_movements (account_id, sale_id) where sale_id is not null;
