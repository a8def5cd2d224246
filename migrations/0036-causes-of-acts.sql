-- By what an act is known again that the service found itself: its id is nothing a register could work out and take first. Acts from
-- before have an id that was worked out of just that, and none here.
alter table counter_acts add column cause uuid;
