-- Few: a look finds them without reading those of which there is nothing to tell.
create index concurrently if not exists webhook_endpoints_to_announce on webhook_endpoints (account_id, id) where to_announce <> '{}';
