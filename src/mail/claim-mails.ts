import { ofAllAccounts, type Part } from "../db/nodes.ts";
import type { Pool } from "../db/pool.ts";
import { prepared, type Statement, sql } from "../db/sql.ts";
import { inOneTripWhereReached } from "../db/transaction.ts";
import { second } from "../lib/clock.ts";
import { must } from "../lib/must.ts";
import { inOrder, kindNames, kindRanks, unknownRank } from "./mail-kinds.ts";

export interface ClaimedMail {
  account_id: string;
  created_at: Date;
  id: string;
  kind: string;
  rank: number;
  recipient: string;
  subject: string;
  body_text: string;
  body_html: string;
  attempts: number;
  document_id: string | null;
  ticket_mail_id: string | null;
}

export interface DueMail extends Pick<ClaimedMail, "account_id" | "created_at" | "id" | "rank"> {
  /** Its place among the account's own mails of its rank. */
  turn: number;
  /** When a mail of the account was last sent. */
  served_at: Date | null;
}

/** Longer than a send may take, so that only the mails of a dead process are taken over. In real time: the test clock may jump. */
const beyondTimeoutMs = 30 * second;

/** Finding them reads all that is due, so that several sends share one look. */
export const mostFound = 100;

/**
 * The mails that come next: the most urgent rank first and, within it, of each account in turn, those that waited longest for
 * one before the others.
 */
export async function findMails(pool: Pool, now: Date): Promise<DueMail[]> {
  const found = await ofAllAccounts(pool, async (part) => {
    const values = [kindRanks, kindNames, unknownRank, now, mostFound, ...part.values];
    return (await pool.query<DueMail>(prepared(dueText(part), values))).rows;
  });
  return found.toSorted(byTurn).slice(0, mostFound);
}

/** Leases those of them that no other process has. Any number may try: they share the turns, and none gets another's mails. */
export async function leaseMails(pool: Pool, due: readonly DueMail[], now: Date): Promise<ClaimedMail[]> {
  if (due.length === 0) return [];
  // In one order in every process, because each account's turn is a row that they all write.
  const byAccount = Map.groupBy(
    due.toSorted((a, b) => (a.account_id < b.account_id ? -1 : 1)),
    ({ account_id }) => account_id,
  );
  const turns = Array.from(byAccount.keys(), served);
  const ranked = Array.from(byAccount.values(), (own) => [...Map.groupBy(own, ({ rank }) => rank).values()]).flat();
  const results = await inOneTripWhereReached(pool, [...turns, ...ranked.map((own) => lease(own, now))]);
  const leased = results.slice(turns.length).flatMap((result) => (result?.rows ?? []) as ClaimedMail[]);
  const place = new Map(due.map(({ id }, index) => [id, index]));
  return leased.toSorted((a, b) => place.get(a.id)! - place.get(b.id)!);
}

const dueText = (part: Part) => `
  select d.account_id, d.created_at, d.id, d.rank, d.turn, t.served_at from (
    select account_id, created_at, id, rank,
      row_number() over (partition by account_id, rank order by created_at, id) as turn
    from (
      select account_id, created_at, id,
        coalesce(($1::int[])[array_position($2::text[], kind)], $3::int) as rank
      from mails
      where next_attempt_at <= $4 and (leased_until is null or leased_until < statement_timestamp())
        and ${part.of("account_id", 6)}
    ) waiting
  ) d left join mail_turns t on t.account_id = d.account_id and ${part.of("t.account_id", 6)}
  where d.turn <= $5
  order by d.rank, d.turn, t.served_at nulls first, d.created_at, d.id limit $5`;

/** The same order, for what was read in parts. */
function byTurn(a: DueMail, b: DueMail): number {
  return (
    a.rank - b.rank ||
    a.turn - b.turn ||
    (a.served_at?.getTime() ?? 0) - (b.served_at?.getTime() ?? 0) ||
    a.created_at.getTime() - b.created_at.getTime() ||
    (a.id < b.id ? -1 : 1)
  );
}

function served(accountId: string): Statement {
  return sql`
    insert into mail_turns (account_id, served_at) values (${accountId}, statement_timestamp())
    on conflict (account_id) do update set served_at = excluded.served_at`;
}

/** Of one account and rank. */
function lease(own: readonly DueMail[], now: Date): Statement {
  const { account_id, rank } = own[0]!;
  const leaseMs = must(inOrder[rank], "A rank is a place in the list of kinds").timeoutMs + beyondTimeoutMs;
  return sql`
    update mails m set leased_until = statement_timestamp() + ${leaseMs} * interval '1 millisecond'
    from (
      select created_at, id from mails
      where account_id = ${account_id} and created_at = any(${own.map(({ created_at }) => created_at)}::timestamptz[])
        and id = any(${own.map(({ id }) => id)}::uuid[]) and next_attempt_at <= ${now}
        and (leased_until is null or leased_until < statement_timestamp())
      for update skip locked
    ) due
    where m.account_id = ${account_id} and m.created_at = due.created_at and m.id = due.id
    returning m.account_id, m.created_at, m.id, m.kind, ${rank}::int as rank, m.recipient, m.subject, m.body_text, m.body_html,
      m.attempts, m.document_id, m.ticket_mail_id`;
}
