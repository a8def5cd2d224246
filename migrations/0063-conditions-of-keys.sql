-- From where a key may be used (CIDR; null: from anywhere), and from where it was used last.
alter table api_keys
  add column if not exists allowed_addresses text[],
  add column if not exists last_used_from text;
-- How many days a new key of the business may live at most; null: as long as one likes.
alter table accounts add column if not exists max_key_days integer;
