import { type ActKind, actKinds, kindOf } from "../../../business/counter/act-kinds.ts";
import type { NewAct } from "../../../business/counter/counter-acts.ts";
import { type Granted, type Right, rights, rightsOf } from "../../../business/counter/rights.ts";
import { plainArray } from "../../../db/arrays.ts";
import { type Read, reading, withoutReading } from "../../../db/read.ts";
import { sql } from "../../../db/sql.ts";
import { type Finding, finding, rightsField } from "../../../fiscal/findings/finding.ts";
import { isUuid, uuidFrom, uuidv7 } from "../../../lib/ids.ts";
import type { BesideAct } from "./beside-sale.ts";
import { bringsLines, isFree, linesIn, type Offers, openBeyond } from "./offers.ts";
import { type Fields, fieldIn, type Incoming, idIn } from "./read-record.ts";

/** What takes a right was done. */
export interface Taken {
  right: Right;
  /** When, by the register's clock. */
  at: string | null;
  amount: number | null;
  /** What of the record it is about, where a record has several. */
  part?: string;
  /** What it is about, as the owner knows it, where there is no sale to look at. */
  label?: string;
  /** What was done, in words. */
  what?: string;
  /** It was stored before this upload, and told then. */
  isKnown?: boolean;
}

/** What a register took back of a sale that it had charged, otherwise than by cancelling it. */
export interface Reduction {
  saleId: string;
  /** It takes the right to cancel. */
  taken: Taken;
  /** What was charged, and what is left; nothing if the sale is not charged any more. */
  from: number;
  to: number | null;
  /** A document that was issued for it: what it says is compared with that. */
  hasDocument: boolean;
}

/** Somebody did it. */
interface Use extends Taken {
  cashierId: string;
  authorizedBy: string | null;
}

interface Person extends Granted {
  name: string;
  updated_at: Date;
  /** Whoever was retired may nothing any more. */
  is_retired: boolean;
}

export interface Judge {
  /** What nobody was allowed to do; it was done all the same. `also` is what the record shows only beside what was stored. */
  of(record: Incoming, also?: readonly Taken[]): Verdict;
  /** Whether a person of this id has ever worked here. */
  knows(cashierId: string): boolean;
  /** Whether this cashier lacked the right when the record says so; null where nobody can say. */
  lacks(cashierId: string, record: Incoming, taken: Taken): boolean | null;
  nameOf(cashierId: string): string;
}

/** `judgedAt` says by which time, in ms of the server's clock. */
export type OpenJudge = (now: Date, judgedAt: (record: Incoming, taken: Taken) => number, offers: Offers) => Judge;

export interface Verdict {
  findings: Finding[];
  /** What the owner sees among the acts, where the register did not tell of them itself. */
  acts: NewAct[];
}

/** Reads the people who did or allowed what these records say. */
export function judging(accountId: string, records: readonly Incoming[]): Read<OpenJudge> {
  const sellers = records.flatMap(({ beside }) => beside?.cashierId ?? []);
  const doers = records.flatMap(({ beside }) =>
    (beside?.acts ?? []).flatMap(({ cashierId, authorizedBy }) => [cashierId, authorizedBy ?? cashierId]),
  );
  const named = records
    .flatMap(ownUses)
    .flatMap(({ cashierId, authorizedBy }) => [cashierId, authorizedBy ?? cashierId])
    .concat(sellers, doers);
  const read = people(accountId, [...new Set(named)]);
  return {
    statements: read.statements,
    from: (results) => {
      const found = read.from(results);
      return (at, judgedAt, offers) => {
        const uses = new Map(records.map((record) => [record.deviceSeq, usesOf(record, offers)]));
        return judge(uses, found, at, judgedAt);
      };
    },
  };
}

function judge(
  uses: ReadonlyMap<number, readonly Use[]>,
  people: ReadonlyMap<string, Person>,
  now: Date,
  judgedAt: (record: Incoming, taken: Taken) => number,
): Judge {
  /** Null where nobody can say: the person is not the account's, or was changed since. Then nobody is blamed. */
  function lacks(id: string, record: Incoming, use: Taken): boolean | null {
    const person = people.get(id);
    if (!person || person.updated_at.getTime() > judgedAt(record, use)) return null;
    return person.is_retired || !rightsOf(person).includes(use.right);
  }
  function problemOf(record: Incoming, use: Use): Finding | undefined {
    if (!lacks(use.cashierId, record, use)) return undefined;
    const { authorizedBy, right } = use;
    const isAllowed = authorizedBy !== null && people.has(authorizedBy) && !lacks(authorizedBy, record, use);
    if (isAllowed) return undefined;
    const name = people.get(use.cashierId)!.name;
    const other =
      authorizedBy === null ? "nadie lo autorizó" : `${people.get(authorizedBy)?.name ?? "quien lo autorizó"} tampoco`;
    const message = `${name} no podía ${rights[right].words} y ${other}.${use.what ? ` ${use.what}` : ""}`;
    return finding(`${rightsField}${right}`, null, use.part ?? null, message);
  }
  return {
    knows: (id) => people.has(id),
    lacks,
    nameOf: (id) => people.get(id)?.name ?? "Quien vendió",
    of(record, also = []) {
      const named = also.flatMap((taken) => namedUse(record, taken));
      const found = [...(uses.get(record.deviceSeq) ?? []), ...named].flatMap((use) => {
        const problem = problemOf(record, use);
        return problem ? [{ use, problem }] : [];
      });
      // An act is told by itself; whoever is said to have allowed what she may not is no reason to keep silent.
      const untold = record.type === "counter_act" ? [] : found.filter(({ use }) => !use.isKnown);
      return {
        findings: [...unreadable(record), ...found.map(({ problem }) => problem)],
        acts: untold.map(({ use, problem }) => actOf(record, use, problem.message, now)),
      };
    },
  };
}

/** What a record shows or says that takes a right. Only a register that names who did it can be judged. */
function usesOf(record: Incoming, offers: Offers): Use[] {
  return [...ownUses(record), ...takenIn(record, offers).flatMap((taken) => namedUse(record, taken))];
}

/** Acts and movements of the drawer name in themselves who did them. */
function ownUses({ type, data, beside }: Incoming): Use[] {
  if (type === "counter_act") return actUses(data);
  // The shift publishes a name; who it was stands privately beside each movement.
  return type === "cash_session" && beside ? movementActs(data) : [];
}

function namedUse(record: Incoming, taken: Taken): Use[] {
  const { cashierId, authorizedBy } = doerOf(record, taken.right);
  return cashierId === null ? [] : [{ ...taken, cashierId, authorizedBy }];
}

/** Who a record says did what takes this right, and who allowed it. */
export function doerOf({ beside }: Incoming, right: Right): { cashierId: string | null; authorizedBy: string | null } {
  const act: BesideAct | undefined = beside?.acts.find((one) => one.right === right);
  return { cashierId: act?.cashierId ?? beside?.cashierId ?? null, authorizedBy: act?.authorizedBy ?? null };
}

/** What of a record takes a right, whoever did it. */
export function takenIn(record: Incoming, offers: Offers): Taken[] {
  const { type, data, beside, editedAt } = record;
  if (!beside) return [];
  const taken = (right: Right, at: string | null, amount: number | null): Taken[] => [{ right, at, amount }];
  if (type === "return") return taken("return", editedAt, fieldIn(data, "total", null));
  if (type === "stock_movement") return isOfSale(data) ? [] : taken("stock", editedAt, null);
  if (type === "cash_session") return data.status === "closed" ? taken("close_shift", editedAt, null) : [];
  if (type === "sale") return takenInSale(record, offers);
  return type === "quote" ? takenInQuote(record, offers) : [];
}

/** What a sale, a return or a cancellation moved; an adjustment that names a sale is an adjustment. */
export const isOfSale = ({ sale_id, type, origin_type }: Fields): boolean =>
  Boolean(sale_id) && (type === "sale" || type === "return" || (type === "in" && origin_type === "reversal"));

const says = ({ beside }: Incoming, right: Right) => beside?.acts.some((one) => one.right === right) ?? false;

/** What its quote offered was judged with the quote; only what goes beyond it is the sale's own. */
function takenInSale(record: Incoming, offers: Offers): Taken[] {
  const { data, editedAt } = record;
  const at = fieldIn<string | null>(data, "occurred_at", null);
  const before = offers.before(record);
  const taken = (right: Right, amount: number | null, isNews: boolean): Taken[] => {
    if (!before) return [{ right, at, amount }];
    // A second one of the same sale is an act of its own.
    return [{ right, at, amount, ...(isNews ? { part: partOf(record) } : { isKnown: true }) }];
  };
  const offer = offers.of(record);
  const beyond = openBeyond(offer);
  const discount = fieldIn(data, "discount", 0);
  const ownDiscount = discount - (offer?.discount ?? 0);
  const more = discount - Math.max(offer?.discount ?? 0, before?.discount ?? 0);
  const hasFreeLine = linesIn(data)
    .filter(isFree)
    .some((line) => beyond(line) > 0);
  return [
    ...(says(record, "discount") || ownDiscount > 0
      ? taken("discount", more > 0 ? more : ownDiscount > 0 ? ownDiscount : discount, more > 0)
      : []),
    ...(says(record, "free_line") || hasFreeLine ? taken("free_line", null, bringsLines(offers, record, isFree)) : []),
    ...(says(record, "price") ? taken("price", null, bringsLines(offers, record)) : []),
    ...(data.status === "cancelled" ? [{ right: "cancel", at: editedAt, amount: data.total as number } as const] : []),
  ];
}

/** What of a sale an upload says that no other said, where the sale was stored before. */
export const partOf = ({ data }: Incoming): string =>
  `${fieldIn(data, "discount", 0)} ${uuidFrom(JSON.stringify(linesIn(data)))}`;

/** What it offers, when it begins to offer it. */
function takenInQuote(record: Incoming, offers: Offers): Taken[] {
  const offer = offers.newIn(record);
  if (!offer) return [];
  const taken = (right: Right, amount: number | null): Taken[] => [
    { right, at: offer.at, amount, label: `Cotización ${offer.name}`.trim() },
  ];
  return [
    ...(says(record, "discount") || offer.discount > 0 ? taken("discount", offer.discount) : []),
    ...(says(record, "free_line") || offer.lines.some(isFree) ? taken("free_line", null) : []),
    ...(says(record, "price") ? taken("price", null) : []),
  ];
}

function actUses(data: Fields): Use[] {
  const right = actKinds[data.kind as ActKind];
  const cashierId = idIn(data, "cashier_id");
  const isFree = data.kind === "ticket_dropped" && data.kept !== true;
  if (right === null || cashierId === null || isFree) return [];
  const at = fieldIn<string | null>(data, "occurred_at", null);
  return [{ right, cashierId, authorizedBy: idIn(data, "authorized_by"), at, amount: null }];
}

/** Movements of the drawer that name who made them. */
export function movementActs(data: Fields) {
  return fieldIn<Fields[]>(data, "movements", []).flatMap(({ id, amount, occurred_at, cashier_id, authorized_by }) => {
    if (typeof cashier_id !== "string" || !isUuid(cashier_id)) return [];
    const authorizedBy =
      typeof authorized_by === "string" && isUuid(authorized_by) ? authorized_by.toLowerCase() : null;
    const about = { at: occurred_at as string, amount: amount as number, part: String(id).toLowerCase() };
    return [{ right: "cash" as const, cashierId: cashier_id.toLowerCase(), authorizedBy, ...about }];
  });
}

/** Beside sales and returns it is told with their means of payment. */
function unreadable({ type, beside }: Incoming): Finding[] {
  if (!beside?.isUnreadable || type === "sale" || type === "return") return [];
  return [finding("acts", null, null, "No se puede leer quién lo hizo o quién lo autorizó.")];
}

function people(accountId: string, ids: readonly string[]): Read<Map<string, Person>> {
  if (ids.length === 0) return withoutReading(() => new Map());
  const statement = sql`
    select id, name, permissions, rights, updated_at, deleted_at is not null as is_retired from cashiers
    where account_id = ${accountId} and id = any(${plainArray(ids)}::uuid[])`;
  return reading(statement, (rows: (Person & { id: string })[]) => new Map(rows.map((row) => [row.id, row])));
}

/** The same finding about the same record is one act, however often the record is uploaded. */
export function actOf(
  { type, id, data }: Incoming,
  use: Taken & { cashierId: string | null },
  detail: string,
  at: Date,
): NewAct {
  return {
    id: uuidv7(at),
    cause: uuidFrom(`${id} ${use.right} ${use.part ?? ""}`),
    kind: kindOf(use.right),
    occurred_at: use.at ?? at.toISOString(),
    cashier_id: use.cashierId,
    authorized_by: null,
    shift_id: type === "cash_session" ? id : idIn(data, "cash_session_id"),
    sale_id: type === "sale" ? id : idIn(data, "sale_id"),
    label: use.label ?? null,
    amount: use.amount,
    detail,
    is_allowed: false,
  };
}
