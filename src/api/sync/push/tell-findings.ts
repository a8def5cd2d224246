import { sql } from "../../../db/sql.ts";
import type { Finding, ToldKind } from "../../../fiscal/findings/finding.ts";
import {
  closeFindings,
  type FiscalFinding,
  type Matter,
  openFindings,
} from "../../../fiscal/findings/fiscal-finding.ts";
import { day } from "../../../lib/clock.ts";
import { must } from "../../../lib/must.ts";
import { grouped } from "../../../taxes/words.ts";
import { stopsTelling } from "./capabilities.ts";
import { dayOf } from "./check-clock.ts";
import type { RecordRef } from "./flags.ts";
import { lateSales } from "./late-sales.ts";
import { oddKinds } from "./odd-sales.ts";
import { reductionFindings } from "./taken-back.ts";
import type { WorkingSet } from "./working-set.ts";

const saleKinds = ["huge_total", "foreign_shift", ...oddKinds] as const satisfies readonly ToldKind[];
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
  const found: FiscalFinding[] = [...reductionFindings(batch), ...batch.told];
  const settled: Matter[] = [];
  const clocks: { record: RecordRef; instant: string }[] = [];
  for (const { record, before, after } of batch.flags.changes()) {
    if (record.type === "sale")
      for (const kind of saleKinds) {
        if (isTold(batch, record, after, kind)) found.push(aboutSale(batch, record.id, kind, after));
        else if (has(before, kind)) settled.push({ kind, subject: record.id });
      }
    const wrong = after.find(({ kind }) => kind === "wrong_clock");
    if (wrong && record.deviceId === undefined) clocks.push({ record, instant: String(wrong.got) });
  }
  const last = clocks.findLast(({ record }) => record.type === "sale") ?? clocks.at(-1);
  const clock = last ? uploadedOn(last) : Math.abs(batch.skewMs) > day ? saysToday(batch) : undefined;
  if (clock) found.push(aboutClock(called(await registerName(batch)), batch, clock));
  if (stopsTelling(batch)) found.push(aboutTelling(called(await registerName(batch)), batch));
  found.push(...(await lateSales(batch, async () => called(await registerName(batch)))));
  await openFindings(batch.write, found);
  await closeFindings(batch.write, settled, "La venta se corrigió o se anuló.");
}

const has = (findings: readonly Finding[], wanted: ToldKind) => findings.some(({ kind }) => kind === wanted);

function isTold({ recordSets }: WorkingSet, { id }: RecordRef, findings: readonly Finding[], kind: ToldKind): boolean {
  return has(findings, kind) && recordSets.sales.get(id)?.body.status !== "cancelled";
}

const whoMadeIt = "Averigüe quién la hizo. Si nadie la reconoce, retire esa caja en Ajustes → Cajas";

interface SaleWords extends Pick<FiscalFinding, "nextStep"> {
  gravity?: "error";
  /** What the owner reads where the flag of the sale says it otherwise. */
  message?: (total: number) => string;
}

const saleWords: Readonly<Record<(typeof saleKinds)[number], SaleWords>> = {
  huge_total: {
    gravity: "error",
    message: (total) => `Una venta por $${grouped(total)}: revísela.`,
    nextStep: `Cuenta en todas las cifras hasta que se anule. ${whoMadeIt} y anúlela.`,
  },
  foreign_shift: {
    message: () => "Una venta dice que es del turno de otra caja: cuenta en su día, y en ningún turno.",
    nextStep: `${whoMadeIt}.`,
  },
  misnamed_line: {
    nextStep:
      "Pregunte en la caja qué se entregó y cuente ese producto: pudo salir uno caro al precio de otro, o sin pagarse.",
  },
  large_tip: {
    nextStep: "Pregunte en la caja si el valor está mal escrito, y mire en el turno quién recibió esa propina.",
  },
  nameless_credit: {
    nextStep: "Pregunte en la caja quién debe y anótelo: sin un cliente en la venta, nadie sabe a quién cobrarle.",
  },
  wrong_tax: {
    gravity: "error",
    nextStep:
      "Pregunte en la caja quién lo cambió. El documento de la venta lleva esos impuestos: si están mal, anúlela o devuélvala y véndala de nuevo, y avise a su contador.",
  },
};

function aboutSale(
  { recordSets }: WorkingSet,
  saleId: string,
  kind: (typeof saleKinds)[number],
  findings: readonly Finding[],
): FiscalFinding {
  const { total } = must(recordSets.sales.get(saleId), "A finding is about a sale of this push").body;
  const { gravity = "warning", message, nextStep } = saleWords[kind];
  const own = findings.filter((one) => one.kind === kind).map((one) => one.message);
  return {
    ...{ kind, subject: saleId, saleId, invoiceId: null, gravity, nextStep },
    message: message?.(total) ?? own.join(" "),
  };
}

const called = (name: string | undefined): string => (name ? `La caja «${name}»` : "Una caja");

export async function registerName({ write, deviceId }: WorkingSet): Promise<string | undefined> {
  const { rows } = await write.client.query<{ name: string }>(
    sql`select name from devices where account_id = ${write.accountId} and id = ${deviceId}`,
  );
  return rows[0]?.name;
}

interface WrongClock {
  /** Completes "tiene mal la hora: …". */
  words: string;
  saleId: string | null;
}

function uploadedOn({ record, instant }: { record: RecordRef; instant: string }): WrongClock {
  const words = `subió ${records[record.type] ?? "un registro"} con fecha ${dayOf(instant)}`;
  return { words, saleId: record.type === "sale" ? record.id : null };
}

/** By what it said of itself with its push, whatever its records say. */
function saysToday({ write, skewMs }: WorkingSet): WrongClock {
  const said = new Date(write.at.getTime() - skewMs).toISOString();
  return { words: `el ${dayOf(write.at.toISOString())} decía que era el ${dayOf(said)}`, saleId: null };
}

function aboutClock(register: string, { deviceId }: WorkingSet, { words, saleId }: WrongClock): FiscalFinding {
  return {
    kind: "wrong_clock",
    subject: deviceId,
    gravity: "warning",
    saleId,
    invoiceId: null,
    message: `${register} tiene mal la hora: ${words}.`,
    nextStep: "Ponga en hora ese equipo: lo que vende cuenta en el día que dice su reloj.",
  };
}

/** Its acts are judged as before: it is the register that is odd. */
function aboutTelling(register: string, { deviceId }: WorkingSet): FiscalFinding {
  return {
    kind: "acts_withheld",
    subject: deviceId,
    gravity: "warning",
    saleId: null,
    invoiceId: null,
    message: `${register} decía quién hace cada cosa y dejó de anunciarlo.`,
    nextStep: "Mire si se instaló una versión anterior. Si nadie lo hizo, retire esa caja en Ajustes → Cajas.",
  };
}
