import { randomUUID } from "node:crypto";
import type { Queryable } from "../../db/pool.ts";
import { prepared, sql } from "../../db/sql.ts";
import { minute } from "../../lib/clock.ts";
import { type Notice, recordNotices } from "../../notices/record-notices.ts";
import { bogotaDate } from "../../taxes/bogota-time.ts";
import type { Submission } from "../authority/authority.ts";
import type { SealedDocument } from "../content/document-content.ts";
import { type IssuerSettings, openSecret } from "../profile/profile.ts";
import { tellContingency } from "./contingency.ts";
import type { Progress } from "./next-step.ts";

/** Longer than a call to the authority may take: a document still leased after this has lost its worker. */
const usualLeaseMs = 3 * minute;

/** A document that one worker holds for as long as the lease. */
export interface ClaimedDocument {
  accountId: string;
  invoiceId: string;
  /** Renewed with each claim: what a worker reports after it lost the lease is not written. */
  claim: string;
  progress: Progress;
  submission: Submission;
}

/**
 * Claims due documents, the same number of each business, beginning with the accounts after `after`: a business with a
 * long queue does not hold up the others. The same statement marks a document about to be sent as in doubt, so that no
 * crash can hide a send. Leases run by the database's clock: a process whose own clock is ahead would take documents in
 * flight for abandoned.
 */
export async function claimDocuments(db: Queryable, request: ClaimRequest): Promise<ClaimedDocument[]> {
  const { after = firstUuid, most } = request;
  const claimed = await claimBetween(db, request, after, lastUuid);
  const left = most - claimed.length;
  if (left === 0 || after === firstUuid) return claimed;
  const others = claimBetween(db, { ...request, most: left }, firstUuid, after).catch((error: unknown) => {
    // Those claimed already are leased: if they were dropped here, they would wait for their lease to end.
    if (claimed.length === 0) throw error;
    return [];
  });
  return [...claimed, ...(await others)];
}

const firstUuid = "00000000-0000-0000-0000-000000000000";
const lastUuid = "ffffffff-ffff-ffff-ffff-ffffffffffff";

export interface ClaimRequest {
  secretKey: string;
  /** Documents due by this time are claimed. */
  now: Date;
  most: number;
  /** The last account of the previous claim; all others come before it again. */
  after?: string | undefined;
  leaseMs?: number;
}

/** Hops from account to account in the queue's own index, so its cost is the accounts that wait, not the length of a queue. */
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

/** In the order of the accounts. */
async function claimBetween(
  db: Queryable,
  { secretKey, now, most, leaseMs = usualLeaseMs }: ClaimRequest,
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
    progress: { state: row.state, doubt: row.doubt, failures: row.failures, polls: row.polls },
    submission: {
      accountId: row.account_id,
      document: JSON.parse(row.content) as SealedDocument,
      settings: JSON.parse(row.settings ?? "{}") as IssuerSettings,
      token: openSecret(secretKey, "authority token", row.account_id, row.authority_token),
      trackId: row.track_id,
    },
  }));
}

/** Releases documents for which the authority was not called, as they were before the claim. */
export async function releaseClaimed(db: Queryable, documents: readonly ClaimedDocument[]): Promise<void> {
  const rows = documents.map(({ accountId, invoiceId, claim, progress }) => ({
    account_id: accountId,
    invoice_id: invoiceId,
    claim,
    doubt: progress.doubt,
  }));
  await db.query(sql`
    update fiscal_documents d set doubt = r.doubt, claim = null, leased_until = null
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(account_id uuid, invoice_id uuid, claim uuid, doubt boolean)
    where d.account_id = r.account_id and d.invoice_id = r.invoice_id and d.claim = r.claim`);
}

/** A document without a verdict, and when to call the authority for it again. */
export interface Waiting {
  accountId: string;
  invoiceId: string;
  claim: string;
  progress: Progress;
  dueAt: Date;
  message: string | null;
  trackId: string | undefined;
}

/** Releases documents until they are due. Nothing published changes, so no account's clock is locked. */
export async function putBack(db: Queryable, waiting: readonly Waiting[], now: Date): Promise<void> {
  const rows = waiting.map(({ accountId, invoiceId, claim, progress, dueAt, message, trackId }) => ({
    account_id: accountId,
    invoice_id: invoiceId,
    claim,
    ...progress,
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
    waiting.filter(({ progress }) => isStalled(progress)),
    ({ accountId }) => accountId,
  );
  for (const [accountId, documents] of stalled)
    await db.query(recordNotices(accountId, now, bogotaDate(now), documents.map(stalledNotice)));
  const away = new Set(
    waiting.filter(({ progress }) => progress.failures >= stalledFailures).map((one) => one.accountId),
  );
  for (const accountId of away) await tellContingency(db, accountId, now);
}

const stalledFailures = 9;

/** Several minutes without a verdict: the business is notified once. */
function isStalled({ polls, failures }: Progress): boolean {
  return polls === 8 || failures === stalledFailures;
}

function stalledNotice({ progress }: Waiting): Notice {
  const message =
    progress.failures > 0
      ? "La DIAN no responde desde hace varios minutos. Los documentos esperan y se enviarán solos cuando vuelva."
      : "La DIAN recibió documentos y no los ha validado. Se sigue preguntando; no hay que reenviarlos.";
  return { kind: "authority_stalled", subject: progress.failures > 0 ? "down" : "slow", message };
}
