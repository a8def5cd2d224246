-- What the owners demand of whoever works in the business: a second step of everybody, and again before a refund above a sum in pesos.
alter table accounts add column demands_second_step boolean not null default false;
alter table accounts add column refund_step_up_above numeric(20, 2);
