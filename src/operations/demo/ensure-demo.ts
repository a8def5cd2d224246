import { withAdvisoryLock } from "../../db/advisory-lock.ts";
import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { Deps } from "../../deps.ts";
import { hashToken } from "../../lib/token.ts";
import { buildDemo } from "./build-demo.ts";
import { demoEmail, demoKey } from "./identity.ts";

export type DemoState = "built" | "exists" | "not-wanted";

/** Several processes may start on one empty database: one builds the demo while the others wait. */
const demoLock = 7_042_600_004;

/** Builds the demo on an empty database, or again if it was interrupted. A database with other accounts gets none. */
export async function ensureDemo(
  deps: Deps,
  progress: (done: number) => void,
  options: { always?: boolean } = {},
): Promise<DemoState> {
  return withAdvisoryLock(deps.pool, demoLock, () => buildIfMissing(deps, progress, options));
}

/** Whether a start has to build it. */
export async function lacksDemo(deps: Deps): Promise<boolean> {
  return (await findDemo(deps, {})).state === "missing";
}

async function buildIfMissing(
  deps: Deps,
  progress: (done: number) => void,
  options: { always?: boolean },
): Promise<DemoState> {
  const found = await findDemo(deps, options);
  if (found.state !== "missing") return found.state;
  if (found.unfinishedId) await removeUnfinished(deps, found.unfinishedId);
  await buildDemo(deps, progress);
  return "built";
}

type Found = { state: "exists" | "not-wanted" } | { state: "missing"; unfinishedId: string | undefined };

async function findDemo(deps: Deps, options: { always?: boolean }): Promise<Found> {
  const { rows } = await deps.pool.query<{ id: string; email: string }>("select id, email from accounts limit 2");
  const { rows: demo } = await deps.pool.query<{ id: string; complete: boolean }>(sql`
    select a.id, exists (select from api_keys k where k.account_id = a.id) as complete
    from accounts a where lower(a.email) = ${demoEmail}`);
  if (demo[0]?.complete) return { state: "exists" };
  if (!demo[0] && rows.length > 0 && !options.always) return { state: "not-wanted" };
  return { state: "missing", unfinishedId: demo[0]?.id };
}

/** Whether the key printed at startup is still valid. */
export async function demoKeyWorks(deps: Deps): Promise<boolean> {
  const access = await deps.access.load(hashToken(demoKey(deps.config.secretKeys)));
  return access !== undefined && access.revokedAt === null && access.accountActive && access.plan === "pro";
}

async function removeUnfinished(deps: Deps, accountId: string): Promise<void> {
  await transaction(deps.pool, async (client) => {
    const { rows } = await client.query<{ name: string }>(sql`
      select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
      where a.attname = 'account_id' and c.relkind in ('r', 'p') and not c.relispartition
        and c.relnamespace = current_schema()::regnamespace`);
    for (const { name } of rows) await client.query(`delete from ${name} where account_id = $1`, [accountId]);
    await client.query(sql`delete from people where id = ${accountId}`);
    await client.query(sql`delete from accounts where id = ${accountId}`);
  });
}
