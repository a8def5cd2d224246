-- After how many minutes that nobody has taken an order the business is told. A process of the version before tells nobody.
alter table portal_settings add column order_wait_minutes integer not null default 10;
