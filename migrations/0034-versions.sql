-- The number of a record's version, as its body publishes it. Null: not written since versions are counted. It is kept beside the
-- body because a process of the former release writes bodies without it, and the count must go on after that.
alter table customers add column version integer;
alter table categories add column version integer;
alter table products add column version integer;
alter table warehouses add column version integer;
alter table stock_movements add column version integer;
alter table sales add column version integer;
alter table returns add column version integer;
alter table invoices add column version integer;
alter table cash_sessions add column version integer;
alter table quotes add column version integer;

-- The `sequence` of the account's last event. A process of the former release leaves it as it is: its events have none.
alter table account_clock add column event_seq bigint not null default 0;

-- The record that a delivery shows: those of one record go to an endpoint one after the other. Null: tests, what is sent again by
-- hand, and what was queued by the former release.
alter table webhook_queue add column object_id uuid;
