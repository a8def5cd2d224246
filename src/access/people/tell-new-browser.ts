import type { Client, Queryable } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";
import { sql } from "../../db/sql.ts";
import type { CoreDeps } from "../../engine/deps.ts";
import { day } from "../../lib/clock.ts";
import { queueMail } from "../../mail/queue-mail.ts";
import { newBrowserMail } from "../../mail/told-mail.ts";
import { browserName } from "./browser-name.ts";
import { noteTold } from "./told/tell.ts";

/** A program that keeps no cookies signs in from a new browser each time: the first of a day are enough to act on. */
export const mostToldADay = 10;

/**
 * Mails a person that somebody signed in as her from a browser that never did before, in the transaction that opens the session.
 * One that did so before she changed the password or closed the other sessions may be why she did: it counts as new. The very
 * first sign-in is her own and is not told.
 */
export async function tellNewBrowser(
  deps: CoreDeps,
  client: Client,
  signedIn: {
    personId: string;
    email: string;
    accountId: string;
    at: Date;
    knownSince: Date | undefined;
    remoteAddress: string | null;
    userAgent: string | null;
  },
): Promise<void> {
  const { email, accountId, at, remoteAddress, userAgent } = signedIn;
  if (!(await isNewBrowser(client, signedIn))) return;
  const { rows } = await client.query<{ told: number }>(sql`
    select count(*)::int as told from mails where account_id = ${accountId} and kind = 'new_browser' and recipient = ${email}
      and created_at > ${new Date(at.getTime() - day)}`);
  if (oneRow(rows).told >= mostToldADay) return;
  const browser = browserName(userAgent);
  const where = [`Navegador: ${browser}`, ...(remoteAddress ? [`Dirección de internet: ${remoteAddress}`] : [])];
  const title = "entraron desde un navegador nuevo";
  const noted = {
    kind: "new_browser",
    accountId,
    actorId: signedIn.personId,
    title,
    lines: where,
    about: {},
    at,
  } as const;
  const [told] = await noteTold(deps, client, noted);
  const mail = newBrowserMail(deps.config.publicUrl, { at, address: remoteAddress, browser, link: told?.link });
  await queueMail(client, accountId, at, mail, email);
}

/** Whether nobody signed in as this person from there before. The very first sign-in of all is not from a new browser. */
export async function isNewBrowser(
  db: Queryable,
  { personId, knownSince }: { personId: string; knownSince: Date | undefined },
): Promise<boolean> {
  const { isFirst, trustedSince } = await formerSignIns(db, personId);
  const isKnown = knownSince !== undefined && (trustedSince === null || knownSince > trustedSince);
  return !isFirst && !isKnown;
}

/** What was before this version stands in the audit log of the account that was opened for the person. */
async function formerSignIns(
  client: Queryable,
  personId: string,
): Promise<{ isFirst: boolean; trustedSince: Date | null }> {
  const { rows } = await client.query<{ signed_in_at: Date | null; trusted_since: Date | null }>(
    sql`select signed_in_at, trusted_since from people where id = ${personId}`,
  );
  const { signed_in_at, trusted_since } = oneRow(rows);
  if (signed_in_at !== null) return { isFirst: false, trustedSince: trusted_since };
  const { rows: former } = await client.query<{ is_first: boolean; changed_at: Date | null }>(sql`
    select not coalesce(bool_or(action = 'session.opened'), false) as is_first,
      max(created_at) filter (where action <> 'session.opened') as changed_at
    from audit_log where account_id = ${personId}
      and action in ('session.opened', 'password.changed', 'password.reset', 'session.revoked_others')`);
  const { is_first, changed_at } = oneRow(former);
  return { isFirst: is_first, trustedSince: trusted_since ?? changed_at };
}
