import { hour } from "../../lib/clock.ts";

/** Upper bounds in ms of the classes of durations, from which percentiles are estimated; one more class holds the rest. */
export const durationEnds = [5, 10, 20, 35, 50, 75, 100, 150, 250, 400, 600, 1_000, 1_500, 2_500, 4_000, 6_500, 10_000];
export const durationClasses = durationEnds.length + 1;

export function durationClass(ms: number): number {
  const found = durationEnds.findIndex((end) => ms <= end);
  return found === -1 ? durationEnds.length : found;
}

/** The hour in which an attempt counts. Colombia is whole hours from UTC, so its hours are these. */
export function hourOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / hour) * hour);
}

/**
 * Adds what happened to the counts by hour. `happened` is a set of rows with account_id, endpoint_id, hour, class (of
 * a successful attempt), is_failure and is_drop. The rows are locked in one order, so that two batches never wait for each other.
 */
export function addToHours(happened: string): string {
  const classes = Array.from({ length: durationClasses }, (_, i) => `count(*) filter (where class = ${i})`);
  return `
    insert into webhook_hours as h (account_id, endpoint_id, hour, delivered, failed, dropped, durations)
    select account_id, endpoint_id, hour, count(class), count(*) filter (where is_failure), count(*) filter (where is_drop),
      array[${classes.join(", ")}]::int[]
    from ${happened} group by account_id, endpoint_id, hour order by account_id, endpoint_id, hour
    on conflict (account_id, endpoint_id, hour) do update set delivered = h.delivered + excluded.delivered,
      failed = h.failed + excluded.failed, dropped = h.dropped + excluded.dropped,
      durations = (select array_agg(a + b order by n) from unnest(h.durations, excluded.durations) with ordinality as d(a, b, n))`;
}
