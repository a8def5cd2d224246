-- What each person of a business wants to be told by mail. A kind without a row is as it is by default
-- (src/notices/alert-kinds.ts). Until a business has several people its owner is the account's own id.
create table alert_choices (
  account_id uuid not null,
  person_id uuid not null,
  kind text not null,
  is_active boolean not null,
  amount bigint,
  from_hour smallint,
  to_hour smallint,
  updated_at timestamptz(3) not null,
  primary key (account_id, person_id, kind)
);

-- What was found and told: while it stands here, it is not told again.
create table alerts_told (
  account_id uuid not null,
  kind text not null,
  subject text not null,
  told_at timestamptz(3) not null,
  primary key (account_id, kind, subject)
);
