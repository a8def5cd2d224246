-- Searches without pg_trgm. `search` keeps the folded fields alone; search_keys holds the hashes of their runs of two and
-- three characters, of five digits and around a space, together with the account, so that no key is shared by two accounts;
-- search_bits, which the index of a list's order carries, tells from an entry whether its record may hold a text.
-- src/lib/search-text.ts has the rules; here they fill what exists.

create function searched(account uuid, former text, out folded text, out keys int[], out bits bit(128))
language plpgsql immutable as $$
declare
  prime constant bigint := 16777619;
  mask constant bigint := 4294967295;
  seed constant bigint := ('x' || right(account::text, 8))::bit(32)::bigint;
  field text;
  codes bigint[];
  hash bigint;
begin
  folded := trim(both E'\x01' from regexp_replace(coalesce(substring(former from E'^(.*)\x01\x01'), ''), E'\x01+', E'\x01', 'g'));
  keys := '{}';
  bits := repeat('0', 128)::bit(128);
  foreach field in array string_to_array(folded, E'\x01') loop
    codes := array(select ascii(letter) from string_to_table(field, null) with ordinality as one(letter, place) order by place);
    for i in 1..cardinality(codes) - 1 loop
      hash := ((((((2166136261 # codes[i]) * prime) & mask) # codes[i + 1]) * prime) & mask);
      bits := set_bit(bits, (hash % 128)::int, 1);
      hash := ((((((seed # codes[i]) * prime) & mask) # codes[i + 1]) * prime) & mask);
      keys := keys || hash::bit(32)::int;
      continue when codes[i + 2] is null;
      hash := ((hash # codes[i + 2]) * prime) & mask;
      keys := keys || hash::bit(32)::int;
      continue when codes[i + 4] is null;
      if codes[i + 2] = 32 or substr(field, i, 5) ~ '^[0-9]{5}$' then
        hash := ((((((hash # codes[i + 3]) * prime) & mask) # codes[i + 4]) * prime) & mask);
        keys := keys || hash::bit(32)::int;
      end if;
    end loop;
  end loop;
  keys := array(select distinct key from unnest(keys) as key order by key);
end $$;

do $$
declare
  name text;
begin
  foreach name in array array['customers', 'categories', 'products'] loop
    execute format('drop index %I', name || '_search');
    execute format('drop index %I', name || '_created');
    execute format('alter table %I add column search_keys int[], add column search_bits bit(128)', name);
    execute format('update %I set (search, search_keys, search_bits) = (select folded, keys, bits from searched(account_id, search))', name);
    execute format('alter table %I alter column search_keys set not null, alter column search_bits set not null', name);
    execute format('create index %I on %I using gin (search_keys)', name || '_search', name);
    execute format('create index %I on %I (account_id, created_at desc, id desc) include (search_bits)', name || '_created', name);
  end loop;
end $$;

drop function searched;

-- Whoever shares the database may have come to need it.
do $$
begin
  drop extension pg_trgm;
exception when dependent_objects_still_exist or insufficient_privilege then null;
end $$;
