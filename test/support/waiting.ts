import type { Service } from "./service.ts";

/** How many writers stand in line for a lock of this database. */
export async function waitingWriters({ deps }: Service): Promise<number> {
  const { rows } = await deps.pool.query<{ waiting: number }>(
    "select count(*) as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows[0]!.waiting;
}

export async function untilWaiting(service: Service, count: number): Promise<void> {
  while ((await waitingWriters(service)) !== count);
}
