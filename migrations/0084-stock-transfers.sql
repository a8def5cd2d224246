-- What travels between warehouses of two sedes: sent by one, received by the other. The movements of both ends are in the ledger; this
-- says what belongs together and what is still on its way. A sede is null for a warehouse of the whole business.
create table stock_transfers (
  account_id uuid not null,
  id uuid not null,
  number integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  state text not null,
  from_location_id uuid,
  to_location_id uuid,
  body json not null,
  primary key (account_id, id),
  unique (account_id, number)
);
create index stock_transfers_created on stock_transfers (account_id, created_at desc, id desc);
-- Few at a time: what is on its way is added up from them.
create index stock_transfers_open on stock_transfers (account_id) where state in ('sent', 'short');
