-- An assistant acts with a key, for a person who confirmed the change. The next file validates it.
alter table audit_log
  drop constraint audit_log_actor_check,
  add constraint audit_log_actor_check
    check (actor in ('owner', 'operator', 'register', 'service', 'stranger', 'assistant')) not valid;
