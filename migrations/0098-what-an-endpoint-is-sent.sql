-- What an endpoint is sent besides, and of what. own_headers: its own headers with their values, sealed; their names stand beside, for
-- the page. location_ids: only what belongs to these sedes, and to none; null: everything.
alter table webhook_endpoints
  add column own_headers bytea,
  add column header_names text[] not null default '{}',
  add column location_ids uuid[];
