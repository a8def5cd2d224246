-- Erasures of persons. A row says what is looked for while it runs, and afterwards only ids: whose records registers forget.
-- position: how far it is; leased_until: the process that does it.
create table erasures (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null,
  seq bigint,
  customer_ids uuid[] not null,
  sale_ids uuid[] not null default '{}',
  person json,
  position json,
  counts json not null default '{}',
  begun_at timestamptz(3) not null default now(),
  leased_until timestamptz(3),
  finished_at timestamptz(3),
  primary key (account_id, id)
);
create index erasures_seq on erasures (account_id, seq) where seq is not null;
create index erasures_open on erasures (account_id, created_at) where finished_at is null;
