-- The developers' workbench: attempts by hour, names of endpoints, what the request log opens.

-- A name of the owner's own, and the last failure: the list shows both without reading the history.
alter table webhook_endpoints
  add column name text,
  add column last_failure_at timestamptz(3),
  add column last_failure text,
  add column last_failure_status smallint;

-- What became of an endpoint's attempts in each hour, counted by the statement that records them: an outage shows at once, and a
-- week of charts reads 168 rows. `dropped` counts deliveries that will never be attempted again. durations: how many successful
-- attempts took how long, in the classes of engine/deliveries/hourly-counts.ts. Housekeeping deletes rows older than the charts.
create table webhook_hours (
  account_id uuid not null,
  endpoint_id uuid not null,
  hour timestamptz(3) not null,
  delivered integer not null default 0,
  failed integer not null default 0,
  dropped integer not null default 0,
  durations integer[] not null,
  primary key (account_id, endpoint_id, hour)
) with (fillfactor = 70);

-- The week before this migration, so that its charts are not empty.
with attempt as (
  select account_id, endpoint_id, created_at, state, attempts from webhook_deliveries
  where not is_test and created_at > now() - interval '8 days'
  union all
  select account_id, endpoint_id, created_at, 'pending', attempts from webhook_queue where not is_test
), made as (
  select account_id, endpoint_id, date_trunc('hour', (a ->> 'at')::timestamptz) as hour, a ->> 'failure' as failure,
    case when a ->> 'failure' is null then width_bucket((a ->> 'duration_ms')::int,
      array[6, 11, 21, 36, 51, 76, 101, 151, 251, 401, 601, 1001, 1501, 2501, 4001, 6501, 10001]) end as class, false as is_drop
  from attempt cross join lateral json_array_elements(attempts) as a
  union all
  select account_id, endpoint_id, date_trunc('hour', created_at), null, null, true from attempt where state = 'dropped'
)
insert into webhook_hours (account_id, endpoint_id, hour, delivered, failed, dropped, durations)
select account_id, endpoint_id, hour, count(*) filter (where not is_drop and failure is null),
  count(*) filter (where failure is not null), count(*) filter (where is_drop),
  array[
    count(*) filter (where class = 0), count(*) filter (where class = 1), count(*) filter (where class = 2),
    count(*) filter (where class = 3), count(*) filter (where class = 4), count(*) filter (where class = 5),
    count(*) filter (where class = 6), count(*) filter (where class = 7), count(*) filter (where class = 8),
    count(*) filter (where class = 9), count(*) filter (where class = 10), count(*) filter (where class = 11),
    count(*) filter (where class = 12), count(*) filter (where class = 13), count(*) filter (where class = 14),
    count(*) filter (where class = 15), count(*) filter (where class = 16), count(*) filter (where class = 17)]::int[]
from made where hour > now() - interval '8 days' group by account_id, endpoint_id, hour;

-- Which ended deliveries a resend takes, and whether its owner stopped it.
alter table webhook_resends
  add column states text[] not null default '{failed}',
  drop constraint webhook_resends_state_check,
  add constraint webhook_resends_state_check check (state in ('running', 'done', 'stopped', 'cancelled'));

-- Bodies are not kept. Secrets are taken out of the query and the headers before they come here; both are null for requests
-- beyond the day's allowance of an account.
alter table request_log
  add column query text,
  add column error_code text,
  add column request_headers json,
  add column response_headers json;
create index request_log_account on request_log (account_id, created_at desc, id desc);
