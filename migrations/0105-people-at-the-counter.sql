-- A person of the business who attends at a register: her name, sedes and rights there are those of her role. Null of somebody who is
-- only a cashier.
alter table cashiers add column person_id uuid;
-- Whoever hands out all rights of the counter has them: so that she can still give, and invite to, the roles that have them now.
update roles set rights = rights || '{counter,counter:discount,counter:price,counter:free_line,counter:remove_kept,counter:cancel,counter:return,counter:cash,counter:drawer,counter:stock,counter:expected_cash,counter:close_shift,counter:create_product,counter:correct_payment}'
where 'cashiers' = any(rights);
