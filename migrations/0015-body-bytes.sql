-- How long a stored body is, so that a page can be bounded by bytes without reading the bodies it leaves out. Null for what
-- was stored before this column came: those are measured when they are read. Adding it rewrites no table.
alter table customers add column body_bytes integer;
alter table categories add column body_bytes integer;
alter table products add column body_bytes integer;
alter table warehouses add column body_bytes integer;
alter table stock_movements add column body_bytes integer;
alter table sales add column body_bytes integer;
alter table invoices add column body_bytes integer;
alter table cash_sessions add column body_bytes integer;
alter table quotes add column body_bytes integer;
alter table events add column body_bytes integer;
