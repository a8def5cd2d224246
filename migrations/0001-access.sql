-- Who may come in. In every table of a business's data account_id leads the primary key and every index, so that the schema
-- shards by account as it is. Directories are global and small, and are never joined to a business's data in a request.

create extension if not exists btree_gin;

-- retention_at: how far retention has come. clock_seen_at: when the database's clock was last looked at; one that jumps ahead
-- drops nothing at once.
create table installation (
  only_row boolean primary key default true check (only_row),
  epoch uuid not null default gen_random_uuid(),
  clock_offset_ms bigint not null default 0,
  retention_at timestamptz(3),
  clock_seen_at timestamptz(3)
);
insert into installation default values;

create table accounts (
  id uuid primary key,
  name text not null,
  email text not null,
  password_hash text not null,
  plan text not null check (plan in ('basic', 'pro')),
  active boolean not null default true,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create unique index accounts_email on accounts (lower(email));

-- noticed_expiry: the expiry whose notice was mailed; a key that is given another one is announced again. replaced_by: the key
-- that a rotation made in its place; its own expiry was cut to the end of the overlap, so it is not rotated again.
create table api_keys (
  id uuid primary key,
  account_id uuid not null references accounts,
  name text not null,
  hash bytea not null unique,
  last_four text not null,
  scopes text[] not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  noticed_expiry timestamptz(3),
  replaced_by uuid
);
create index api_keys_account on api_keys (account_id, created_at);
create index api_keys_expiring on api_keys (expires_at) where expires_at is not null and revoked_at is null;

-- next_token_hash: a rotated token waits here until its register has used it once: a lost response locks nobody out.
create table devices (
  id uuid primary key,
  account_id uuid not null references accounts,
  name text not null,
  token_hash bytea unique,
  next_token_hash bytea unique,
  app_version text,
  capabilities text[],
  created_at timestamptz(3) not null,
  last_seen_at timestamptz(3),
  revoked_at timestamptz(3)
);
create index devices_account on devices (account_id, created_at);

-- selector: the code's first characters, by which it is found and its attempts are counted before the rest is compared.
create table enrolment_codes (
  selector text primary key,
  code_hash bytea not null,
  account_id uuid not null references accounts,
  name text not null,
  attempts smallint not null default 0,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);

-- What is left in each rate limit's bucket, as the processes of an installation report it to one another. Unlogged: a crash
-- empties it, and an absent bucket is a full one.
create unlogged table rate_buckets (
  kind text not null,
  name text not null,
  tokens double precision not null,
  at timestamptz not null,
  primary key (kind, name)
) with (fillfactor = 70);
create index rate_buckets_age on rate_buckets (at);

-- The portal. What is looked up before the account is known is a directory: sessions, failed sign-ins, password resets and
-- changes of e-mail.

create table portal_sessions (
  hash bytea primary key,
  id uuid not null unique,
  account_id uuid not null references accounts,
  created_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  remote_address text,
  user_agent text
);
create index portal_sessions_account on portal_sessions (account_id);
create index portal_sessions_end on portal_sessions (expires_at);
create index portal_sessions_seen on portal_sessions (last_seen_at);

-- Failures are counted by account and by where they came from: a network, a known browser, an open session; and those of all
-- strangers together.
create table sign_in_failures (
  email_key text not null,
  source text not null,
  failures integer not null,
  last_failure_at timestamptz(3) not null,
  locked_until timestamptz(3),
  primary key (email_key, source)
);
create index sign_in_failures_age on sign_in_failures (last_failure_at);

-- An address that nobody has gets a row too, so that the responses do not tell who has an account. Codes are counted by who
-- asked, so that a stranger cannot use up an owner's.
create table password_resets (
  id uuid primary key,
  email_key text not null,
  account_id uuid references accounts,
  source text not null,
  mails smallint not null,
  mailed_at timestamptz(3) not null,
  attempts smallint not null default 0,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index password_resets_day on password_resets (email_key, created_at);

-- A change of address that the link in the old address's mail undoes.
create table email_changes (
  hash bytea primary key,
  account_id uuid not null references accounts,
  old_email text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  undone_at timestamptz(3)
);
create index email_changes_account on email_changes (account_id, created_at);

-- A change that waits for its mailed code. The payload is what the mail showed: nothing else can be confirmed. The code follows
-- from the id and SECRET_KEY, so that its mail can be repeated. request_hash tells that the same thing is asked for again.
create table confirmations (
  account_id uuid not null references accounts,
  id uuid not null,
  session_id uuid not null,
  action text not null,
  payload json not null,
  request_hash bytea not null,
  mailed_at timestamptz(3) not null,
  attempts smallint not null default 0,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  primary key (account_id, id)
);
create index confirmations_day on confirmations (account_id, action, created_at);
create index confirmations_age on confirmations (account_id, created_at);

-- actor: the owner in the portal, the operator at the command line, a register, the service by itself, or a stranger who failed
-- to sign in.
create table audit_log (
  account_id uuid not null,
  created_at timestamptz(3) not null,
  id uuid not null,
  action text not null,
  details json not null,
  session_id uuid,
  remote_address text,
  actor text not null default 'owner' check (actor in ('owner', 'operator', 'register', 'service', 'stranger')),
  primary key (account_id, created_at, id)
);

-- Calls made with each key, for seven days. Written in batches; the key and the time lead, as the page asks for them. The id
-- is the request's own: its request_id follows from it.
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
