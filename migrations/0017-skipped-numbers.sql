-- Numbers of a range that no document of ours has, and why: they were used in another system, or after the backup that was
-- put back. Without this record a gap is a fault.
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
