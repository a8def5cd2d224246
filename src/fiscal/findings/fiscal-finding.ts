import type { Queryable } from "../../db/pool.ts";
import { prepared } from "../../db/sql.ts";
import { uuidv7 } from "../../lib/ids.ts";
import { isNoticeKind, recordNotices } from "../../notices/record-notices.ts";
import { bogotaDate } from "../../taxes/bogota-time.ts";
import { toldKinds } from "./finding.ts";

/** What can disagree between a business's sales and its documents, and what registers upload that cannot be true. */
export const findingKinds = [
  "sale_changed",
  "two_documents",
  "number_taken",
  "sale_without_lines",
  "acts_withheld",
  "drawer_short",
  "late_sales",
  ...toldKinds,
] as const;
export type FindingKind = (typeof findingKinds)[number];

/** For a count of them. */
export const findingWords: Record<FindingKind, string> = {
  sale_changed: "ventas que ya no dicen lo mismo que su documento",
  two_documents: "ventas con dos documentos vigentes",
  number_taken: "documentos de cajas con números de los rangos del servidor",
  sale_without_lines: "ventas completadas sin líneas",
  acts_withheld: "cajas que dejaron de decir quién hace cada cosa",
  sale_reduced: "ventas cobradas que quedaron en menos o sin cobrar",
  shift_rewritten: "turnos que su caja volvió a subir con otras cifras",
  closed_shift: "ventas que entraron en un turno cerrado",
  left_shift: "ventas cobradas en un turno que su caja dejó fuera de él",
  misnamed_line: "ventas con una línea que dice el nombre de otro producto",
  large_tip: "ventas con una propina mayor que lo vendido",
  nameless_credit: "ventas fiadas que no dicen a quién",
  wrong_tax: "ventas con una línea que se cobró con otros impuestos que los de su producto",
  late_sales: "cajas que subieron ventas de días que ya habían terminado",
  drawer_short: "turnos cerrados con menos efectivo del que tienen sus ventas",
  huge_total: "ventas por más de lo que se puede guardar",
  foreign_shift: "ventas que nombran el turno de otra caja",
  wrong_clock: "cajas con mal la hora",
};

/** Something about a sale or a document that a person should settle. The records stay as they are. */
export interface FiscalFinding {
  kind: FindingKind;
  /** What it is about: found again while it is open, it is the same finding. */
  subject: string;
  gravity: "error" | "warning";
  saleId: string | null;
  invoiceId: string | null;
  /** Spanish. */
  message: string;
  nextStep: string;
}

/** A finding that no longer holds, or never did. */
export type Matter = Pick<FiscalFinding, "kind" | "subject">;

interface Writing {
  client: Queryable;
  accountId: string;
  at: Date;
}

/**
 * Opens findings in the caller's transaction and notifies the owner of those that are new and mailed; the others stand in Hoy. One that a
 * person acknowledged in the same words stays closed.
 */
export async function openFindings(
  { client, accountId, at }: Writing,
  findings: readonly FiscalFinding[],
): Promise<void> {
  if (findings.length === 0) return;
  const rows = [...new Map(findings.map((one) => [`${one.kind} ${one.subject}`, one])).values()].map((one) => ({
    id: uuidv7(at),
    kind: one.kind,
    subject: one.subject,
    gravity: one.gravity,
    sale_id: one.saleId,
    invoice_id: one.invoiceId,
    message: one.message,
    next_step: one.nextStep,
  }));
  const { rows: stored } = await client.query<
    Pick<FiscalFinding, "kind" | "subject" | "message"> & { is_new: boolean }
  >(
    prepared(
      `insert into fiscal_findings (account_id, found_at, id, kind, subject, gravity, sale_id, invoice_id, message, next_step)
       select $1::uuid, $2::timestamptz, r.* from json_to_recordset($3::json)
         as r(id uuid, kind text, subject text, gravity text, sale_id uuid, invoice_id uuid, message text, next_step text)
       where not exists (
         select from fiscal_findings f where f.account_id = $1 and f.kind = r.kind and f.subject = r.subject
           and f.acknowledged and f.message = r.message)
       on conflict (account_id, kind, subject) where closed_at is null
       do update set message = excluded.message, next_step = excluded.next_step, gravity = excluded.gravity,
         sale_id = coalesce(fiscal_findings.sale_id, excluded.sale_id)
       returning kind, subject, message, xmax = 0 as is_new`,
      [accountId, at, JSON.stringify(rows)],
    ),
  );
  const news = stored.flatMap(({ kind, subject, message, is_new }) =>
    is_new && isNoticeKind(kind) ? [{ kind, subject, message }] : [],
  );
  if (news.length > 0) await client.query(recordNotices(accountId, at, bogotaDate(at), news));
}

/** Closes what has been settled. Should it come up again, it is news, whatever a person said of it before. */
export async function closeFindings(
  { client, accountId, at }: Writing,
  matters: readonly Matter[],
  because: string,
): Promise<void> {
  if (matters.length === 0) return;
  await client.query(
    prepared(
      `update fiscal_findings f set closed_at = coalesce(f.closed_at, $2), closed_because = coalesce(f.closed_because, $3),
         acknowledged = false
       from json_to_recordset($4::json) as m(kind text, subject text)
       where f.account_id = $1 and (f.closed_at is null or f.acknowledged) and f.kind = m.kind and f.subject = m.subject`,
      [accountId, at, because, JSON.stringify(matters.map(({ kind, subject }) => ({ kind, subject })))],
    ),
  );
}
