-- Codes that went with a person's last factor: they come back with it. used_at is set as well, so that a process of the version before takes none.
alter table recovery_codes add column removed_at timestamptz(3);
