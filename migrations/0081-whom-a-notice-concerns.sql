-- Whose notice it is: of one sede, or of the whole business, and from which sum on it is worth telling. Whoever sees some sedes is told of
-- what is of those; of what a process of the version before writes, only who sees all.
alter table notices add column location_id uuid, add column amount bigint;
