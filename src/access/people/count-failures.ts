import type { Pool } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";
import { sql } from "../../db/sql.ts";
import { hour, minute } from "../../lib/clock.ts";
import { ApiError } from "../../lib/errors.ts";
import type { RequestSource } from "../accounts/hashing-queue.ts";

/** This many failures lock; failures are remembered for the duration of the lock. */
interface Rule {
  failures: number;
  lockMs: number;
}

const ownRule: Rule = { failures: 5, lockMs: 15 * minute };
/** Against guessing from many addresses that each stay below their own lock. Known sources do not count. */
const strangersRule: Rule = { failures: 30, lockMs: hour };
const strangers = "strangers";

/** Each attempt is counted before its password is compared, so that concurrent attempts cannot outrun the lock. Resolves with how many are left. */
export async function countTry(pool: Pool, emailKey: string, source: RequestSource, now: Date): Promise<number> {
  const own = await count(pool, emailKey, source.name, ownRule, now);
  // Not reached from a locked source, whose further attempts must not lock the others.
  return source.isKnown ? own : Math.min(own, await count(pool, emailKey, strangers, strangersRule, now));
}

/** Uncounts an attempt that succeeded. Failures of other sources stay: they may be a guesser's. */
export async function forgetTry(pool: Pool, emailKey: string, source: RequestSource): Promise<void> {
  await pool.query(sql`delete from sign_in_failures where email_key = ${emailKey} and source = ${source.name}`);
  if (source.isKnown) return;
  await pool.query(sql`
    update sign_in_failures set failures = failures - 1
    where email_key = ${emailKey} and source = ${strangers} and failures > 0`);
}

async function count(pool: Pool, emailKey: string, source: string, rule: Rule, now: Date): Promise<number> {
  const rememberedFrom = new Date(now.getTime() - rule.lockMs);
  const { rows } = await pool.query<{ locked_until: Date | null; failures: number }>(sql`
    insert into sign_in_failures as f (email_key, source, failures, last_failure_at)
    values (${emailKey}, ${source}, 1, ${now})
    on conflict (email_key, source) do update set
      failures = case when f.locked_until > ${now} then f.failures
        when f.last_failure_at < ${rememberedFrom} or f.locked_until is not null then 1
        else f.failures + 1 end,
      locked_until = case when f.locked_until > ${now} then f.locked_until
        when f.last_failure_at >= ${rememberedFrom} and f.locked_until is null and f.failures >= ${rule.failures}
          then ${new Date(now.getTime() + rule.lockMs)}::timestamptz end,
      last_failure_at = case when f.locked_until > ${now} then f.last_failure_at else ${now} end
    returning locked_until, failures`);
  const { locked_until: lockedUntil, failures } = oneRow(rows);
  if (lockedUntil === null || lockedUntil <= now) return Math.max(0, rule.failures - failures);
  const seconds = Math.ceil((lockedUntil.getTime() - now.getTime()) / 1000);
  throw new ApiError("SIGN_IN_LOCKED", { headers: { "retry-after": String(seconds) } });
}
