-- What a person is told of the doors, by mail and in the portal's bell: one row for each who is told; those of one act share event_id.
-- hash: of the link with which she says that it was not she, for 72 hours. actor_id: who did it, as far as known.
create table security_notices (
  id uuid primary key,
  event_id uuid not null,
  hash bytea not null unique,
  person_id uuid not null references people,
  account_id uuid not null references accounts,
  kind text not null,
  actor_id uuid references people,
  title text not null,
  lines text[] not null,
  about text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  objected_at timestamptz(3)
);
create index security_notices_person on security_notices (person_id, account_id, created_at);
create index security_notices_event on security_notices (event_id);

-- What a person may not do in a business for a while, after somebody said of such an act that it was not she.
create table security_freezes (
  account_id uuid not null references accounts,
  person_id uuid not null references people,
  room text not null,
  until timestamptz(3) not null,
  primary key (person_id, account_id, room)
);

-- Until when a person has seen the business's notices in the bell.
alter table memberships add column notices_seen_at timestamptz(3);
