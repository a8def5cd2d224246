import type { Queryable } from "../../db/pool.ts";
import type { Reads } from "../../db/shared-reads.ts";
import { sql } from "../../db/sql.ts";
import { type Finding, isAboutRights, isRecord } from "./finding.ts";
import type { FindingKind } from "./fiscal-finding.ts";

/** A finding as people see it. */
export interface OpenFinding {
  id: string;
  kind: FindingKind | "upload" | "unauthorized";
  gravity: "error" | "warning";
  message: string;
  next_step: string;
  sale_id: string | null;
  invoice_id: string | null;
  found_at: Date;
  /** Whether a person may say that it was dealt with; others go by themselves. */
  can_close: boolean;
}

const mostUploads = 100;
/** Its figures are in every report until somebody looks. */
const gravest: FindingKind = "huge_total";
/** As it stands in the JSON of a flag. */
const isWrongClock = '%"kind":"wrong_clock"%';

interface Wanted {
  saleId?: string | null;
  /** Of sales and documents of these sedes; null for all, with what is of no sale. */
  locationIds?: readonly string[] | null;
  limit?: number;
}

/** What is open, the gravest and newest first; of one sale, of some sedes, or of the whole business. */
export async function readFindings(
  db: Reads,
  accountId: string,
  { saleId = null, locationIds = null, limit = 100 }: Wanted = {},
): Promise<OpenFinding[]> {
  const [found, uploads] = await Promise.all([
    db.query<Omit<OpenFinding, "can_close">>(sql`
      select id, kind, gravity, message, next_step, sale_id, invoice_id, found_at from fiscal_findings f
      where account_id = ${accountId} and closed_at is null and (${saleId}::uuid is null or sale_id = ${saleId})
        and (${locationIds}::uuid[] is null or exists (
          select from sales s where s.account_id = ${accountId} and s.id = f.sale_id
            and coalesce(s.location_id, s.account_id) = any(${locationIds}::uuid[])) or exists (
          select from invoices i where i.account_id = ${accountId} and i.id = f.invoice_id
            and coalesce(i.location_id, i.account_id) = any(${locationIds}::uuid[])))
      order by kind <> ${gravest}, gravity, found_at desc, id limit ${limit}`),
    readUploads(db, accountId, { saleId, locationIds, limit: Math.min(limit, mostUploads) }),
  ]);
  return [...found.rows.map((row) => ({ ...row, can_close: true })), ...uploads].slice(0, limit);
}

/** Sales and documents that a register uploaded and that do not add up. */
async function readUploads(
  db: Reads,
  accountId: string,
  { saleId, locationIds, limit }: Required<Wanted>,
): Promise<OpenFinding[]> {
  const { rows } = await db.query<{ record_id: string; type: string; found_at: Date; findings: string }>(sql`
    select record_id, type, found_at, findings from flagged_records f
    where account_id = ${accountId} and type in ('sale', 'invoice')
      and (${locationIds}::uuid[] is null or exists (
        select from sales s where s.account_id = ${accountId} and s.id = f.record_id
          and coalesce(s.location_id, s.account_id) = any(${locationIds}::uuid[])) or exists (
        select from invoices i where i.account_id = ${accountId} and i.id = f.record_id
          and coalesce(i.location_id, i.account_id) = any(${locationIds}::uuid[])))
      and (${saleId}::uuid is null or (record_id = ${saleId} and type = 'sale'))
      -- A register whose clock is wrong flags all that it uploads, and is told once.
      and (${saleId}::uuid is not null or json_array_length(findings) > 1 or findings::text not like ${isWrongClock})
    order by found_at desc, record_id limit ${limit}`);
  return rows.flatMap(({ record_id, type, found_at, findings }) => {
    const parsed: unknown = JSON.parse(findings);
    const all = (Array.isArray(parsed) ? (parsed as Finding[]) : []).filter(isRecord);
    const about = {
      id: record_id,
      gravity: "warning" as const,
      sale_id: type === "sale" ? record_id : null,
      invoice_id: type === "invoice" ? record_id : null,
      found_at,
      can_close: false,
    };
    const unallowed = all.filter(isAboutRights);
    // What has a kind is told by a finding of its own.
    const odd = all.filter((one) => !isAboutRights(one) && one.kind === undefined);
    const isPlain = all.every(({ kind }) => kind === undefined);
    const clock = saleId === null ? undefined : all.find(({ kind }) => kind === "wrong_clock");
    return [
      ...(clock ? [{ ...about, ...clockWords(clock) }] : []),
      ...(odd.length > 0 || (unallowed.length === 0 && isPlain) ? [{ ...about, ...oddWords(type, odd) }] : []),
      ...(unallowed.length > 0 ? [{ ...about, ...unallowedWords(unallowed) }] : []),
    ];
  });
}

type Words = Pick<OpenFinding, "kind" | "message" | "next_step">;

function oddWords(type: string, findings: readonly Finding[]): Words {
  const more = findings.length > 1 ? ` Y ${findings.length - 1} más.` : "";
  return {
    kind: "upload",
    message: `${type === "sale" ? "Una venta" : "Un documento"} de la caja no cuadra: ${findings[0]?.message ?? "sin detalle."}${more}`,
    next_step: "Corrija en la caja lo que no cuadra y súbalo de nuevo. El aviso se va solo.",
  };
}

function clockWords({ message }: Finding): Words {
  return { kind: "upload", message, next_step: "Ponga en hora ese equipo: lo que vende cuenta en el día que dice." };
}

function unallowedWords(findings: readonly Finding[]): Words {
  return {
    kind: "unauthorized",
    message: findings.map(({ message }) => message).join(" "),
    next_step: "Pregunte qué pasó. Si a esa persona le falta un permiso que debe tener, déselo en Ajustes → Mostrador.",
  };
}

/** How many are open in all accounts, by kind. */
export async function countFindings(db: Queryable): Promise<{ kind: FindingKind; count: number }[]> {
  const { rows } = await db.query<{ kind: FindingKind; count: number }>(sql`
    select kind, count(*) as count from fiscal_findings where closed_at is null group by kind order by kind`);
  return rows;
}
