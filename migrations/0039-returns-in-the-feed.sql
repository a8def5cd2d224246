-- Returns that took cash out of a shift and were made in the portal travel down to its register.
create index concurrently if not exists returns_seq on returns (account_id, seq) where device_id is null and cash_session_id is not null;
