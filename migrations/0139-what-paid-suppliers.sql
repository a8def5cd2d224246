-- Which cash that left a drawer paid it, and which payment an entry takes back.
alter table payable_entries add column if not exists cash_movement_id uuid;
alter table payable_entries add column if not exists undoes uuid;
alter table payable_entries add column if not exists paid_on text;
