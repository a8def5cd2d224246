-- What an endpoint is sent besides, and of what. own_headers: its own headers with their values, sealed; their names stand beside, for
-- the page. location_ids, sources: only what belongs to these; null: everything. max_per_second: null: as fast as it answers.
alter table webhook_endpoints
  add column own_headers bytea,
  add column header_names text[] not null default '{}',
  add column location_ids uuid[],
  add column sources text[],
  add column max_per_second integer;
