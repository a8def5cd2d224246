-- Fiscal documents: who issues them, with which numbers, and how far each has come with the tax authority.

-- The software's PIN and the provider's token are sealed with a key that is not in the database. Sales that arrived
-- before `since` have no documents of ours.
create table fiscal_profiles (
  account_id uuid primary key,
  nit text not null,
  regime text not null check (regime in ('iva', 'inc', 'none')),
  prices_include_tax boolean not null,
  documents text not null check (documents in ('electronic', 'internal')),
  software_pin bytea,
  authority_token bytea,
  settings json not null,
  since timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

-- next_number moves only under the account's clock: a write that is rolled back leaves no gap.
create table numbering_ranges (
  account_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('pos', 'invoice', 'note', 'internal')),
  prefix text not null,
  first_number bigint not null check (first_number > 0),
  last_number bigint not null,
  next_number bigint not null,
  valid_until date,
  technical_key bytea,
  resolution text,
  created_at timestamptz(3) not null,
  primary key (account_id, id),
  check (first_number <= last_number and next_number between first_number and last_number + 1)
);

-- Numbers of a range that no document of ours has, and why: they were used in another system, or after the backup that was
-- restored. Without this record a gap is a fault.
create table skipped_numbers (
  account_id uuid not null,
  range_id uuid not null,
  first_number bigint not null,
  last_number bigint not null,
  reason text not null,
  recorded_by text not null check (recorded_by in ('portal', 'cli')),
  created_at timestamptz(3) not null,
  primary key (account_id, range_id, first_number),
  check (first_number <= last_number)
);

-- The work on a document beside its published row. `content` is what the authority is told, frozen when the number was
-- taken. `due_at` is when it must be looked at again, null when nobody need. It is business time; `leased_until` is the
-- machine's, because a jump of the test clock must not end a lease. `doubt` says that a send began whose outcome nobody
-- knows: the authority is asked before it is sent again.
create table fiscal_documents (
  account_id uuid not null,
  invoice_id uuid not null,
  range_id uuid,
  number bigint,
  annuls uuid,
  content json,
  state text not null check (state in ('unnumbered', 'queued', 'sent', 'duplicate', 'failed', 'decided')),
  due_at timestamptz(3),
  claim uuid,
  leased_until timestamptz(3),
  doubt boolean not null default false,
  failures integer not null default 0,
  polls integer not null default 0,
  track_id text,
  last_answer text,
  created_at timestamptz(3) not null,
  sent_at timestamptz(3),
  decided_at timestamptz(3),
  primary key (account_id, invoice_id)
);
create unique index fiscal_documents_number on fiscal_documents (account_id, range_id, number);
create index fiscal_documents_due on fiscal_documents (account_id, due_at) where due_at is not null;

-- What the simulated authority remembers, so that a restart changes none of its answers.
create table simulated_authority (
  account_id uuid not null,
  cufe text not null,
  number text not null,
  calls integer not null default 0,
  sends integer not null default 0,
  received_at timestamptz(3),
  primary key (account_id, cufe)
);
create index simulated_authority_number on simulated_authority (account_id, number);
