-- People with one PIN, of whom the owner is told.
create index concurrently if not exists counter_acts_shared_pins on counter_acts (account_id, received_at) where kind = 'pin_shared';
