-- What the service found once is one act by what it is about, not by an id that a register could work out and take first. Of acts from
-- before, their id was worked out of just that.
alter table counter_acts add column cause uuid;
update counter_acts set cause = id where not is_allowed and substr(id::text, 15, 1) = '8';
create unique index counter_acts_cause on counter_acts (account_id, cause) where cause is not null;

-- The owner is told of people with one PIN too.
drop index counter_acts_told;
create index counter_acts_told on counter_acts (account_id, received_at) where not is_allowed or kind in ('wrong_pins', 'pin_shared');
