import { kindOf } from "../../../business/counter/act-kinds.ts";
import { type Right, rights } from "../../../business/counter/rights.ts";
import type { Product } from "../../../business/products/schema.ts";
import { sql } from "../../../db/sql.ts";
import { type Revisions, revisionOf } from "../../../engine/resources/revisions.ts";
import { type Finding, finding, rightsField } from "../../../fiscal/findings/finding.ts";
import { printsPriceOf } from "../../../lib/scale-label.ts";
import { grouped } from "../../../taxes/words.ts";
import { linesBelow, saysPrice } from "./below-price.ts";
import { declaresOwn, namesMakers, tellsActs } from "./capabilities.ts";
import { readHeard } from "./heard.ts";
import { actOf, doerOf, movementActs, partOf, type Taken, takenIn } from "./judge-rights.ts";
import { wronglyMoved } from "./moved-for-sale.ts";
import { isFree, linesIn, openBeyond } from "./offers.ts";
import { type Fields, fieldIn, type Incoming, idIn } from "./read-record.ts";
import type { WorkingSet } from "./working-set.ts";

/** Something that such a register would have declared. */
interface Suspect {
  record: Incoming;
  taken: Taken;
  /** The change that the register must have received to know better. */
  since?: number;
  /** What is weighed may cost by a scale's label: the codes by which the label would name it, and what it would print. */
  labelled?: readonly string[];
  printed?: number;
  message: string;
}

/**
 * What was done past a register's screen with its token: an act that names nobody, or nobody who works here; a line below the
 * catalogue's price; a discount in the name of somebody who may, of a register that always says so when she did; means of payment that
 * changed. It stands and the owner sees it. Only what the register must have known counts: that there are cashiers, or the price, since it
 * was in touch before the sale and after the change.
 */
export async function flagUndeclared(batch: WorkingSet, records: readonly Incoming[]): Promise<void> {
  if (!tellsActs(batch)) return;
  const isNew = new Set(batch.events.flatMap(({ type, body }) => (type === "cash_session.closed" ? body.id : [])));
  const told = new Set(records.flatMap(({ type, data }) => (type === "counter_act" ? actKey(data) : [])));
  const amiss = await wronglyMoved(batch, records);
  const suspects = records.flatMap((record) => [
    ...anonymous(batch, record, isNew),
    ...movedByNobody(batch, record),
    ...undeclared(batch, record),
    ...movedAmiss(batch, record, amiss.get(record)),
    ...underpriced(batch, record),
    ...disguised(batch, record),
    ...(batch.paidOtherwise.has(record.id) ? repaid(record, told) : []),
  ]);
  if (suspects.length === 0) return;
  const known = await readKnown(batch, suspects);
  if (known === undefined) return;
  for (const { record, taken, message, since = 0, labelled = [], printed = 0 } of suspects) {
    if (!known.hadHeard(since, batch.times.judgedAt(record, taken))) continue;
    if (labelled.some((code) => known.labels.some((format) => printsPriceOf(format, code, printed)))) continue;
    const { cashierId } = doerOf(record, taken.right);
    const who = cashierId !== null && batch.judge.knows(cashierId) ? cashierId : null;
    if (isFlagged(record)) {
      const others = batch.flags.get(record).filter((one) => one.message !== message);
      batch.flags.set(record, [...others, problem(taken, message)]);
    }
    batch.acts.push(actOf(record, { ...taken, cashierId: who }, message, batch.write.at));
  }
}

/** Of a product and of a quote the acts alone are told: nobody looks for findings there. */
export const isFlagged = ({ type }: Incoming): boolean => !unflagged.has(type);
const unflagged: ReadonlySet<string> = new Set(["product", "product_variant", "quote"]);

/** What a record shows only beside what was stored before it. */
export const alsoTaken = ({ reduced, catalogued }: WorkingSet, { deviceSeq }: Incoming): readonly Taken[] =>
  catalogued.get(deviceSeq) ?? [reduced.get(deviceSeq)?.taken ?? []].flat();

const actKey = (data: Fields) => `${String(data.kind)} ${idIn(data, "sale_id") ?? ""}`;
const problem = ({ right, part }: Taken, message: string): Finding =>
  finding(`${rightsField}${right}`, null, part ?? null, message);

function anonymous(batch: WorkingSet, record: Incoming, isNew: ReadonlySet<string>): Suspect[] {
  const { judge, offers } = batch;
  return takenIn(record, offers)
    .concat(alsoTaken(batch, record))
    .flatMap((taken) => {
      const { right, isKnown } = taken;
      // It is looked at when it arrives, and not with each change of it.
      const isLater = right === "close_shift" && !isNew.has(record.id);
      const { cashierId } = doerOf(record, right);
      if (isKnown || isLater || (cashierId !== null && judge.knows(cashierId))) return [];
      // Others make products without a word of who did.
      if (right === "create_product" && cashierId === null && !namesMakers(batch)) return [];
      const who = cashierId === null ? "La caja no dijo quién lo hizo" : "Quien lo hizo no es del negocio";
      return [{ record, taken, message: `${who}: ${rights[right].words}.${taken.what ? ` ${taken.what}` : ""}` }];
    });
}

/**
 * What is said of whoever a record names for something that no act beside it declares; undefined where she is taken at her word: she
 * may, or nobody can say, and her register does not say each time what she did.
 */
function blameFor(batch: WorkingSet, record: Incoming, taken: Taken): string | undefined {
  const { judge } = batch;
  const cashierId = record.beside?.cashierId ?? null;
  if (cashierId === null) return "";
  const [name, { words }] = [judge.nameOf(cashierId), rights[taken.right]];
  const lacks = judge.knows(cashierId) ? judge.lacks(cashierId, record, taken) : true;
  if (lacks) return `${name} no podía ${words}. `;
  const isUnsaid = lacks === false && declaresOwn(batch);
  return isUnsaid ? `${name} puede ${words}, pero la caja no dijo que lo hizo. ` : undefined;
}

/** What a sale or a quote shows by itself, in words. Without the right, or without a name, it is told as such. */
const shown: Partial<Record<Right, (pesos: string) => string>> = {
  discount: (pesos) => `Hubo un descuento de ${pesos}.`,
  free_line: () => "Hubo una línea libre.",
  cancel: (pesos) => `Se anuló una venta de ${pesos}.`,
};

/** What somebody who may is named for, and did not do by what her register says. */
function undeclared(batch: WorkingSet, record: Incoming): Suspect[] {
  const { type, beside } = record;
  const cashierId = beside?.cashierId ?? null;
  if ((type !== "sale" && type !== "quote") || cashierId === null) return [];
  return takenIn(record, batch.offers).flatMap((taken) => {
    const what = shown[taken.right];
    const isDeclared = taken.isKnown || beside?.acts.some(({ right }) => right === taken.right);
    if (!what || isDeclared || batch.judge.lacks(cashierId, record, taken) !== false) return [];
    const who = blameFor(batch, record, taken);
    return who === undefined ? [] : [{ record, taken, message: `${who}${what(`$${grouped(taken.amount ?? 0)}`)}` }];
  });
}

/** Money that left the drawer. */
function movedByNobody({ judge }: WorkingSet, record: Incoming): Suspect[] {
  const { type, data, beside } = record;
  if (type !== "cash_session" || !beside) return [];
  const named = new Set(movementActs(data).flatMap((one) => (judge.knows(one.cashierId) ? one.part : [])));
  return fieldIn<Fields[]>(data, "movements", []).flatMap((movement) => {
    const part = String(movement.id).toLowerCase();
    if (movement.type !== "out" || named.has(part)) return [];
    const amount = movement.amount as number;
    const taken = { right: "cash" as const, at: movement.occurred_at as string, amount, part };
    return [{ record, taken, message: `La caja no dijo quién sacó $${grouped(amount)} del cajón.` }];
  });
}

/** Goods that moved for a sale which is not, or did not sell them. */
function movedAmiss({ judge }: WorkingSet, record: Incoming, what: string | undefined): Suspect[] {
  if (what === undefined) return [];
  const taken: Taken = { right: "stock", at: record.editedAt, amount: null, what };
  const { cashierId } = doerOf(record, "stock");
  if (cashierId !== null && judge.knows(cashierId) && judge.lacks(cashierId, record, taken) !== true) return [];
  const who = cashierId === null ? "" : `${judge.nameOf(cashierId)} no podía ${rights.stock.words}. `;
  return [{ record, taken, message: `${who}${what}` }];
}

/** Lines that cost less than the catalogue says, where neither a price nor a discount was declared. */
function underpriced(batch: WorkingSet, record: Incoming): Suspect[] {
  const { offers } = batch;
  const { type, data } = record;
  if ((type !== "sale" && type !== "quote") || saysPrice(record)) return [];
  const made = type === "quote" ? offers.newIn(record) : undefined;
  if (type === "quote" && !made) return [];
  const at = made ? made.at : fieldIn<string | null>(data, "occurred_at", null);
  const label = made && { label: `Cotización ${made.name}`.trim() };
  const again = offers.before(record) ? ` ${partOf(record)}` : "";
  return linesBelow(batch, record).flatMap(({ item, line, product, least, amount, offered, isPart }) => {
    const { unit_price, variant_id: variantId, quantity } = line;
    const taken = { right: "price" as const, at, amount, part: `${idIn(item, "id") ?? ""}${again}`, ...label };
    const who = blameFor(batch, record, taken);
    if (who === undefined) return [];
    const quoted = offered === undefined ? "" : `, en la cotización se ofreció a $${grouped(offered)}`;
    const done = made ? "se cotizó" : "se vendió";
    const what = isPart
      ? `en ${String(quantity).replace(".", ",")}, y se vende por unidades completas de $${grouped(least)}`
      : `a $${grouped(unit_price)}${quoted} y en el catálogo vale $${grouped(least)}`;
    const message = `${who}«${product.body.name}» ${done} ${what}.`;
    const since = pricedAt(product.tracking?.revisions ?? {}, variantId);
    const byLabel = product.body.sold_by_weight && unit_price >= least / mostOffByLabel;
    const printed = Math.round(unit_price * quantity);
    return [{ record, taken, message, since, labelled: byLabel ? codesOf(product.body) : [], printed }];
  });
}

/** A scale whose prices are older than the catalogue's is not that far off. */
const mostOffByLabel = 2;

/** A line of no product of the shop is a free one, whatever it is called. */
function disguised(batch: WorkingSet, record: Incoming): Suspect[] {
  const { recordSets, offers } = batch;
  const { type, data, beside } = record;
  if ((type !== "sale" && type !== "quote") || beside?.acts.some((one) => one.right === "free_line")) return [];
  const made = type === "quote" ? offers.newIn(record) : undefined;
  if (type === "quote" && !made) return [];
  const before = offers.before(record);
  const [beyond, news] = [openBeyond(made ? undefined : offers.of(record)), openBeyond(before)];
  const lines = linesIn(data).filter((line) => !isFree(line) && !recordSets.products.get(line.product_id ?? ""));
  const sum = lines.reduce((all, line) => all + Math.round(line.unit_price * Math.min(beyond(line), news(line))), 0);
  if (!lines.some((line) => line.quantity > 0) || sum <= 0) return [];
  const at = made ? made.at : fieldIn<string | null>(data, "occurred_at", null);
  const label = made && { label: `Cotización ${made.name}`.trim() };
  const taken = {
    right: "free_line" as const,
    at,
    amount: sum,
    part: before ? `product ${partOf(record)}` : "product",
    ...label,
  };
  const who = blameFor(batch, record, taken);
  if (who === undefined) return [];
  const names = lines
    .map(({ description }) => `«${description ?? "sin nombre"}»`)
    .slice(0, 3)
    .join(", ");
  return [{ record, taken, message: `${who}Por $${grouped(sum)} se cobró lo que no está en el catálogo: ${names}.` }];
}

function codesOf({ sku, variants, barcodes }: Product): string[] {
  return [{ sku }, ...(variants ?? [])]
    .flatMap((one) => one.sku ?? [])
    .concat((barcodes ?? []).map(({ code }) => code));
}

/** The last change of what it costs. */
function pricedAt(revisions: Revisions, variantId: string | null): number {
  const units = ["prices", "barcodes", ...(variantId === null ? [] : [`variants.${variantId}.prices`])];
  return Math.max(...units.map((unit) => revisionOf(revisions, unit)[0]));
}

/** The counter corrects a means as an act of its own, and says so. */
function repaid(record: Incoming, told: ReadonlySet<string>): Suspect[] {
  const { id, data, beside, editedAt } = record;
  const right = "correct_payment";
  if (told.has(`${kindOf(right)} ${id}`) || beside?.acts.some((one) => one.right === right)) return [];
  const taken = { right, at: editedAt, amount: fieldIn(data, "total", null) } as const;
  return [{ record, taken, message: "Los medios de pago de la venta cambiaron y la caja no dijo quién los corrigió." }];
}

/** Whether the business has cashiers, and what the register had heard of since then; nothing without cashiers. */
async function readKnown(batch: WorkingSet, suspects: readonly Suspect[]) {
  const { write, deviceId } = batch;
  const times = suspects.map(({ record, taken }) => batch.times.judgedAt(record, taken));
  const changes = suspects.map(({ since = 0 }) => since);
  const [business, hadHeard] = await Promise.all([
    write.client.query<{ since: Date | null; labels: string[] | null }>(sql`
      select (select min(created_at) from cashiers where account_id = ${write.accountId} and deleted_at is null) as since,
        (select scale_labels from counter_settings where account_id = ${write.accountId}) as labels`),
    readHeard(write, deviceId, changes, times),
  ]);
  const [row] = business.rows;
  return row?.since ? { labels: row.labels ?? [], hadHeard } : undefined;
}
