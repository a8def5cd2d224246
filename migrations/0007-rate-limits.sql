-- What is left in each rate limit's bucket, as the processes of an installation report it to one another. Unlogged: a crash
-- empties it, and an absent bucket is a full one.
create unlogged table rate_buckets (
  kind text not null,
  name text not null,
  tokens double precision not null,
  at timestamptz not null,
  primary key (kind, name)
) with (fillfactor = 70);
