-- What the taxes of an ended day add up to by rate, by the day of the sale or of the document (src/fiscal/closing). Added up
-- by the report that first needs it, and forgotten when a record of the day is written: seen_at is the account's time up to
-- which that was looked at.
create table tax_days (
  account_id uuid not null,
  basis text not null,
  day date not null,
  rows json not null,
  constraint tax_days_pkey primary key (account_id, basis, day)
);
create table tax_days_seen (
  account_id uuid not null,
  seen_at timestamptz(3) not null,
  constraint tax_days_seen_pkey primary key (account_id)
);
