alter table audit_log validate constraint audit_log_actor_check;
