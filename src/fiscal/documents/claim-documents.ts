import { randomUUID } from "node:crypto";
import { ofAllAccounts, type Part } from "../../db/nodes.ts";
import type { Pool, Queryable } from "../../db/pool.ts";
import { prepared, sql } from "../../db/sql.ts";
import { inOneTripWhereReached, unlessNodeAway } from "../../db/transaction.ts";
import { minute } from "../../lib/clock.ts";
import { must } from "../../lib/must.ts";
import type { SecretKeys } from "../../lib/secret-keys.ts";
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
export async function claimDocuments(pool: Pool, request: ClaimRequest): Promise<ClaimedDocument[]> {
  const { after = firstUuid, most, now } = request;
  const accounts = await accountsBetween(pool, now, after, lastUuid, most);
  if (accounts.length === most || after === firstUuid) return claimOf(pool, request, accounts);
  const others = await accountsBetween(pool, now, firstUuid, after, most - accounts.length).catch((error: unknown) => {
    // The documents of those found already need not wait for the next look.
    if (accounts.length === 0) throw error;
    return [];
  });
  return claimOf(pool, request, [...accounts, ...others]);
}

const firstUuid = "00000000-0000-0000-0000-000000000000";
const lastUuid = "ffffffff-ffff-ffff-ffff-ffffffffffff";

export interface ClaimRequest {
  secretKey: SecretKeys;
  /** Documents due by this time are claimed. */
  now: Date;
  most: number;
  /** The last account of the previous claim; all others come before it again. */
  after?: string | undefined;
  leaseMs?: number;
}

/** Accounts with a document that is due and that nobody holds, in their order. Reads what is due, in an index of its own. */
async function accountsBetween(db: Queryable, now: Date, after: string, upTo: string, most: number): Promise<string[]> {
  const found = await ofAllAccounts(db, async (part) => {
    const values = [now, after, upTo, most, ...part.values];
    return (await db.query<{ account_id: string }>(prepared(accountsText(part), values))).rows;
  });
  const accounts = found.map((row) => row.account_id);
  return accounts.sort().slice(0, most);
}

const accountsText = (part: Part) => `
  select account_id from fiscal_documents
  where due_at <= $1 and account_id > $2 and account_id <= $3 and ${part.of("account_id", 5)}
    and (leased_until is null or leased_until <= statement_timestamp())
  group by account_id order by account_id limit $4`;

const claimText = `
  with due as materialized (
    select d.invoice_id, d.state, d.doubt from fiscal_documents d
    where d.account_id = $1 and d.due_at <= $2 and (d.leased_until is null or d.leased_until <= statement_timestamp())
    order by d.due_at limit $3 for update skip locked
  )
  update fiscal_documents d
  set leased_until = statement_timestamp() + $4::int * interval '1 millisecond', claim = $5, doubt = d.doubt or d.state = 'queued',
    sent_at = case when d.state = 'queued' and not d.doubt then $2 else d.sent_at end
  from due left join fiscal_profiles p on p.account_id = $1
  where d.account_id = $1 and d.invoice_id = due.invoice_id
  returning d.invoice_id, due.state, due.doubt, d.failures, d.polls, d.track_id, d.content, p.settings, p.authority_token`;

/** One statement per account, all in one packet; the documents come in the order of the accounts. */
async function claimOf(pool: Pool, request: ClaimRequest, accounts: readonly string[]): Promise<ClaimedDocument[]> {
  if (accounts.length === 0) return [];
  const { secretKey, now, most, leaseMs = usualLeaseMs } = request;
  const claim = randomUUID();
  const sizeOf = (place: number) => Math.floor(most / accounts.length) + (place < most % accounts.length ? 1 : 0);
  const results = await inOneTripWhereReached(
    pool,
    accounts.map((accountId, i) => prepared(claimText, [accountId, now, sizeOf(i), leaseMs, claim])),
  );
  return results.flatMap((result, i) =>
    (result?.rows ?? []).map((row) => ({
      accountId: must(accounts[i], "There is one result for each account"),
      invoiceId: row.invoice_id,
      claim,
      progress: { state: row.state, doubt: row.doubt, failures: row.failures, polls: row.polls },
      submission: {
        accountId: must(accounts[i], "There is one result for each account"),
        document: JSON.parse(row.content) as SealedDocument,
        settings: JSON.parse(row.settings ?? "{}") as IssuerSettings,
        token: openSecret(
          secretKey,
          "authority token",
          must(accounts[i], "There is one result for each account"),
          row.authority_token,
        ),
        trackId: row.track_id,
      },
    })),
  );
}

/** Releases documents for which the authority was not called, as they were before the claim. */
export async function releaseClaimed(pool: Pool, documents: readonly ClaimedDocument[]): Promise<void> {
  await inOneTripWhereReached(
    pool,
    Array.from(Map.groupBy(documents, accountOf), ([accountId, own]) => {
      const rows = own.map(({ invoiceId, claim, progress }) => ({
        invoice_id: invoiceId,
        claim,
        doubt: progress.doubt,
      }));
      return sql`
        update fiscal_documents d set doubt = r.doubt, claim = null, leased_until = null
        from json_to_recordset(${JSON.stringify(rows)}::json) as r(invoice_id uuid, claim uuid, doubt boolean)
        where d.account_id = ${accountId} and d.invoice_id = r.invoice_id and d.claim = r.claim`;
    }),
  );
}

const accountOf = ({ accountId }: { accountId: string }) => accountId;

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

/**
 * Releases documents until they are due. Nothing published changes, so no account's clock is locked. Those whose node is away
 * are found again when their lease ends.
 */
export async function putBack(pool: Pool, waiting: readonly Waiting[], now: Date): Promise<void> {
  await inOneTripWhereReached(
    pool,
    Array.from(Map.groupBy(waiting, accountOf), ([accountId, own]) => {
      const rows = own.map(({ invoiceId, claim, progress, dueAt, message, trackId }) => ({
        invoice_id: invoiceId,
        claim,
        ...progress,
        due_at: dueAt,
        message,
        track_id: trackId ?? null,
      }));
      return sql`
        update fiscal_documents d set state = r.state, doubt = r.doubt, failures = r.failures, polls = r.polls,
          due_at = r.due_at, last_answer = r.message, track_id = coalesce(r.track_id, d.track_id),
          claim = null, leased_until = null
        from json_to_recordset(${JSON.stringify(rows)}::json) as r(invoice_id uuid, claim uuid, state text,
          doubt boolean, failures integer, polls integer, due_at timestamptz, message text, track_id text)
        where d.account_id = ${accountId} and d.invoice_id = r.invoice_id and d.claim = r.claim`;
    }),
  );
  const stalled = Map.groupBy(
    waiting.filter(({ progress }) => isStalled(progress)),
    accountOf,
  );
  for (const [accountId, documents] of stalled)
    await unlessNodeAway(pool.query(recordNotices(accountId, now, bogotaDate(now), documents.map(stalledNotice))));
  const away = new Set(
    waiting.filter(({ progress }) => progress.failures >= stalledFailures).map((one) => one.accountId),
  );
  for (const accountId of away) await unlessNodeAway(tellContingency(pool, accountId, now));
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
