-- Up to which change a register has downloaded the catalogue, and when: by its first snapshot, and by the last page that had anything of
-- it. Null until then; a process of the version before leaves it as it is.
alter table device_progress add column first_heard_seq bigint, add column first_heard_at timestamptz(3),
  add column heard_seq bigint, add column heard_at timestamptz(3);
