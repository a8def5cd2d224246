import type { Queryable } from "../../db/pool.ts";
import { day, hour, second } from "../../lib/clock.ts";
import { behindUtcMs } from "../../taxes/bogota-time.ts";

export const overviewPeriods = ["24h", "7d"] as const;
export type OverviewPeriod = (typeof overviewPeriods)[number];

/** One bar of the chart covers an hour of a day, or six hours of a week. */
const shapes: Record<OverviewPeriod, { lengthMs: number; stepMs: number }> = {
  "24h": { lengthMs: day, stepMs: hour },
  "7d": { lengthMs: 7 * day, stepMs: 6 * hour },
};

/** Upper bounds in ms of the duration histogram, from which percentiles are estimated. */
const bucketEnds = [5, 10, 20, 35, 50, 75, 100, 150, 250, 400, 600, 1_000, 1_500, 2_500, 4_000, 6_500, 10_000];

export interface Step {
  at: Date;
  events: number;
  delivered: number;
  failed: number;
  dropped: number;
  p50_ms: number | null;
  p95_ms: number | null;
}

export interface Figures {
  period: OverviewPeriod;
  since: Date;
  until: Date;
  totals: Omit<Step, "at"> & { success_rate: number | null };
  steps: Step[];
}

/**
 * Counts stored events and deliveries by index-only scans. Deliveries are counted for `endpointIds`; events only for the
 * account as a whole.
 */
export async function readFigures(
  db: Queryable,
  query: { accountId: string; endpointIds: readonly string[]; withEvents: boolean; period: OverviewPeriod; now: Date },
): Promise<Figures> {
  const { accountId, endpointIds, withEvents, period, now } = query;
  const { lengthMs, stepMs } = shapes[period];
  // Quarters of a day begin at Colombia's midnight.
  const until = new Date(Math.floor((now.getTime() - behindUtcMs) / stepMs) * stepMs + behindUtcMs + stepMs);
  const since = new Date(until.getTime() - lengthMs);
  // Not prepared: only with the values known can the planner skip partitions outside the period.
  const step = `date_bin('${stepMs} milliseconds', created_at, $2)`;
  const stepOf = (at: Date) => (at.getTime() - since.getTime()) / stepMs;
  const [events, deliveries] = await Promise.all([
    withEvents
      ? db.query<{ at: Date; count: number }>({
          text: `select ${step} as at, count(*) from events
            where account_id = $1 and created_at >= $2 and created_at < $3 group by 1`,
          values: [accountId, since, until],
        })
      : { rows: [] },
    endpointIds.length === 0
      ? { rows: [] }
      : db.query<{ at: Date; state: string; bucket: number | null; count: number }>({
          text: `select ${step} as at, state, width_bucket(duration_ms, $5::int[]) as bucket, count(*) from webhook_deliveries
            where account_id = $1 and created_at >= $2 and created_at < $3 and endpoint_id = any($4::uuid[])
            group by 1, 2, 3`,
          values: [accountId, since, until, endpointIds, bucketEnds.map((end) => end + 1)],
        }),
  ]);
  const tallies = Array.from({ length: lengthMs / stepMs }, newTally);
  const total = newTally();
  for (const row of events.rows) for (const tally of [tallies[stepOf(row.at)]!, total]) tally.events += row.count;
  for (const row of deliveries.rows) {
    for (const tally of [tallies[stepOf(row.at)]!, total]) {
      tally[row.state as "delivered" | "failed" | "dropped"] += row.count;
      if (row.state === "delivered" && row.bucket !== null) tally.durations[row.bucket]! += row.count;
    }
  }
  const ended = total.delivered + total.failed;
  return {
    period,
    since,
    until,
    totals: { ...published(total), success_rate: ended === 0 ? null : total.delivered / ended },
    steps: tallies.map((tally, i) => ({ at: new Date(since.getTime() + i * stepMs), ...published(tally) })),
  };
}

interface Tally {
  events: number;
  delivered: number;
  failed: number;
  dropped: number;
  durations: number[];
}

function newTally(): Tally {
  return { events: 0, delivered: 0, failed: 0, dropped: 0, durations: Array(bucketEnds.length + 1).fill(0) };
}

function published({ durations, ...counts }: Tally): Omit<Step, "at"> {
  return { ...counts, p50_ms: percentile(durations, 0.5), p95_ms: percentile(durations, 0.95) };
}

/** Assumes values spread evenly within a bucket: a few per cent off, but needs no sorting. */
function percentile(durations: readonly number[], share: number): number | null {
  const wanted = durations.reduce((sum, count) => sum + count, 0) * share;
  if (wanted === 0) return null;
  let below = 0;
  for (const [i, count] of durations.entries()) {
    if (count > 0 && below + count >= wanted) {
      const start = i === 0 ? 0 : bucketEnds[i - 1]!;
      const end = bucketEnds[i] ?? 10_000;
      return Math.round(start + ((wanted - below) / count) * (end - start));
    }
    below += count;
  }
  return null;
}

/** Figures change slowly: pages that refresh every few seconds share one count. */
export const figuresAgeMs = 5 * second;
