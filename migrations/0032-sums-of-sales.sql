-- One definition of what was sold (business/sale-totals/definition.ts): a sale counts on its day, and what is taken back of it
-- on the day that happens; each part of a payment under its own means; tips and money for third parties are no sales.

-- What the cancellation of a sale took back: what was left of it. A return has a row of its own kind.
create table sale_cancellations (
  account_id uuid not null,
  sale_id uuid not null,
  occurred_at timestamptz(3) not null,
  device_id uuid,
  cash_session_id uuid,
  payments text,
  body json not null,
  constraint sale_cancellations_pkey primary key (account_id, sale_id)
);
create index sale_cancellations_cash_session on sale_cancellations (account_id, cash_session_id) where (cash_session_id is not null);
create index sale_cancellations_occurred on sale_cancellations (account_id, occurred_at);

-- What the sale collected for third parties; null for nothing.
alter table sales add column passthrough bigint;
alter table sale_hours add column passthrough numeric not null default 0;
-- payments: how many under the row's means. Null in rows of before: as many as tickets.
alter table sale_shifts add column passthrough numeric not null default 0, add column payments bigint;

-- The cancellations of former sales that had a document, and the sums of former days.
insert into fills (name) select unnest(array['sale_cancellations', 'sale_sums']) where exists (select 1 from accounts);
