import type { Queryable } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";
import type { Reads } from "../../db/shared-reads.ts";
import { prepared } from "../../db/sql.ts";
import { hour } from "../../lib/clock.ts";
import { recordNotices } from "../../notices/record-notices.ts";
import { bogotaDate, bogotaTime } from "../../taxes/bogota-time.ts";
import { dayText } from "../../taxes/words.ts";

/** How long the authority may be away when the business has not said. */
export const usualContingencyHours = 24;
/** The authority wants what was issued meanwhile within two days of its return. */
const transmitWithinHours = 48;

/** The authority has not answered for this business since an instant. Documents are numbered all the same, and wait. */
export interface Contingency {
  since: Date;
  /** Documents that wait, tried or not. */
  waiting: number;
  allowed_hours: number;
  /** Longer than the business allows. */
  is_contingency: boolean;
  /** What a ticket says of a document that waits; null before the allowed time is over. */
  ticket_text: string | null;
  transmit_within_hours: number;
}

/** Null while the authority answers, or nothing waits for it. */
export async function readContingency(db: Reads, accountId: string, now: Date): Promise<Contingency | null> {
  const { rows } = await db.query<{ since: Date | null; waiting: number; hours: number | null }>(
    prepared(
      `select min(coalesce(d.sent_at, d.created_at)) filter (where d.failures > 0) as since, count(*) as waiting,
         (select (p.settings->>'max_contingency_hours')::int from fiscal_profiles p where p.account_id = $1) as hours
       from fiscal_documents d where d.account_id = $1 and d.due_at is not null`,
      [accountId],
    ),
  );
  const { since, waiting, hours } = oneRow(rows);
  if (since === null) return null;
  const allowed = hours ?? usualContingencyHours;
  const isContingency = now.getTime() - since.getTime() > allowed * hour;
  return {
    since,
    waiting,
    allowed_hours: allowed,
    is_contingency: isContingency,
    ticket_text: isContingency ? ticketText(since) : null,
    transmit_within_hours: transmitWithinHours,
  };
}

function ticketText(since: Date): string {
  return `Emitido en contingencia: la DIAN no responde desde el ${shownInstant(since)}. Se transmitirá cuando vuelva.`;
}

function shownInstant(at: Date): string {
  return `${dayText(bogotaDate(at))} a las ${bogotaTime(at).slice(0, 5)}`;
}

/** Notifies the owner once the authority has been away for longer than the business allows, once a day. */
export async function tellContingency(db: Queryable, accountId: string, now: Date): Promise<void> {
  const contingency = await readContingency(db, accountId, now);
  if (!contingency?.is_contingency) return;
  const { since, waiting } = contingency;
  const message = `La DIAN no responde desde el ${shownInstant(since)}. ${waiting} ${waiting === 1 ? "documento espera" : "documentos esperan"} con su número y se ${waiting === 1 ? "enviará solo" : "enviarán solos"}.`;
  await db.query(
    recordNotices(accountId, now, bogotaDate(now), [{ kind: "authority_away", subject: "away", message }]),
  );
}
