import type { Queryable } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import type { CoreDeps } from "../../engine/deps.ts";
import { day, minute } from "../../lib/clock.ts";
import { runEvery } from "../../lib/run-every.ts";
import { type PartName, type PartState, readParts } from "./parts.ts";

export interface Incident {
  part: PartName;
  startedAt: Date;
  endedAt: Date | null;
}

export interface Status {
  at: Date;
  parts: readonly PartState[];
  incidents: readonly Incident[];
}

export const shownDays = 30;
const keptDays = 90;

/** Begins an incident of each part that is not well, and ends those of the parts that are again; any process may. */
export async function noteIncidents(db: Queryable, parts: readonly PartState[], at: Date): Promise<void> {
  const of = (isWell: boolean) => parts.filter((one) => one.isWell === isWell).map(({ part }) => part);
  await db.query(sql`update incidents set ended_at = greatest(${at}, started_at)
    where ended_at is null and part = any(${of(true)}::text[])`);
  await db.query(sql`insert into incidents (part, started_at) select part, ${at} from unnest(${of(false)}::text[]) as part
    on conflict do nothing`);
}

export async function latestIncidents(db: Queryable, now: Date): Promise<Incident[]> {
  const since = new Date(now.getTime() - shownDays * day);
  const { rows } = await db.query<{ part: PartName; started_at: Date; ended_at: Date | null }>(
    sql`select part, started_at, ended_at from incidents where ended_at is null or ended_at > ${since}
      order by started_at desc limit 20`,
  );
  return rows.map(({ part, started_at: startedAt, ended_at: endedAt }) => ({ part, startedAt, endedAt }));
}

export async function forgetIncidents(db: Queryable, now: Date): Promise<number> {
  const before = new Date(now.getTime() - keptDays * day);
  const { rowCount } = await db.query(sql`delete from incidents where ended_at < ${before}`);
  return rowCount ?? 0;
}

/** Looks once a minute. What the database could not be told of itself is told when it takes writes again. */
export function watchIncidents(deps: Pick<CoreDeps, "pool" | "clock" | "log">): { stop: () => Promise<void> } {
  let awaySince: Date | undefined;
  return runEvery(
    deps.clock,
    minute,
    async () => {
      const { pool, clock } = deps;
      const parts = await readParts(deps);
      if (!parts[0]!.isWell) {
        awaySince ??= clock.now();
        return;
      }
      if (awaySince) await noteIncidents(pool, [{ part: "database", isWell: false, waitingMs: 0 }], awaySince);
      awaySince = undefined;
      await noteIncidents(pool, parts, clock.now());
    },
    (error) => deps.log.warn({ err: error }, "the state of the parts was not noted"),
  );
}
