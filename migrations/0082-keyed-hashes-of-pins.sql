-- Of a PIN under the installation's key, to find in one look whether somebody has it: deriving pin_hash takes a tenth of a second for each
-- person. It stays with the service; registers receive pin_hash alone. Null of a PIN set by a process of the version before.
alter table cashiers add column pin_keyed_hash bytea;
