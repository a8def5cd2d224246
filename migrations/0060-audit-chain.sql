-- The entries of an account's audit log form a chain: each has its number, the hash of the one before, and a hash over both and over
-- all that it says (src/access/accounts/audit-chain.ts). Repetitions are counted beside what an entry says, with a hash of their own.
-- Null in entries of before until they are taken in (src/operations/fills).
alter table audit_log
  add column if not exists seq bigint,
  add column if not exists previous bytea,
  add column if not exists hash bytea,
  add column if not exists times int,
  add column if not exists times_hash bytea,
  add column if not exists person_id uuid,
  add column if not exists person_name text,
  add column if not exists role text,
  add column if not exists replaced bytea;

-- The end of each account's chain. kept_seq, kept_hash: the last entry that was dropped for its age.
create table audit_heads (
  account_id uuid not null,
  count bigint not null,
  previous bytea not null,
  hash bytea not null,
  kept_seq bigint not null default 0,
  kept_hash bytea not null default '\x',
  primary key (account_id)
);

insert into fills (name) select 'audit_chain' where exists (select 1 from accounts);
