-- The rights that came after the first four (src/business/counter/rights.ts). Null until an owner sets them: until then nobody loses
-- what she could do. `permissions` goes on holding the first four, which is all that older processes and registers read.
alter table cashiers add column rights text[];

-- After so many minutes without a touch a register asks for a PIN; 0 for never.
alter table counter_settings add column lock_minutes integer not null default 0;

-- What happened at a counter and is no sale, for the owner to see: removed lines, thrown-away tickets, what a supervisor allowed, wrong
-- PINs; and what the service found that nobody was allowed to do (is_allowed false). occurred_at is the register's time, received_at ours.
create table counter_acts (
  account_id uuid not null,
  id uuid not null,
  device_id uuid not null,
  kind text not null,
  occurred_at timestamptz(3) not null,
  received_at timestamptz(3) not null,
  cashier_id uuid,
  authorized_by uuid,
  shift_id uuid,
  sale_id uuid,
  label text,
  amount bigint,
  detail text,
  is_allowed boolean not null default true,
  primary key (account_id, id)
);
create index counter_acts_time on counter_acts (account_id, occurred_at, id);
create index counter_acts_sale on counter_acts (account_id, sale_id) where sale_id is not null;
-- By age, for housekeeping.
create index counter_acts_age on counter_acts (account_id, received_at);
-- What the owner is told about.
create index counter_acts_told on counter_acts (account_id, received_at) where not is_allowed or kind = 'wrong_pins';
