import type { Client } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";
import { sql } from "../../db/sql.ts";
import type { CoreDeps } from "../../engine/deps.ts";
import { day } from "../../lib/clock.ts";
import { queueMail } from "../../mail/queue-mail.ts";
import { newBrowserMail } from "../../mail/templates.ts";
import { browserName } from "./browser-name.ts";

/** A program that keeps no cookies signs in from a new browser each time: the first of a day are enough to act on. */
export const mostToldADay = 10;

/**
 * Mails the owner that somebody signed in from a browser that never did before, in the transaction that opens the session.
 * One that did so before the owner changed the password or closed the other sessions may be why he did: it counts as new. The
 * first sign-in of an account is the owner's own and is not told.
 */
export async function tellNewBrowser(
  deps: CoreDeps,
  client: Client,
  accountId: string,
  signedIn: { at: Date; knownSince: Date | undefined; remoteAddress: string | null; userAgent: string | null },
): Promise<void> {
  const { at, knownSince, remoteAddress, userAgent } = signedIn;
  const { rows } = await client.query<{ is_first: boolean; is_known: boolean; told: number }>(sql`
    select not exists (select from audit_log where account_id = ${accountId} and action = 'session.opened') as is_first,
      ${knownSince !== undefined} and not exists (select from audit_log where account_id = ${accountId}
        and action in ('password.changed', 'password.reset', 'session.revoked_others')
        and created_at >= ${knownSince ?? at}) as is_known,
      (select count(*)::int from mails where account_id = ${accountId} and kind = 'new_browser'
        and created_at > ${new Date(at.getTime() - day)}) as told`);
  const { is_first, is_known, told } = oneRow(rows);
  if (is_first || is_known || told >= mostToldADay) return;
  const mail = newBrowserMail(deps.config.publicUrl, { at, address: remoteAddress, browser: browserName(userAgent) });
  await queueMail(client, accountId, at, mail);
}
