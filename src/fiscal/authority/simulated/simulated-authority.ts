import type { Pool } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";
import { type Clock, second } from "../../../lib/clock.ts";
import { parseNit } from "../../../taxes/nit.ts";
import type { Authority, AuthorityResponse, Submission } from "../authority.ts";

/** How long it takes to decide, as seen by polling. */
const decidesAfterMs = 2 * second;

/**
 * An authority for trying every case: its verdict depends on the last two digits of the document's total. What it
 * received is kept in the database, so that it responds the same after a restart. A rejected document did not use its
 * number: it is accepted when it comes again, corrected, with the same one.
 */
export function simulatedAuthority({ pool, clock }: { pool: Pool; clock: Clock }): Authority {
  return {
    async send(submission) {
      const known = await recordCall(pool, submission, "send");
      const early = beforeReceiving(submission, known.calls);
      if (early) return early;
      if (known.received_at !== null || known.is_number_taken) return processedBefore;
      await pool.query(sql`
        update simulated_authority set received_at = ${clock.now()}
        where account_id = ${submission.accountId} and cufe = ${submission.document.cufe}`);
      return endingOf(submission) === 19 ? processedBefore : inProcess;
    },
    async query(submission) {
      const known = await recordCall(pool, submission, "query");
      const early = beforeReceiving(submission, known.calls);
      if (early && early.kind === "unavailable") return early;
      if (known.received_at === null)
        return { kind: "unknown", message: "TrackId no existe en los registros de la DIAN." };
      const waitedMs = clock.now().getTime() - known.received_at.getTime();
      if (waitedMs < decidesAfterMs && endingOf(submission) !== 19) return inProcess;
      const verdict = known.verdict ?? verdictOn(submission, known);
      await pool.query(sql`
        update simulated_authority set verdict = ${verdict}
        where account_id = ${submission.accountId} and cufe = ${submission.document.cufe}`);
      return verdict === "rejected" ? rejected : accepted;
    },
  };
}

const inProcess: AuthorityResponse = { kind: "processing", message: "Batch en proceso de validación." };
const processedBefore: AuthorityResponse = {
  kind: "duplicate",
  message: "Regla: 90, Rechazo: Documento procesado anteriormente.",
};

function endingOf({ document }: Submission): number {
  return document.total % 100;
}

/** Faults that happen before the document is received. */
function beforeReceiving(submission: Submission, calls: number): AuthorityResponse | undefined {
  const ending = endingOf(submission);
  if (ending === 17 && calls <= 2)
    return { kind: "unavailable", message: "En este momento el servicio de la DIAN no está disponible." };
  if (ending === 23) {
    const reading = parseNit(submission.document.issuer_nit);
    const nit = reading.kind === "unreadable" ? submission.document.issuer_nit : reading.number;
    const message = `NIT ${nit} no autorizado a enviar documentos para emisor con NIT ${nit}.`;
    return { kind: "misconfigured", code: "89", message };
  }
  return undefined;
}

type Decision = "accepted" | "rejected";

function verdictOn(submission: Submission, { was_rejected }: KnownDocument): Decision {
  return endingOf(submission) === 13 && !was_rejected ? "rejected" : "accepted";
}

const accepted: AuthorityResponse = { kind: "accepted", code: "00", message: "Procesado Correctamente." };
const rejected: AuthorityResponse = {
  kind: "rejected",
  code: "99",
  message: "Regla: FAD06, Rechazo: Valor del CUFE no está calculado correctamente.",
};

interface KnownDocument {
  calls: number;
  received_at: Date | null;
  verdict: Decision | null;
  /** Another document of the business has this number, and was not rejected. */
  is_number_taken: boolean;
  /** An earlier version of it, with the same number, was rejected. */
  was_rejected: boolean;
}

async function recordCall(
  pool: Pool,
  { accountId, document }: Submission,
  call: "send" | "query",
): Promise<KnownDocument> {
  const number = `${document.prefix}${document.number}`;
  const sends = call === "send" ? 1 : 0;
  const { rows: called } = await pool.query<Omit<KnownDocument, keyof SameNumber>>(sql`
    insert into simulated_authority as s (account_id, cufe, number, calls, sends)
    values (${accountId}, ${document.cufe}, ${number}, 1, ${sends})
    on conflict (account_id, cufe) do update set calls = s.calls + 1, sends = s.sends + ${sends}
    returning calls, received_at, verdict`);
  const { rows: others } = await pool.query<SameNumber>(sql`
    select coalesce(bool_or(received_at is not null and verdict is distinct from 'rejected'), false) as is_number_taken,
      coalesce(bool_or(verdict = 'rejected'), false) as was_rejected
    from simulated_authority where account_id = ${accountId} and number = ${number} and cufe <> ${document.cufe}`);
  return { ...called[0]!, ...others[0]! };
}

/** What is known of the business's other documents with this number. */
type SameNumber = Pick<KnownDocument, "is_number_taken" | "was_rejected">;
