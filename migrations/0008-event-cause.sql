-- The request that caused an event, so that the log lines of its deliveries name it. Null for what no request caused.
alter table events add column request_id uuid;
