-- Who made a change, for the audit log: the owner in the portal, the operator at the command line, a register, the service by
-- itself, or a stranger who failed to sign in. A process of the version before writes the default.
alter table audit_log add column actor text not null default 'owner'
  check (actor in ('owner', 'operator', 'register', 'service', 'stranger'));
update audit_log set actor = 'service' where session_id is null and remote_address is null;

-- The key that a rotation made in its place. Its own expiry was cut to the end of the overlap, so it is not rotated again.
alter table api_keys add column replaced_by uuid;
