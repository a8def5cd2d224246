-- Tickets that a cashier promised to mail. state: waiting, sent, refused (too many in a day) or given_up (no document came). A row waits until
-- its sale is here and the sale's document has its verdict.
create table ticket_mails (
  account_id uuid not null,
  id uuid not null,
  sale_id uuid not null,
  email text not null,
  state text not null default 'waiting',
  created_at timestamptz(3) not null,
  next_check_at timestamptz(3) not null,
  primary key (account_id, id)
);
create index ticket_mails_waiting on ticket_mails (account_id, next_check_at) where state = 'waiting';
create index ticket_mails_sale on ticket_mails (account_id, sale_id);
