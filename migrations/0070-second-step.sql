-- What a person shows beside the password. Directories all: they are read before it is known which business a request concerns.

-- A removed factor stays for a while, so that whoever did not remove it gets it back. confirmed_at: null until a first code was right.
-- used_step: the last step of 30 s of which a code was taken, so that none is taken twice.
create table factors (
  id uuid primary key,
  person_id uuid not null references people,
  kind text not null,
  name text not null,
  secret bytea,
  used_step bigint,
  credential_id bytea,
  public_key bytea,
  sign_count bigint,
  transports text[],
  created_at timestamptz(3) not null,
  confirmed_at timestamptz(3),
  last_used_at timestamptz(3),
  removed_at timestamptz(3),
  check ((kind = 'totp') = (secret is not null)),
  check ((kind = 'passkey') = (credential_id is not null and public_key is not null and sign_count is not null))
);
create index factors_person on factors (person_id);
create unique index factors_credential on factors (credential_id) where credential_id is not null;

-- Only hashes: the codes are shown once.
create table recovery_codes (
  person_id uuid not null references people,
  hash bytea not null,
  created_at timestamptz(3) not null,
  used_at timestamptz(3),
  primary key (person_id, hash)
);

-- Somebody whose password was right and of whom more is asked. hash: of the cookie that only her browser has. password_mark: changes
-- with the password, so that a stage ends with it. known_since: of a browser that signed in before. lost_at: when she said that
-- she has her factors no more and had a code mailed instead.
create table sign_in_stages (
  id uuid primary key,
  hash bytea not null unique,
  person_id uuid not null references people,
  account_id uuid not null references accounts,
  password_mark bytea not null,
  kinds text[] not null,
  known_since timestamptz(3),
  remote_address text,
  user_agent text,
  attempts integer not null default 0,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  mailed_at timestamptz(3),
  lost_at timestamptz(3),
  used_at timestamptz(3)
);
create index sign_in_stages_person on sign_in_stages (person_id, created_at);

-- Browsers that did the second step and need not do it again for a while. All of a person's go when her factors change.
create table trusted_browsers (
  id uuid primary key,
  hash bytea not null unique,
  person_id uuid not null references people,
  remote_address text,
  user_agent text,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index trusted_browsers_person on trusted_browsers (person_id);

-- When its person last did a second step in this session.
alter table portal_sessions add column stepped_up_at timestamptz(3);
