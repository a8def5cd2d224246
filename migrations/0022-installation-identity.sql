-- What this installation is, as its first start found it: a process with other settings refuses to start. key_check is derived
-- from SECRET_KEY and key_salt, and neither tells the key.
alter table installation add column environment text check (environment in ('test', 'live'));
alter table installation add column key_salt bytea;
alter table installation add column key_check bytea;
