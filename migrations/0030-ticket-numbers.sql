-- The number on the ticket: the sale's place in its shift, as its register counted it. Null for what came before, and from
-- registers that do not tell it.
alter table sales add column ticket_number int;
