import type { Pool } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";
import { type Clock, second } from "../../../lib/clock.ts";
import { parseNit } from "../../../taxes/nit.ts";
import type { Authority, AuthorityResponse, Submission } from "../authority.ts";

/** How long it takes to decide, as seen by polling. */
const decidesAfterMs = 2 * second;

/**
 * An authority for trying every case: its verdict depends on the last two digits of the document's total. What it
 * received is kept in the database, so that it responds the same after a restart.
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
      return waitedMs < decidesAfterMs && endingOf(submission) !== 19 ? inProcess : verdictOn(submission);
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

function verdictOn(submission: Submission): AuthorityResponse {
  if (endingOf(submission) === 13) {
    const message = "Regla: FAD06, Rechazo: Valor del CUFE no está calculado correctamente.";
    return { kind: "rejected", code: "99", message };
  }
  return { kind: "accepted", code: "00", message: "Procesado Correctamente." };
}

interface KnownDocument {
  calls: number;
  received_at: Date | null;
  /** Another document of the business has this number. */
  is_number_taken: boolean;
}

async function recordCall(
  pool: Pool,
  { accountId, document }: Submission,
  call: "send" | "query",
): Promise<KnownDocument> {
  const number = `${document.prefix}${document.number}`;
  const sends = call === "send" ? 1 : 0;
  const { rows } = await pool.query<KnownDocument>(sql`
    insert into simulated_authority as s (account_id, cufe, number, calls, sends)
    values (${accountId}, ${document.cufe}, ${number}, 1, ${sends})
    on conflict (account_id, cufe) do update set calls = s.calls + 1, sends = s.sends + ${sends}
    returning calls, received_at, exists (
      select from simulated_authority o where o.account_id = s.account_id and o.number = s.number
        and o.cufe <> s.cufe and o.received_at is not null) as is_number_taken`);
  return rows[0]!;
}
