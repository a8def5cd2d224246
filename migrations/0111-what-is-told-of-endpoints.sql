-- What happened to an endpoint and is still to be told as an event, in order; told: how many of these there were.
alter table webhook_endpoints
  add column to_announce text[] not null default '{}',
  add column told integer not null default 0;
