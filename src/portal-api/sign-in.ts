import { hashPassword, isPassword } from "../accounts/password.ts";
import { type Actor, recordAudit } from "../accounts/record-audit.ts";
import { sql } from "../db/sql.ts";
import { transaction } from "../db/transaction.ts";
import type { Deps } from "../deps.ts";
import { minute } from "../lib/clock.ts";
import { ApiError } from "../lib/errors.ts";
import { recordFailedSignIn } from "./record-failed-sign-in.ts";
import { openSession } from "./session.ts";

const failuresToLock = 5;
/** The lock's length, and how long failures are remembered. */
const lockMs = 15 * minute;

/** Compared when nobody has the address: an unknown one takes as long as a wrong password. */
let nobodysHash: Promise<string> | undefined;

/** Each try is counted before its password is compared, so that tries side by side cannot outrun the lock. */
export async function signIn(
  deps: Deps,
  input: { email: string; password: string },
  remoteAddress: string,
  userAgent: string | null = null,
): Promise<{ token: string; account: { id: string; name: string; email: string; plan: string } }> {
  const now = deps.clock.now();
  const key = input.email.trim().toLowerCase();
  await countTry(deps, key, now);
  const { rows } = await deps.pool.query(sql`
    select id, name, email, plan, active, password_hash from accounts where lower(email) = ${key}`);
  const account = rows[0];
  nobodysHash ??= hashPassword("nobody");
  const isRight = await isPassword(input.password, account?.password_hash ?? (await nobodysHash));
  if (!account || !isRight) {
    if (account) recordFailedSignIn(deps, account.id, remoteAddress);
    throw new ApiError("SIGN_IN_FAILED");
  }
  if (!account.active) throw new ApiError("ACCOUNT_INACTIVE");
  await deps.pool.query(sql`delete from sign_in_failures where email_key = ${key}`);
  const token = await transaction(deps.pool, async (client) => {
    const from = { remoteAddress, userAgent, passwordHash: account.password_hash };
    const opened = await openSession({ pool: client, clock: deps.clock }, account.id, from);
    const actor: Actor = { kind: "owner", sessionId: opened.id, remoteAddress };
    await recordAudit(client, { accountId: account.id, at: now, action: "session.opened", details: {}, actor });
    return opened.token;
  });
  return { token, account: { id: account.id, name: account.name, email: account.email, plan: account.plan } };
}

/** Who is signed in proves once more that he knows the password. Wrong ones count towards the same lock. */
export async function checkPassword(deps: Deps, accountId: string, password: string): Promise<void> {
  const { rows } = await deps.pool.query<{ email: string; password_hash: string }>(
    sql`select email, password_hash from accounts where id = ${accountId}`,
  );
  const { email, password_hash } = rows[0]!;
  const key = email.toLowerCase();
  await countTry(deps, key, deps.clock.now());
  if (!(await isPassword(password, password_hash)))
    throw new ApiError("PASSWORD_INCORRECT", { param: "current_password" });
  await deps.pool.query(sql`delete from sign_in_failures where email_key = ${key}`);
}

async function countTry(deps: Deps, key: string, now: Date): Promise<void> {
  const { rows } = await deps.pool.query<{ failures: number; locked_until: Date | null }>(sql`
    insert into sign_in_failures as f (email_key, failures, last_failure_at) values (${key}, 1, ${now})
    on conflict (email_key) do update set
      failures = case when f.locked_until > ${now} then f.failures
        when f.last_failure_at < ${new Date(now.getTime() - lockMs)} or f.locked_until is not null then 1
        else f.failures + 1 end,
      locked_until = case when f.locked_until > ${now} then f.locked_until
        when f.last_failure_at >= ${new Date(now.getTime() - lockMs)} and f.locked_until is null
          and f.failures >= ${failuresToLock} then ${new Date(now.getTime() + lockMs)}::timestamptz end,
      last_failure_at = case when f.locked_until > ${now} then f.last_failure_at else ${now} end
    returning failures, locked_until`);
  const lockedUntil = rows[0]!.locked_until;
  if (lockedUntil === null || lockedUntil <= now) return;
  const seconds = Math.ceil((lockedUntil.getTime() - now.getTime()) / 1000);
  throw new ApiError("SIGN_IN_LOCKED", { headers: { "retry-after": String(seconds) } });
}
