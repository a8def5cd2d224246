-- Housekeeping by the database's clock.

-- How far retention has come, and when the clock was last looked at: one that jumps ahead drops nothing at once.
alter table installation
  add column retention_at timestamptz(3),
  add column clock_seen_at timestamptz(3);

-- Only tombstones that are still in the feed: what a purge has to look at, and nothing else.
create index customers_tombstones on customers (account_id, deleted_at) where deleted_at is not null and feed_seq is not null;
create index categories_tombstones on categories (account_id, deleted_at) where deleted_at is not null and feed_seq is not null;
create index products_tombstones on products (account_id, deleted_at) where deleted_at is not null and feed_seq is not null;
create index quotes_tombstones on quotes (account_id, deleted_at) where deleted_at is not null and feed_seq is not null;

create index confirmations_age on confirmations (account_id, created_at);

-- Directories, which are not split by account.
create index portal_sessions_end on portal_sessions (expires_at);
create index portal_sessions_seen on portal_sessions (last_seen_at);
create index sign_in_failures_age on sign_in_failures (last_failure_at);
create index rate_buckets_age on rate_buckets (at);
