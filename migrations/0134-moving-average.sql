-- What goods cost along their own time. A process of the version before leaves these columns empty, and the average as it was.
alter table products
  add column average_cost numeric,
  add column transit_milli bigint,
  add column costed_us bigint,
  add column recost_us bigint;
alter table stock_movements
  add column made_us bigint,
  add column corrected_cost numeric;
-- What the average of a product was before and after each entry that came in with a cost.
create table cost_steps (
  account_id uuid not null,
  product_id uuid not null,
  us bigint not null,
  movement_id uuid not null,
  stock_before bigint not null,
  average_before numeric,
  average numeric not null,
  primary key (account_id, product_id, us, movement_id)
);
