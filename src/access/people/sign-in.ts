import { oneRow } from "../../db/read.ts";
import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { CoreDeps } from "../../engine/deps.ts";
import { ApiError } from "../../lib/errors.ts";
import { inactiveError } from "../accounts/closed-account.ts";
import { inHashingQueue, type RequestSource } from "../accounts/hashing-queue.ts";
import { hashPassword, isPassword } from "../accounts/password.ts";
import { type Actor, recordAudit } from "../accounts/record-audit.ts";
import { countTry, forgetTry } from "./count-failures.ts";
import { emailKeyOf } from "./known-device.ts";
import { recordFailedSignIn } from "./record-failed-sign-in.ts";
import { openSession, type Session } from "./session.ts";
import { tellNewBrowser } from "./tell-new-browser.ts";

/** Compared when no account has the address, so that this takes as long as a wrong password. */
let dummyHash: Promise<string> | undefined;

export async function signIn(
  deps: CoreDeps,
  input: { email: string; password: string },
  source: RequestSource,
  from: { remoteAddress: string | null; userAgent: string | null } = { remoteAddress: null, userAgent: null },
): Promise<{ token: string; account: { id: string; name: string; email: string; plan: string } }> {
  const now = deps.clock.now();
  const key = emailKeyOf(input.email);
  const { account, isRight } = await inHashingQueue(source, key, async () => {
    await countTry(deps.pool, key, source, now);
    const { rows } = await deps.pool.query(sql`
      select id, name, email, plan, active, password_hash from accounts where lower(email) = ${key}`);
    dummyHash ??= hashPassword("nobody");
    return {
      account: rows[0],
      isRight: await isPassword(input.password, rows[0]?.password_hash ?? (await dummyHash)),
    };
  });
  if (!account || !isRight) {
    if (account) recordFailedSignIn(deps, account.id, from.remoteAddress);
    throw new ApiError("SIGN_IN_FAILED");
  }
  if (!account.active) throw await inactiveError(deps.pool, account.id);
  await forgetTry(deps.pool, key, source);
  await deps.partitions.ensure(now);
  const token = await transaction(deps.pool, async (client) => {
    const opening = { ...from, passwordHash: account.password_hash };
    const opened = await openSession({ pool: client, clock: deps.clock }, account.id, opening);
    const actor: Actor = { kind: "owner", sessionId: opened.id, remoteAddress: from.remoteAddress };
    await tellNewBrowser(deps, client, account.id, { at: now, knownSince: source.knownSince, ...from });
    await recordAudit(client, { accountId: account.id, at: now, action: "session.opened", details: {}, actor });
    return opened.token;
  });
  deps.mail?.emit();
  return { token, account: { id: account.id, name: account.name, email: account.email, plan: account.plan } };
}

/** Asks a signed-in owner for the password again. Only failures of this session can lock it. */
export async function checkPassword(deps: CoreDeps, session: Session, password: string): Promise<void> {
  const { rows } = await deps.pool.query<{ email: string; password_hash: string }>(
    sql`select email, password_hash from accounts where id = ${session.accountId}`,
  );
  const { email, password_hash } = oneRow(rows);
  const key = emailKeyOf(email);
  const source = { name: `session ${session.id}`, isKnown: true };
  await inHashingQueue(source, key, async () => {
    await countTry(deps.pool, key, source, deps.clock.now());
    if (!(await isPassword(password, password_hash)))
      throw new ApiError("PASSWORD_INCORRECT", { param: "current_password" });
  });
  await forgetTry(deps.pool, key, source);
}
