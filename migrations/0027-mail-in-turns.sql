-- When each account was last given a turn in the mail queue: the one that waited longest is next.
create table mail_turns (
  account_id uuid not null,
  served_at timestamptz(3) not null,
  primary key (account_id)
);

-- Buyers' addresses that a business may not mail tickets to, as a keyed hash. reason: unsubscribed (the buyer's own
-- decision) or bounced (the mailbox does not exist).
create table mail_suppressions (
  account_id uuid not null,
  address_hash bytea not null,
  reason text not null,
  created_at timestamptz(3) not null,
  primary key (account_id, address_hash)
);

-- The promise that a mail keeps: it is told if the mail is refused.
alter table mails add column ticket_mail_id uuid;
-- Why a promised mail was refused; null for what was refused before this column.
alter table ticket_mails add column reason text;

-- Whether tickets go by mail: the owner's switch, and the operator's.
alter table counter_settings add column mails_tickets boolean not null default true;
alter table accounts add column ticket_mail boolean not null default true;
