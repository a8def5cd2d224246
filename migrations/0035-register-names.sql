-- Registers of one business that were given one name before names were unique are told apart (src/operations/fills).
insert into fills (name) select 'register_names' where exists (select 1 from accounts);
