-- The sede of a register, and the one that a code was made for. Null is the first.
alter table devices add column location_id uuid;
alter table enrolment_codes add column location_id uuid;

-- The sedes where a cashier works. Null is all of them, also those to come.
alter table cashiers add column location_ids uuid[];

-- The only sede whose registers a range numbers, by its id, also the first one's. Null: it is not of a sede.
alter table numbering_ranges add column location_id uuid;
