-- Returns that were made in the portal travel down to the register of their sale too, also those that no drawer paid.
create index concurrently if not exists returns_portal_seq on returns (account_id, seq) where device_id is null;
