import { sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import type { CoreDeps } from "../../../engine/deps.ts";
import { ApiError } from "../../../lib/errors.ts";
import type { RequestSource } from "../../accounts/hashing-queue.ts";
import { homeOf, personById } from "../person.ts";
import { hashesOf } from "../session.ts";
import { enter, type SignedIn } from "../sign-in.ts";
import { checkPasskey } from "./passkeys.ts";
import { trustBrowser } from "./trusted-browser.ts";

/** What the challenges of whoever has said nothing of herself yet are made for. */
export const alone = "sign-in alone";

/** A passkey is something one has and a finger or a PIN: it needs neither the address nor the password. */
export async function signInWithPasskey(
  deps: CoreDeps,
  credential: object,
  browser: {
    browserToken: string | undefined;
    remoteAddress: string | null;
    userAgent: string | null;
    sourceFor: (email: string) => RequestSource;
  },
): Promise<SignedIn & { email: string; browserToken: string }> {
  const at = deps.clock.now();
  const { personId } = await checkPasskey(deps, { purpose: alone, credential });
  const person = await personById(deps.pool, personId);
  const account = person && (await homeOf(deps.pool, person.id));
  if (!person) throw new ApiError("SIGN_IN_FAILED");
  if (!account) throw new ApiError("NO_BUSINESS");
  if (!account.active) throw new ApiError("ACCOUNT_INACTIVE");
  const { remoteAddress, userAgent } = browser;
  const { knownSince } = browser.sourceFor(person.email);
  await deps.partitions.ensure(at);
  const entered = await transaction(deps.pool, async (client) => {
    const from = { remoteAddress, userAgent };
    const token = await enter(deps, client, { person, accountId: account.id, at, knownSince, ...from });
    const { founders, others } = hashesOf(token);
    await client.query(sql`update portal_sessions set stepped_up_at = ${at} where hash in (${founders}, ${others})`);
    const browserToken = await trustBrowser(client, { personId, token: browser.browserToken, now: at, ...from });
    return { token, browserToken };
  });
  deps.mail?.emit();
  return { ...entered, email: person.email, account: { ...account, email: person.email } };
}
