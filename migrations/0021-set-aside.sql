-- A record that is set aside is either 'refused', because PostgreSQL or our reader cannot take a value of it, or 'waiting',
-- because of a fault of ours. Waiting ones are tried again by themselves; all of them are after an upgrade (tried_by).
alter table quarantined_records
  add column state text not null default 'refused',
  add column tries integer not null default 0,
  add column tried_at timestamptz(3),
  add column tried_by text;

-- Since when, and how often, a register's next record has failed by a fault of ours. It counts while stuck_seq = acked_seq.
alter table device_progress
  add column stuck_seq bigint,
  add column stuck_since timestamptz(3),
  add column stuck_tries integer;
