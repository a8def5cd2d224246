-- What a register changes of a sale once its day or its shift is over is a correction of that moment, and what was counted stays
-- (business/sale-totals/definition.ts).

-- The row with the sale's own id is the sale as it was counted; each of the others is what a correction takes back of it, less than 0 for what it adds.
create table sale_corrections (
  account_id uuid not null,
  id uuid not null,
  sale_id uuid not null,
  occurred_at timestamptz(3) not null,
  device_id uuid,
  cash_session_id uuid,
  payments text,
  body json not null,
  constraint sale_corrections_pkey primary key (account_id, id)
);
create index sale_corrections_sale on sale_corrections (account_id, sale_id);
create index sale_corrections_cash_session on sale_corrections (account_id, cash_session_id) where (cash_session_id is not null);
create index sale_corrections_occurred on sale_corrections (account_id, occurred_at);

-- Processes of before change what was counted. When they are gone, what they changed becomes corrections, and all days are counted again.
insert into fills (name) select 'sale_sums' where exists (select 1 from accounts)
on conflict (name) do update set position = null, rows_seen = 0, rows_changed = 0, finished_at = null;
