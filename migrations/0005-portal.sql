-- What the portal's pages need beyond what the API, the webhooks and the registers keep.

-- Calls made with each key, for seven days. Written in batches; the key and the time lead, as the page asks for them. The id
-- is the request's own, so that its request_id is read from it.
create table request_log (
  account_id uuid not null,
  key_id uuid not null,
  created_at timestamptz(3) not null,
  id uuid not null,
  method text not null,
  path text not null,
  status smallint not null,
  ms real not null,
  primary key (account_id, key_id, created_at, id)
) partition by range (created_at);

-- The expiry whose notice was mailed: a key that is given another one is announced again.
alter table api_keys add column noticed_expiry timestamptz(3);
create index api_keys_expiring on api_keys (expires_at) where expires_at is not null and revoked_at is null;

-- How long the last attempt took, apart from the attempts: the charts count a week of deliveries from the index alone.
alter table webhook_deliveries add column duration_ms integer generated always as (((attempts -> -1) ->> 'duration_ms')::integer) stored;
drop index webhook_deliveries_endpoint;
create index webhook_deliveries_endpoint on webhook_deliveries (account_id, endpoint_id, created_at desc, id desc)
  include (state, duration_ms);

-- Where a session was opened, so that its owner knows it again in the list.
alter table portal_sessions add column remote_address text, add column user_agent text;

-- A directory, like the failed sign-ins: looked up before the account is known. An address that nobody has gets a row too, so that
-- the answers do not tell who has an account.
create table password_resets (
  id uuid primary key,
  email_key text not null,
  account_id uuid references accounts,
  code_hash bytea not null,
  attempts smallint not null default 0,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index password_resets_day on password_resets (email_key, created_at);
