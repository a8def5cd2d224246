-- Where a business sells. Each has one from its birth, whose id is the account's: what says no sede belongs to it, in a column or in
-- a body, so that nothing of before is written anew.
create table locations (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  seq bigint not null,
  active boolean not null,
  body json not null,
  body_bytes integer,
  version integer,
  primary key (account_id, id)
);
create index locations_created on locations (account_id, created_at desc, id desc);
create index locations_updated on locations (account_id, updated_at);

-- The first one of each account, named like it, as the service writes it.
insert into locations (account_id, id, created_at, updated_at, seq, active, body, version)
select id, id, created_at, created_at, 0, true, format(
  '{"object":"location","id":"%s","name":%s,"address":null,"municipality":null,"phone":null,"establishment_code":null,"ticket_header":null,"ticket_footer":null,"default_warehouse_id":null,"color":null,"is_first":true,"active":true,"created_at":"%s","updated_at":"%s","version":1}',
  id, to_json(name)::text, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::json, 1
from accounts;
