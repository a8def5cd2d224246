-- Six-digit codes follow from their id and SECRET_KEY, so that a mail can be repeated; no trace of them is kept. What waits for
-- a code lives ten minutes: whoever waits during the upgrade asks again.
delete from confirmations;
alter table confirmations
  drop column code_hash,
  -- Tells that the same thing is asked for again, whatever it holds sealed.
  add column request_hash bytea not null,
  add column mailed_at timestamptz(3) not null;

-- Codes are counted by who asked, so that a stranger cannot use up an owner's.
delete from password_resets;
alter table password_resets
  drop column code_hash,
  add column source text not null,
  add column mails smallint not null,
  add column mailed_at timestamptz(3) not null;

-- Failures are counted by account and by where they came from: a network, a known browser, an open session; and those of all
-- strangers together.
drop table sign_in_failures;
create table sign_in_failures (
  email_key text not null,
  source text not null,
  failures integer not null,
  last_failure_at timestamptz(3) not null,
  locked_until timestamptz(3),
  primary key (email_key, source)
);

-- A change of address that the link in the old one's mailbox undoes. A directory: the link leads to the account.
create table email_changes (
  hash bytea primary key,
  account_id uuid not null references accounts,
  old_email text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  undone_at timestamptz(3)
);
create index email_changes_account on email_changes (account_id, created_at);
