import { ofAllAccounts, type Part } from "../db/nodes.ts";
import type { Client } from "../db/pool.ts";
import { prepared, sql } from "../db/sql.ts";
import { transaction } from "../db/transaction.ts";
import type { CoreDeps } from "../engine/deps.ts";
import { hour, second } from "../lib/clock.ts";
import type { Series } from "../lib/metrics.ts";
import { runEvery } from "../lib/run-every.ts";
import { ownerOf, readAlertChoices } from "../notices/alert-choices.ts";
import { alertOf } from "../notices/alert-kinds.ts";
import { type NoticeKind, noticeKinds } from "../notices/record-notices.ts";
import { noticeMailKind, noticesMail } from "./notices-mail.ts";
import { queueMail } from "./queue-mail.ts";

/** How late the first notice may be mailed; those within the next hour are gathered into one mail. */
const lookEveryMs = 10 * second;
const gatherMs = hour;
const mostAccounts = 100;
/** Beyond this, the mail says only how many more there are. */
const mostListed = 20;

/** Queues mails for the notices not mailed yet; returns how many. Any number of processes may try. */
export async function mailNotices(deps: CoreDeps): Promise<number> {
  const now = deps.clock.now();
  const rows = await ofAllAccounts(deps.pool, async (part) => {
    const values = [noticeMailKind, new Date(now.getTime() - gatherMs), mostAccounts, ...part.values];
    return (await deps.pool.query<{ account_id: string }>(prepared(unmailedText(part), values))).rows;
  });
  if (rows.length === 0) return 0;
  await deps.partitions.ensure(now);
  let written = 0;
  for (const { account_id } of rows) {
    const kinds = await mailOwner(deps, account_id, now);
    if (kinds.length > 0) written += 1;
    for (const kind of kinds) counterOf(deps, kind).value += 1;
  }
  if (written > 0) deps.mail?.emit();
  return written >= mostAccounts ? written + (await mailNotices(deps)) : written;
}

const unmailedText = (part: Part) => `
  select distinct n.account_id from notices n
  where n.mailed_at is null and ${part.of("n.account_id", 4)} and not exists (
    select from mails m where m.account_id = n.account_id and m.kind = $1 and m.created_at > $2)
  limit $3`;

/** The mark and the mail commit together: a crash leaves both or neither, and another process finds nothing left. */
async function mailOwner(deps: CoreDeps, accountId: string, now: Date): Promise<NoticeKind[]> {
  return transaction(deps.pool, async (client) => {
    // A sale being written may lock a row: it goes into the next mail, so that the sale need not wait.
    const { rows } = await client.query<{ kind: NoticeKind; message: string; times: number; created_at: Date }>(sql`
      update notices n set mailed_at = ${now}
      from (
        select kind, subject, on_day from notices
        where account_id = ${accountId} and mailed_at is null
        order by created_at, kind, subject for update skip locked
      ) due
      where n.account_id = ${accountId} and n.kind = due.kind and n.subject = due.subject and n.on_day = due.on_day
      returning n.kind, n.message, n.times, n.created_at`);
    if (rows.length === 0) return [];
    const notices = (await wantedOf(client, accountId, rows)).toSorted(
      (a, b) => a.created_at.getTime() - b.created_at.getTime(),
    );
    if (notices.length === 0) return [];
    const mail = noticesMail(
      deps.config.publicUrl,
      notices.slice(0, mostListed),
      Math.max(0, notices.length - mostListed),
    );
    await queueMail(client, accountId, now, mail);
    return notices.map(({ kind }) => kind);
  });
}

/** Without those of alerts that nobody wants: they are marked as told, and stand in the portal. */
async function wantedOf<T extends { kind: NoticeKind }>(
  client: Client,
  accountId: string,
  notices: readonly T[],
): Promise<T[]> {
  const choices = await readAlertChoices(client, accountId, ownerOf(accountId));
  const off = new Set(choices.filter(({ active }) => !active).map(({ kind }) => kind));
  return notices.filter(({ kind }) => {
    const alert = alertOf(kind);
    return alert === undefined || !off.has(alert);
  });
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
