import { insteadOf } from "../access/people/advice.ts";
import { type AlertPerson, peopleToAlert } from "../access/people/alert-people.ts";
import { calledBy, ownersOf } from "../access/people/membership.ts";
import { mayDo } from "../access/people/needed-right.ts";
import { ofAllAccounts, type Part } from "../db/nodes.ts";
import { prepared, sql } from "../db/sql.ts";
import { transaction } from "../db/transaction.ts";
import type { CoreDeps } from "../engine/deps.ts";
import { day, hour, minute, second } from "../lib/clock.ts";
import type { Series } from "../lib/metrics.ts";
import { runEvery } from "../lib/run-every.ts";
import { noticeMailKind, noticesMail } from "../mail/notices-mail.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { alertKind, alertOf } from "../notices/alert-kinds.ts";
import { type NoticeKind, noticeKinds } from "../notices/record-notices.ts";
import { neededFor } from "./needed-for-notices.ts";

/** How late the first notice may be mailed; those within the next hour are gathered into one mail. */
const lookEveryMs = 10 * second;
const gatherMs = hour;
const gatherUrgentMs = 10 * minute;
const urgentKinds = noticeKinds.filter((kind) => {
  const alert = alertOf(kind);
  return alert !== undefined && alertKind(alert).isUrgent;
});
const mostAccounts = 100;
const bogotaOffsetMs = 5 * hour;
/** Beyond this, the mail says only how many more there are. */
const mostListed = 20;

/**
 * Queues mails for the notices not mailed yet; returns for how many businesses. Any number of processes may try. One of a kind that this
 * process has no words for is left to those that have.
 */
export async function mailNotices(deps: CoreDeps): Promise<number> {
  const now = deps.clock.now();
  const rows = await ofAllAccounts(deps.pool, async (part) => {
    const before = (ms: number) => new Date(now.getTime() - ms);
    const values = [
      noticeMailKind,
      before(gatherMs),
      mostAccounts,
      urgentKinds,
      before(gatherUrgentMs),
      noticeKinds,
      ...part.values,
    ];
    return (await deps.pool.query<{ account_id: string }>(prepared(unmailedText(part), values))).rows;
  });
  if (rows.length === 0) return 0;
  await deps.partitions.ensure(now);
  let written = 0;
  for (const { account_id } of rows) {
    const kinds = await mailPeople(deps, account_id, now);
    if (kinds.length > 0) written += 1;
    for (const kind of kinds) counterOf(deps, kind).value += 1;
  }
  if (written > 0) deps.mail?.emit();
  return written >= mostAccounts ? written + (await mailNotices(deps)) : written;
}

const unmailedText = (part: Part) => `
  select distinct n.account_id from notices n
  where n.mailed_at is null and n.kind = any($6::text[]) and ${part.of("n.account_id", 7)} and not exists (
    select from mails m where m.account_id = n.account_id and m.kind = $1
      and m.created_at > case when n.kind = any($4::text[]) then $5::timestamptz else $2::timestamptz end)
  limit $3`;

interface Due {
  kind: NoticeKind;
  message: string;
  times: number;
  location_id: string | null;
  amount: number | null;
  created_at: Date;
}

/** The mark and the mails commit together: a crash leaves both or neither, and another process finds nothing left. */
async function mailPeople(deps: CoreDeps, accountId: string, now: Date): Promise<NoticeKind[]> {
  return transaction(deps.pool, async (client) => {
    // A sale being written may lock a row: it goes into the next mail, so that the sale need not wait.
    const { rows } = await client.query<Due>(sql`
      update notices n set mailed_at = ${now}
      from (
        select kind, subject, on_day from notices
        where account_id = ${accountId} and mailed_at is null and kind = any(${noticeKinds}::text[])
        order by created_at, kind, subject for update skip locked
      ) due
      where n.account_id = ${accountId} and n.kind = due.kind and n.subject = due.subject and n.on_day = due.on_day
      returning n.kind, n.message, n.times, n.location_id, n.amount, n.created_at`);
    if (rows.length === 0) return [];
    const due = rows.toSorted((a, b) => a.created_at.getTime() - b.created_at.getTime());
    const mailed = new Set<NoticeKind>();
    const ask = (await ownersOf(client, accountId)).map(calledBy);
    for (const person of await peopleToAlert(client, accountId)) {
      const notices = due.filter((notice) => isFor(person, notice));
      if (notices.length === 0) continue;
      for (const { kind } of notices) mailed.add(kind);
      const unlisted = Math.max(0, notices.length - mostListed);
      const who = { rights: person.rights, ask };
      const mail = noticesMail(deps.config.publicUrl, notices.slice(0, mostListed), {
        notListed: unlisted,
        insteadOf: (kind) => insteadOf(who, neededFor[kind].step),
        mayOpen: (kind) => mayDo(person.rights, neededFor[kind].page),
      });
      await queueMail(client, accountId, now, mail, person.email);
    }
    return due.flatMap(({ kind }) => (mailed.has(kind) ? [kind] : []));
  });
}

/**
 * What is no alert is told to every owner, whatever they chose. What nobody wants is marked as told, and stands in the portal.
 */
function isFor({ isOwner, locationIds, choices }: AlertPerson, notice: Due): boolean {
  const alert = alertOf(notice.kind);
  if (alert === undefined) return isOwner;
  const choice = choices.find(({ kind }) => kind === alert);
  if (!choice?.active) return false;
  if (locationIds !== null && (notice.location_id === null || !locationIds.includes(notice.location_id))) return false;
  if (notice.amount !== null && notice.amount < (choice.amount ?? 0)) return false;
  const { from_hour, to_hour } = choice;
  return from_hour === null || to_hour === null || isBetween(notice.created_at, from_hour, to_hour);
}

function isBetween(at: Date, fromHour: number, toHour: number): boolean {
  const sinceMidnight = (at.getTime() - bogotaOffsetMs) % day;
  return sinceMidnight >= fromHour * hour && sinceMidnight <= toHour * hour;
}

/** An operator sees by these what many owners are being told, without reading anybody's notices. */
function counterOf({ metrics }: CoreDeps, kind: NoticeKind): Series {
  const help = "Notices mailed to owners, by kind.";
  return metrics?.counter("mostrador_notices_total", help, { kind }) ?? { value: 0 };
}

export function startNoticeMails(deps: CoreDeps): { stop: () => Promise<void> } {
  // All series exist from the start: one that appears with its first notice has no rate to alert on.
  for (const kind of noticeKinds) counterOf(deps, kind);
  return runEvery(
    deps.clock,
    lookEveryMs,
    () => mailNotices(deps),
    (error) => deps.log.warn({ err: error }, "notices not mailed; looking again shortly"),
  );
}
