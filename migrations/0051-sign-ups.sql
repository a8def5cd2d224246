-- Businesses that somebody wants to open, until the mailed code comes back. An address that somebody already has gets a row too,
-- so that the responses do not tell. Counted by who asked, like password_resets.
create table sign_ups (
  id uuid primary key,
  email_key text not null,
  email text not null,
  source text not null,
  mails smallint not null,
  mailed_at timestamptz(3) not null,
  attempts smallint not null default 0,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index sign_ups_day on sign_ups (email_key, created_at);
create index sign_ups_end on sign_ups (expires_at);
