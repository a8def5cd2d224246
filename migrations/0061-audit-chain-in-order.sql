-- verify reads the chain in its order; no number twice.
create unique index concurrently if not exists audit_log_chain on audit_log (account_id, seq);
-- What is not in the chain yet.
create index concurrently if not exists audit_log_unchained on audit_log (account_id, created_at, id) where seq is null;
