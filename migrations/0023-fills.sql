-- What a migration leaves to be filled in small batches while the service runs. A migration adds a row; the code that fills has
-- its name (src/operations/fills). position: where the next batch goes on.
create table fills (
  name text primary key,
  position json,
  rows_seen bigint not null default 0,
  rows_changed bigint not null default 0,
  finished_at timestamptz(3)
);
-- Records stored before decision 40 have more search keys than they need.
insert into fills (name) select 'search_keys' where exists (select 1 from accounts);
