-- Derived keys that must outlive an exchanged SECRET_KEY, sealed with the current one (src/operations/installation/retired-keys.ts).
alter table installation add column if not exists retired_keys bytea;
