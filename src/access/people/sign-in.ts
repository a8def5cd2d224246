import type { Client } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { CoreDeps } from "../../engine/deps.ts";
import { ApiError } from "../../lib/errors.ts";
import { inactiveError } from "../accounts/closed-account.ts";
import { inHashingQueue, type RequestSource } from "../accounts/hashing-queue.ts";
import { hashPassword, isPassword } from "../accounts/password.ts";
import { recordAudit } from "../accounts/record-audit.ts";
import { countTry, forgetTry } from "./count-failures.ts";
import { emailKeyOf } from "./known-device.ts";
import { homeOf, type Person, personByEmail, personById } from "./person.ts";
import { recordFailedSignIn } from "./record-failed-sign-in.ts";
import { askedOf } from "./second-step/asked-step.ts";
import { type OpenedStage, openStage } from "./second-step/stage.ts";
import { openSession, type Session } from "./session.ts";
import { tellNewBrowser } from "./tell-new-browser.ts";

/** Compared when nobody has the address, so that this takes as long as a wrong password. */
let dummyHash: Promise<string> | undefined;

export async function signIn(
  deps: CoreDeps,
  input: { email: string; password: string },
  source: RequestSource,
  from: { remoteAddress: string | null; userAgent: string | null } = { remoteAddress: null, userAgent: null },
  browserToken?: string,
): Promise<SignedIn | { stage: OpenedStage }> {
  const now = deps.clock.now();
  const person = await provePassword(deps, input, source, from.remoteAddress);
  const account = await homeOf(deps.pool, person.id);
  if (!account) throw new ApiError("NO_BUSINESS");
  if (!account.active) throw await inactiveError(deps.pool, account.id);
  const { knownSince } = source;
  const kinds = await askedOf(deps, { personId: person.id, browserToken, knownSince, now });
  if (kinds.length > 0) {
    return { stage: await openStage(deps, { person, accountId: account.id, kinds, knownSince, ...from }) };
  }
  await deps.partitions.ensure(now);
  const token = await transaction(deps.pool, (client) =>
    enter(deps, client, { person, accountId: account.id, at: now, knownSince, ...from }),
  );
  deps.mail?.emit();
  return { token, account: { id: account.id, name: account.name, email: person.email, plan: account.plan } };
}

/** The person with an address, if the password is hers. Each try counts, and a wrong one is written into her audit log. */
export async function provePassword(
  deps: CoreDeps,
  input: { email: string; password: string },
  source: RequestSource,
  remoteAddress: string | null,
): Promise<Person> {
  const key = emailKeyOf(input.email);
  const { person, isRight } = await inHashingQueue(source, key, async () => {
    await countTry(deps.pool, key, source, deps.clock.now());
    const person = await personByEmail(deps.pool, key);
    dummyHash ??= hashPassword("nobody");
    return { person, isRight: await isPassword(input.password, person?.password_hash ?? (await dummyHash)) };
  });
  if (!person || !isRight) {
    if (person) recordFailedSignIn(deps, person.id, remoteAddress);
    throw new ApiError("SIGN_IN_FAILED");
  }
  await forgetTry(deps.pool, key, source);
  return person;
}

export interface SignedIn {
  token: string;
  /** With the address of whoever signed in. */
  account: { id: string; name: string; email: string; plan: string };
}

/** Opens the session of somebody whose password was right, and says so where it should be said. */
export async function enter(
  deps: CoreDeps,
  client: Client,
  entering: {
    person: Pick<Person, "id" | "email" | "password_hash">;
    accountId: string;
    at: Date;
    knownSince: Date | undefined;
    remoteAddress: string | null;
    userAgent: string | null;
  },
): Promise<string> {
  const { person, accountId, at, remoteAddress, userAgent } = entering;
  const opening = { personId: person.id, passwordHash: person.password_hash, remoteAddress, userAgent };
  const opened = await openSession({ pool: client, clock: deps.clock }, accountId, opening);
  await tellNewBrowser(deps, client, { ...entering, personId: person.id, email: person.email });
  await client.query(sql`
    update people set signed_in_at = ${at}, last_account_id = ${accountId} where id = ${person.id}`);
  await recordAudit(client, {
    accountId,
    at,
    action: "session.opened",
    details: {},
    actor: { kind: "owner", sessionId: opened.id, remoteAddress, personId: person.id, role: opened.role },
  });
  return opened.token;
}

/** Asks somebody who is signed in for the password again. Only failures of this session can lock it. */
export async function checkPassword(deps: CoreDeps, session: Session, password: string): Promise<Person> {
  const person = await personById(deps.pool, session.personId);
  if (!person) throw new ApiError("SESSION_REQUIRED");
  const { email, password_hash } = person;
  const key = emailKeyOf(email);
  const source = { name: `session ${session.id}`, isKnown: true };
  await inHashingQueue(source, key, async () => {
    await countTry(deps.pool, key, source, deps.clock.now());
    if (!(await isPassword(password, password_hash)))
      throw new ApiError("PASSWORD_INCORRECT", { param: "current_password" });
  });
  await forgetTry(deps.pool, key, source);
  return person;
}
