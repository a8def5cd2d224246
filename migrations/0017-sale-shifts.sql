-- The hour's row carried register, shift and means of payment too, and so nearly every sale of a shop with several registers had a row of its
-- own. Apart they are few: an hour's row, and a row of a day's shift and means. Both are made from the rows that are there, not from the sales.

-- No cash session and no device are the nil uuid: a key has no nulls.
create table sale_shifts (
  account_id uuid not null,
  day date not null,
  device_id uuid not null,
  cash_session_id uuid not null,
  payment_method text not null,
  tickets bigint not null,
  total numeric not null,
  tax numeric not null,
  discount numeric not null,
  tip numeric not null,
  returned numeric not null default 0,
  constraint sale_shifts_pkey primary key (account_id, day, device_id, cash_session_id, payment_method)
) with (fillfactor = 60);

insert into sale_shifts (account_id, day, device_id, cash_session_id, payment_method, tickets, total, tax, discount, tip, returned)
select account_id, day, device_id, cash_session_id, payment_method, sum(tickets), sum(total), sum(tax), sum(discount), sum(tip), sum(returned)
from sale_hours group by 1, 2, 3, 4, 5;

alter table sale_hours rename to former_sale_hours;
alter table former_sale_hours rename constraint sale_hours_pkey to former_sale_hours_pkey;
create table sale_hours (
  account_id uuid not null,
  day date not null,
  hour smallint not null,
  tickets bigint not null,
  total numeric not null,
  tax numeric not null,
  discount numeric not null,
  tip numeric not null,
  returned numeric not null default 0,
  constraint sale_hours_pkey primary key (account_id, day, hour)
) with (fillfactor = 60);

insert into sale_hours (account_id, day, hour, tickets, total, tax, discount, tip, returned)
select account_id, day, hour, sum(tickets), sum(total), sum(tax), sum(discount), sum(tip), sum(returned)
from former_sale_hours group by 1, 2, 3;
drop table former_sale_hours;
