-- How fast an endpoint is sent to, and what of. per_second: deliveries a second; null: as many as it takes. paced_until: up to when those
-- deliveries are spoken for, by the machine's time. sources: only orders and sales of these; null: of all.
alter table webhook_endpoints
  add column per_second integer,
  add column paced_until timestamptz,
  add column sources text[];
