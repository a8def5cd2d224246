-- Businesses that their owners closed, and when their data goes. What stays of one that is gone is this row.
create table closed_accounts (
  account_id uuid not null,
  closed_at timestamptz(3) not null,
  data_goes_at timestamptz(3) not null,
  gone_at timestamptz(3),
  primary key (account_id)
);
