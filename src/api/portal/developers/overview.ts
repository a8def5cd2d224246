import type { Queryable } from "../../../db/pool.ts";
import { durationClasses, durationEnds } from "../../../engine/deliveries/hourly-counts.ts";
import { day, hour, second } from "../../../lib/clock.ts";
import { behindUtcMs } from "../../../taxes/bogota-time.ts";
import { readHours, successRate } from "../../../webhooks/history/hours.ts";

export const overviewPeriods = ["24h", "7d"] as const;
export type OverviewPeriod = (typeof overviewPeriods)[number];

/** One bar of the chart covers an hour of a day, or six hours of a week. */
const shapes: Record<OverviewPeriod, { lengthMs: number; stepMs: number }> = {
  "24h": { lengthMs: day, stepMs: hour },
  "7d": { lengthMs: 7 * day, stepMs: 6 * hour },
};

export interface Step {
  at: Date;
  events: number;
  /** Attempts, in the hour they were made. */
  delivered: number;
  failed: number;
  /** Deliveries that will never be attempted again, in the hour they were given up. */
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
 * Counts stored events, and what became of the attempts at `endpointIds`. An outage shows with its first failed attempt, however
 * long the deliveries go on being retried.
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
  const stepOf = (at: Date) => Math.floor((at.getTime() - since.getTime()) / stepMs);
  const [events, hours] = await Promise.all([
    withEvents
      ? db.query<{ at: Date; count: number }>({
          // Not prepared: only with the values known can the planner skip partitions outside the period.
          text: `select date_bin('${stepMs} milliseconds', created_at, $2) as at, count(*) from events
            where account_id = $1 and created_at >= $2 and created_at < $3 group by 1`,
          values: [accountId, since, until],
        })
      : { rows: [] },
    readHours(db, { accountId, endpointIds, since, until }),
  ]);
  const tallies = Array.from({ length: lengthMs / stepMs }, newTally);
  const total = newTally();
  for (const row of events.rows) for (const tally of [tallies[stepOf(row.at)]!, total]) tally.events += row.count;
  for (const row of hours) {
    for (const tally of [tallies[stepOf(row.hour)]!, total]) {
      for (const what of ["delivered", "failed", "dropped"] as const) tally[what] += row[what];
      for (const [i, count] of row.durations.entries()) tally.durations[i]! += count;
    }
  }
  return {
    period,
    since,
    until,
    totals: { ...published(total), success_rate: successRate(total) },
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
  return { events: 0, delivered: 0, failed: 0, dropped: 0, durations: Array(durationClasses).fill(0) };
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
      const start = i === 0 ? 0 : durationEnds[i - 1]!;
      const end = durationEnds[i] ?? 10_000;
      return Math.round(start + ((wanted - below) / count) * (end - start));
    }
    below += count;
  }
  return null;
}

/** Figures change slowly: pages that refresh every few seconds share one count. */
export const figuresAgeMs = 5 * second;
