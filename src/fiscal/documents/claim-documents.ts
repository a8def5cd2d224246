import { randomUUID } from "node:crypto";
import type { Queryable } from "../../db/pool.ts";
import { prepared, sql } from "../../db/sql.ts";
import { minute } from "../../lib/clock.ts";
import { type Notice, recordNotices } from "../../notices/record-notices.ts";
import { bogotaDate } from "../../taxes/bogota-time.ts";
import type { Submission } from "../authority/authority.ts";
import type { SealedDocument } from "../content/document-content.ts";
import { type IssuerSettings, openSecret } from "../profile/profile.ts";
import type { Standing } from "./next-step.ts";

/** Longer than a call to the authority may take: whoever finds a document after this knows that its worker is gone. */
const usualLeaseMs = 3 * minute;

/** A document that one worker holds for as long as the lease. */
export interface ClaimedDocument {
  accountId: string;
  invoiceId: string;
  /** Renewed with each claim: an outcome reported by somebody who lost the lease is not written. */
  claim: string;
  standing: Standing;
  submission: Submission;
}

/**
 * Takes documents that are due, of each business as many as of the others, beginning with those that come after `after`:
 * one with a long queue does not hold up the rest. One that is about to be sent is marked as in doubt by the same
 * statement, so that no crash can hide a send. Leases are by the database's clock: by a process's own, one that is set
 * ahead would take what is in flight for abandoned.
 */
export async function claimDocuments(db: Queryable, wish: Wish): Promise<ClaimedDocument[]> {
  const { after = firstUuid, most } = wish;
  const claimed = await claimBetween(db, wish, after, lastUuid);
  const left = most - claimed.length;
  if (left === 0 || after === firstUuid) return claimed;
  const others = claimBetween(db, { ...wish, most: left }, firstUuid, after).catch((error: unknown) => {
    // What is claimed already is held: whoever forgot it would leave it to the end of its lease.
    if (claimed.length === 0) throw error;
    return [];
  });
  return [...claimed, ...(await others)];
}

const firstUuid = "00000000-0000-0000-0000-000000000000";
const lastUuid = "ffffffff-ffff-ffff-ffff-ffffffffffff";

export interface Wish {
  secretKey: string;
  /** The installation's time: what is due by it. */
  now: Date;
  most: number;
  /** The account whose turn was the last; all have theirs before it comes again. */
  after?: string | undefined;
  leaseMs?: number;
}

/** Hops from account to account in the queue's own index, so its cost is the accounts that wait, not the depth of a queue. */
const claimText = `
  with recursive waiting as (
    (select account_id from fiscal_documents
     where due_at is not null and account_id > $2 and account_id <= $3 order by account_id limit 1)
    union all
    select next.account_id
    from waiting cross join lateral (
      select d.account_id from fiscal_documents d
      where d.due_at is not null and d.account_id > waiting.account_id and d.account_id <= $3
      order by d.account_id limit 1) next
  ), served as materialized (
    select account_id from waiting
    where exists (
      select from fiscal_documents d where d.account_id = waiting.account_id and d.due_at <= $1
        and (d.leased_until is null or d.leased_until <= clock_timestamp()))
    limit $4
  ), due as materialized (
    select served.account_id, found.invoice_id, found.state, found.doubt
    from served cross join lateral (
      select d.invoice_id, d.state, d.doubt from fiscal_documents d
      where d.account_id = served.account_id and d.due_at <= $1
        and (d.leased_until is null or d.leased_until <= clock_timestamp())
      order by d.due_at limit (select ceil($4::numeric / count(*)) from served)
      for update skip locked) found
    limit $4
  )
  update fiscal_documents d
  set leased_until = clock_timestamp() + $5::int * interval '1 millisecond', claim = $6, doubt = d.doubt or d.state = 'queued',
    sent_at = case when d.state = 'queued' and not d.doubt then $1 else d.sent_at end
  from due left join fiscal_profiles p on p.account_id = due.account_id
  where d.account_id = due.account_id and d.invoice_id = due.invoice_id
  returning d.account_id, d.invoice_id, due.state, due.doubt, d.failures, d.polls, d.track_id, d.content,
    p.settings, p.authority_token`;

/** The documents are in the order of their accounts. */
async function claimBetween(
  db: Queryable,
  { secretKey, now, most, leaseMs = usualLeaseMs }: Wish,
  after: string,
  upTo: string,
): Promise<ClaimedDocument[]> {
  const claim = randomUUID();
  const { rows } = await db.query(prepared(claimText, [now, after, upTo, most, leaseMs, claim]));
  rows.sort((a, b) => (a.account_id < b.account_id ? -1 : 1));
  return rows.map((row) => ({
    accountId: row.account_id,
    invoiceId: row.invoice_id,
    claim,
    standing: { state: row.state, doubt: row.doubt, failures: row.failures, polls: row.polls },
    submission: {
      accountId: row.account_id,
      document: JSON.parse(row.content) as SealedDocument,
      settings: JSON.parse(row.settings ?? "{}") as IssuerSettings,
      token: openSecret(secretKey, "authority token", row.account_id, row.authority_token),
      trackId: row.track_id,
    },
  }));
}

/** Gives documents back that nobody asked about, as they were before the claim. */
export async function releaseUnasked(db: Queryable, documents: readonly ClaimedDocument[]): Promise<void> {
  const rows = documents.map(({ accountId, invoiceId, claim, standing }) => ({
    account_id: accountId,
    invoice_id: invoiceId,
    claim,
    doubt: standing.doubt,
  }));
  await db.query(sql`
    update fiscal_documents d set doubt = r.doubt, claim = null, leased_until = null
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(account_id uuid, invoice_id uuid, claim uuid, doubt boolean)
    where d.account_id = r.account_id and d.invoice_id = r.invoice_id and d.claim = r.claim`);
}

/** What is known of a document that has no verdict yet, and when to look at it again. */
export interface Waiting {
  accountId: string;
  invoiceId: string;
  claim: string;
  standing: Standing;
  dueAt: Date;
  message: string | null;
  trackId: string | undefined;
}

/** Hands documents back until they are due. Nothing published changes, so no account's clock is taken. */
export async function putBack(db: Queryable, waiting: readonly Waiting[], now: Date): Promise<void> {
  const rows = waiting.map(({ accountId, invoiceId, claim, standing, dueAt, message, trackId }) => ({
    account_id: accountId,
    invoice_id: invoiceId,
    claim,
    ...standing,
    due_at: dueAt,
    message,
    track_id: trackId ?? null,
  }));
  await db.query(sql`
    update fiscal_documents d set state = r.state, doubt = r.doubt, failures = r.failures, polls = r.polls,
      due_at = r.due_at, last_answer = r.message, track_id = coalesce(r.track_id, d.track_id),
      claim = null, leased_until = null
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(account_id uuid, invoice_id uuid, claim uuid, state text,
      doubt boolean, failures integer, polls integer, due_at timestamptz, message text, track_id text)
    where d.account_id = r.account_id and d.invoice_id = r.invoice_id and d.claim = r.claim`);
  const stalled = Map.groupBy(
    waiting.filter(({ standing }) => isStalled(standing)),
    ({ accountId }) => accountId,
  );
  for (const [accountId, documents] of stalled)
    await db.query(recordNotices(accountId, now, bogotaDate(now), documents.map(stalledNotice)));
}

/** Minutes without a verdict: the business should know, once. */
function isStalled({ polls, failures }: Standing): boolean {
  return polls === 8 || failures === 9;
}

function stalledNotice({ standing }: Waiting): Notice {
  const message =
    standing.failures > 0
      ? "La DIAN no responde desde hace varios minutos. Los documentos esperan y se enviarán solos cuando vuelva."
      : "La DIAN recibió documentos y no los ha validado. Se sigue preguntando; no hay que reenviarlos.";
  return { kind: "authority_stalled", subject: standing.failures > 0 ? "down" : "slow", message };
}
