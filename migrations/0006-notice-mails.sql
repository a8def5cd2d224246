-- Notices whose mail is still to be written: found over all accounts without reading those of the past.
create index notices_unmailed on notices (account_id, created_at) where mailed_at is null;
