-- Webhooks, and the mail and notices that owners get.

-- `version` moves with the URL and the secrets: a sender knows by it whether what it remembers still holds. Secrets are
-- encrypted under a key derived from SECRET_KEY. failing_since is the first failure of the current run; notice_for is the
-- run whose half-way notice was sent.
create table webhook_endpoints (
  account_id uuid not null references accounts,
  id uuid not null,
  url text not null,
  event_types text[] not null,
  status text not null check (status in ('active', 'paused', 'deactivated')),
  version integer not null default 1,
  secret bytea not null,
  previous_secret bytea,
  secret_overlap_until timestamptz(3),
  consecutive_failures integer not null default 0,
  failing_since timestamptz(3),
  notice_for timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id)
) with (fillfactor = 70);

-- The queue: one row per delivery that is still to be made. It lives from the event's commit to its last attempt, then
-- moves to webhook_deliveries, so that what the workers search stays small however long the history is. due_at
-- is business time; leased_until is the machine's, because a jump of the test clock must not end a lease. A lease
-- changes no indexed column, so it is a HOT update. body is there for test events only: all others are in the log.
create table webhook_queue (
  account_id uuid not null,
  endpoint_id uuid not null,
  due_at timestamptz(3) not null,
  id uuid not null,
  created_at timestamptz(3) not null,
  event_id uuid not null,
  event_type text not null,
  is_test boolean not null default false,
  attempts_in_series smallint not null default 0,
  leased_until timestamptz(3),
  attempts json not null default '[]',
  body text,
  primary key (account_id, endpoint_id, due_at, id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 100000, autovacuum_vacuum_cost_delay = 0);
create index webhook_queue_tests on webhook_queue (account_id, endpoint_id, due_at) where is_test;

-- The history: one row per delivery that ended, with all its attempts, in partitions of one day. The id of a delivery and the
-- id of its event both carry created_at (UUID version 7), so either finds the row without searching all days.
-- duration_ms is the last attempt's, apart from the others: the charts count a week of deliveries from the index alone.
create table webhook_deliveries (
  account_id uuid not null,
  created_at timestamptz(3) not null,
  id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  is_test boolean not null,
  state text not null check (state in ('delivered', 'failed', 'dropped')),
  attempts json not null,
  body text,
  duration_ms integer generated always as (((attempts -> -1) ->> 'duration_ms')::integer) stored,
  primary key (account_id, created_at, id)
) partition by range (created_at);
create index webhook_deliveries_endpoint on webhook_deliveries (account_id, endpoint_id, created_at desc, id desc)
  include (state, duration_ms);
create index webhook_deliveries_ended_badly on webhook_deliveries (account_id, endpoint_id, state, created_at desc, id desc)
  where state <> 'delivered';

-- A period's failures being sent again, step by step: `position` is the place in the period that was reached.
create table webhook_resends (
  account_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  since timestamptz(3) not null,
  until timestamptz(3) not null,
  total integer not null,
  resent integer not null default 0,
  position_at timestamptz(3),
  position_id uuid,
  state text not null check (state in ('running', 'done', 'stopped')),
  created_at timestamptz(3) not null,
  primary key (account_id, id)
);
create index webhook_resends_running on webhook_resends (account_id, created_at) where state = 'running';

-- Mail is written with what it is about and sent afterwards. A sent mail loses its text when it left over SMTP: codes do not
-- stay at rest.
create table mails (
  account_id uuid not null,
  created_at timestamptz(3) not null,
  id uuid not null,
  kind text not null,
  recipient text not null,
  subject text not null,
  body_text text,
  body_html text,
  attempts smallint not null default 0,
  next_attempt_at timestamptz(3),
  leased_until timestamptz(3),
  sent_at timestamptz(3),
  last_error text,
  primary key (account_id, created_at, id)
) partition by range (created_at);
create index mails_waiting on mails (account_id, next_attempt_at) where next_attempt_at is not null;

-- What the owner should know of. One row a day for the same matter, however often it happens.
create table notices (
  account_id uuid not null,
  kind text not null,
  subject text not null,
  on_day date not null,
  message text not null,
  times integer not null default 1,
  created_at timestamptz(3) not null,
  last_at timestamptz(3) not null,
  mailed_at timestamptz(3),
  primary key (account_id, kind, subject, on_day)
);
-- Those whose mail is still to be written, found over all accounts without reading those of the past.
create index notices_unmailed on notices (account_id, created_at) where mailed_at is null;
