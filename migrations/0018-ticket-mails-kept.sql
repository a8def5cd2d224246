-- Which register asked, so that none leaves thousands waiting; null for what was asked before.
alter table ticket_mails add column device_id uuid;

-- Settled rows by age, for housekeeping; next_check_at is when they were settled.
create index ticket_mails_settled on ticket_mails (account_id, next_check_at) where state <> 'waiting';
-- What the owner is told about.
create index ticket_mails_unsent on ticket_mails (account_id, next_check_at) where state in ('refused', 'given_up');
