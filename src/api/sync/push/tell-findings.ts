import { sql } from "../../../db/sql.ts";
import type { Finding, ToldKind } from "../../../fiscal/findings/finding.ts";
import {
  closeFindings,
  type FiscalFinding,
  type Matter,
  openFindings,
} from "../../../fiscal/findings/fiscal-finding.ts";
import { must } from "../../../lib/must.ts";
import { grouped } from "../../../taxes/words.ts";
import { dayOf } from "./check-clock.ts";
import type { RecordRef } from "./flags.ts";
import type { WorkingSet } from "./working-set.ts";

const saleKinds = ["huge_total", "foreign_shift"] as const satisfies readonly ToldKind[];
const records: Partial<Record<RecordRef["type"], string>> = {
  sale: "una venta",
  return: "una devolución",
  cash_session: "un turno",
  counter_act: "un acto de caja",
};

/**
 * Opens a finding for what no honest register uploads, so that a person looks at it and says what it was. A sale's closes by itself once
 * it is corrected or cancelled; a register has one for its clock, however much it uploads.
 */
export async function tellFindings(batch: WorkingSet): Promise<void> {
  const found: FiscalFinding[] = [];
  const settled: Matter[] = [];
  const clocks: { record: RecordRef; instant: string }[] = [];
  for (const { record, before, after } of batch.flags.changes()) {
    if (record.type === "sale")
      for (const kind of saleKinds) {
        if (isTold(batch, record, after, kind)) found.push(aboutSale(batch, record.id, kind));
        else if (has(before, kind)) settled.push({ kind, subject: record.id });
      }
    const wrong = after.find(({ kind }) => kind === "wrong_clock");
    if (wrong && record.deviceId === undefined) clocks.push({ record, instant: String(wrong.got) });
  }
  const last = clocks.findLast(({ record }) => record.type === "sale") ?? clocks.at(-1);
  if (last) found.push(await aboutClock(batch, last));
  await openFindings(batch.write, found);
  await closeFindings(batch.write, settled, "La venta se corrigió o se anuló.");
}

const has = (findings: readonly Finding[], wanted: ToldKind) => findings.some(({ kind }) => kind === wanted);

function isTold({ recordSets }: WorkingSet, { id }: RecordRef, findings: readonly Finding[], kind: ToldKind): boolean {
  return has(findings, kind) && recordSets.sales.get(id)?.body.status !== "cancelled";
}

const whoMadeIt = "Averigüe quién la hizo. Si nadie la reconoce, retire esa caja en Ajustes → Cajas";

function aboutSale({ recordSets }: WorkingSet, saleId: string, kind: (typeof saleKinds)[number]): FiscalFinding {
  const total = must(recordSets.sales.get(saleId), "A finding is about a sale of this push").body.total;
  const about = { kind, subject: saleId, saleId, invoiceId: null };
  if (kind === "huge_total")
    return {
      ...about,
      gravity: "error",
      message: `Una venta por $${grouped(total)}: revísela.`,
      nextStep: `Cuenta en todas las cifras hasta que se anule. ${whoMadeIt} y anúlela.`,
    };
  return {
    ...about,
    gravity: "warning",
    message: "Una venta dice que es del turno de otra caja: cuenta en su día, y en ningún turno.",
    nextStep: `${whoMadeIt}.`,
  };
}

async function aboutClock(
  { write, deviceId }: WorkingSet,
  { record, instant }: { record: RecordRef; instant: string },
): Promise<FiscalFinding> {
  const { rows } = await write.client.query<{ name: string }>(
    sql`select name from devices where account_id = ${write.accountId} and id = ${deviceId}`,
  );
  const register = rows[0]?.name ? `La caja «${rows[0].name}»` : "Una caja";
  return {
    kind: "wrong_clock",
    subject: deviceId,
    gravity: "warning",
    saleId: record.type === "sale" ? record.id : null,
    invoiceId: null,
    message: `${register} tiene mal la hora: subió ${records[record.type] ?? "un registro"} con fecha ${dayOf(instant)}.`,
    nextStep: "Ponga en hora ese equipo: lo que vende cuenta en el día que dice su reloj.",
  };
}
