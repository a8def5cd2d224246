-- Who may come in, apart from the businesses: one person may belong to several. All four tables are directories: they are read to learn
-- which account a request concerns, and what it may do there. See decision 75.

-- founded: the account with this id was opened for this person, and its email and password_hash are copies of these, for processes of
-- the version before, which know nothing else. Those columns go when no such process runs.
-- signed_in_at: null until this version saw a sign-in. trusted_since: browsers known before it count as new again.
create table people (
  id uuid primary key,
  email text not null,
  name text not null default '',
  password_hash text not null,
  founded boolean not null default false,
  last_account_id uuid references accounts,
  signed_in_at timestamptz(3),
  trusted_since timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create unique index people_email on people (lower(email));

-- A business's own roles, beside those that every business has.
create table roles (
  id uuid primary key,
  account_id uuid not null references accounts,
  name text not null,
  rights text[] not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create unique index roles_name on roles (account_id, lower(name));

-- role: one that every business has, or 'custom' with a role_id. location_ids: null is every sede there is or will be.
create table memberships (
  person_id uuid not null references people,
  account_id uuid not null references accounts,
  role text not null,
  role_id uuid references roles,
  location_ids uuid[],
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (person_id, account_id),
  check ((role = 'custom') = (role_id is not null))
);
create index memberships_account on memberships (account_id);
create index memberships_role on memberships (role_id) where role_id is not null;

-- Only a hash of the link's secret is stored. A used or withdrawn invitation is deleted: the audit log keeps both.
create table invitations (
  id uuid primary key,
  account_id uuid not null references accounts,
  hash bytea not null unique,
  email text not null,
  role text not null,
  role_id uuid references roles,
  location_ids uuid[],
  invited_by uuid not null references people,
  created_at timestamptz(3) not null,
  mailed_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  check ((role = 'custom') = (role_id is not null))
);
create unique index invitations_email on invitations (account_id, lower(email));
create index invitations_end on invitations (expires_at);

-- Null in what a process of the version before wrote: then it is the person whom the account was opened for.
alter table portal_sessions add column person_id uuid references people;
create index portal_sessions_person on portal_sessions (person_id);
alter table password_resets add column person_id uuid references people;
alter table email_changes add column person_id uuid references people;
create index email_changes_person on email_changes (person_id, created_at);

insert into people (id, email, password_hash, founded, created_at, updated_at)
select id, email, password_hash, true, created_at, updated_at from accounts;
insert into memberships (person_id, account_id, role, created_at, updated_at)
select id, id, 'owner', created_at, updated_at from accounts;
