-- What a person's password was when she said that somebody else had used it: it is not set again. A process of the version before lets it.
alter table people add column ended_password_hash text;
