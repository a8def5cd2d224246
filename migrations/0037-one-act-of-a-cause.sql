create unique index concurrently if not exists counter_acts_cause on counter_acts (account_id, cause) where cause is not null;
