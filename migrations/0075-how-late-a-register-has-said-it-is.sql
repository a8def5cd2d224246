-- The latest instant, by the server's clock, that a register's uploads have said they were made at. What it uploads later was not made
-- before. Null until its first push; a process of the version before leaves it as it is.
alter table device_progress add column said_until timestamptz(3);
