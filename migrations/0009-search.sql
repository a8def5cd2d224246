-- Searches without pg_trgm. `search` keeps the folded fields alone; search_keys holds the hashes of their runs of two and
-- three characters, of five digits and around a space together with the account, so that no key is shared by two accounts; search_bits, which the index of a list's order
-- carries, tells from an entry whether its record may hold a text. src/lib/search-text.ts has the rules; here they fill what exists.

create function fnv(seed bigint, run text) returns bigint language plpgsql immutable as $$
declare
  hash bigint := seed;
begin
  for i in 1..length(run) loop
    hash := ((hash # ascii(substr(run, i, 1))) * 16777619) & 4294967295;
  end loop;
  return hash;
end $$;

create function runs(search text, size int) returns setof text language sql immutable as $$
  select distinct substr(field, i, size)
  from string_to_table(search, E'\x01') as field, generate_series(1, length(field) - size + 1) as i
$$;

do $$
declare
  name text;
begin
  foreach name in array array['customers', 'categories', 'products'] loop
    execute format('drop index %I', name || '_search');
    execute format('drop index %I', name || '_created');
    execute format('alter table %I add column search_keys int[], add column search_bits bit(128)', name);
    execute format($sql$
      update %I set search = trim(both E'\x01' from regexp_replace(
        coalesce(substring(search from E'^(.*)\x01\x01'), ''), E'\x01+', E'\x01', 'g'))$sql$, name);
    execute format($sql$
      update %I set
        search_keys = coalesce((
          select array_agg(distinct key order by key)
          from (
            select (case when hash > 2147483647 then hash - 4294967296 else hash end)::int as key
            from (values (2, '.'), (3, '.'), (5, '^([0-9]{5}|.. ..)$')) as sizes(size, kind), runs(search, size) as run,
              fnv(('x' || right(account_id::text, 8))::bit(32)::bigint, run) as hash
            where run ~ kind) as keys), '{}'),
        search_bits = coalesce((
          select bit_or(set_bit(repeat('0', 128)::bit(128), (fnv(2166136261, run) %% 128)::int, 1))
          from runs(search, 2) as run), repeat('0', 128)::bit(128))$sql$, name);
    execute format('alter table %I alter column search_keys set not null, alter column search_bits set not null', name);
    execute format('create index %I on %I using gin (search_keys)', name || '_search', name);
    execute format('create index %I on %I (account_id, created_at desc, id desc) include (search_bits)', name || '_created', name);
  end loop;
end $$;

drop function runs;
drop function fnv;

-- Whoever shares the database may have come to need it.
do $$
begin
  drop extension pg_trgm;
exception when dependent_objects_still_exist or insufficient_privilege then null;
end $$;
