import { type ActKind, actKinds, kindOf } from "../../../business/counter/act-kinds.ts";
import type { NewAct } from "../../../business/counter/counter-acts.ts";
import { type Granted, type Right, rights, rightsOf } from "../../../business/counter/rights.ts";
import { plainArray } from "../../../db/arrays.ts";
import { type Read, reading, withoutReading } from "../../../db/read.ts";
import { sql } from "../../../db/sql.ts";
import { type Finding, finding, rightsField } from "../../../fiscal/findings/finding.ts";
import { isUuid, uuidFrom, uuidv7 } from "../../../lib/ids.ts";
import type { BesideAct } from "./beside-sale.ts";
import { type Fields, fieldIn, type Incoming, idIn } from "./read-record.ts";

/** Somebody did what takes a right. */
interface Use {
  right: Right;
  cashierId: string;
  authorizedBy: string | null;
  /** When, by the register's clock. */
  at: string | null;
  amount: number | null;
  /** What of the record it is about, where a record has several. */
  part?: string;
}

interface Person extends Granted {
  name: string;
  updated_at: Date;
  /** Whoever was retired may nothing any more. */
  is_retired: boolean;
}

export interface Judge {
  /** What nobody was allowed to do; it was done all the same. */
  of(record: Incoming): Verdict;
}

/** `skewMs` is how far the register's clock is behind the server's. */
export type OpenJudge = (now: Date, skewMs: () => number) => Judge;

export interface Verdict {
  findings: Finding[];
  /** What the owner sees among the acts, where the register did not tell of them itself. */
  acts: NewAct[];
}

/** Reads the people who did or allowed what these records say. */
export function judging(accountId: string, records: readonly Incoming[]): Read<OpenJudge> {
  const quoted = new Set(records.flatMap(({ type, data }) => (type === "quote" ? (idIn(data, "sale_id") ?? []) : [])));
  const uses = new Map(records.map((record) => [record, usesOf(record, quoted)]));
  const named = [...uses.values()]
    .flat()
    .flatMap(({ cashierId, authorizedBy }) => [cashierId, authorizedBy ?? cashierId]);
  const read = people(accountId, [...new Set(named)]);
  return {
    statements: read.statements,
    from: (results) => {
      const found = read.from(results);
      return (at, skewMs) => judge(uses, found, at, skewMs);
    },
  };
}

function judge(
  uses: ReadonlyMap<Incoming, readonly Use[]>,
  people: ReadonlyMap<string, Person>,
  now: Date,
  skewMs: () => number,
): Judge {
  const atMs = ({ at }: Use) => (at === null ? now.getTime() : Date.parse(at) + skewMs());

  /** Null where nobody can say: the person is not the account's, or was changed since. Then nobody is blamed. */
  function lacks(id: string, use: Use): boolean | null {
    const person = people.get(id);
    if (!person || person.updated_at.getTime() > atMs(use)) return null;
    return person.is_retired || !rightsOf(person).includes(use.right);
  }
  function problemOf(use: Use): Finding | undefined {
    if (!lacks(use.cashierId, use)) return undefined;
    const { authorizedBy, right } = use;
    const isAllowed = authorizedBy !== null && people.has(authorizedBy) && !lacks(authorizedBy, use);
    if (isAllowed) return undefined;
    const name = people.get(use.cashierId)!.name;
    const other =
      authorizedBy === null ? "nadie lo autorizó" : `${people.get(authorizedBy)?.name ?? "quien lo autorizó"} tampoco`;
    const message = `${name} no podía ${rights[right].words} y ${other}.`;
    return finding(`${rightsField}${right}`, null, use.part ?? null, message);
  }
  return {
    of(record) {
      const found = (uses.get(record) ?? []).flatMap((use) => {
        const problem = problemOf(use);
        return problem ? [{ use, problem }] : [];
      });
      const isTold = record.type === "counter_act";
      const untold = isTold ? [] : found.filter(({ use }) => use.authorizedBy === null);
      return {
        findings: [...unreadable(record), ...found.map(({ problem }) => problem)],
        acts: untold.map(({ use, problem }) => actOf(record, use, problem.message, now)),
      };
    },
  };
}

/** What a record shows or says that takes a right. Only a register that names who did it can be judged. */
function usesOf(record: Incoming, quoted: ReadonlySet<string>): Use[] {
  const { type, data, beside, editedAt } = record;
  if (type === "counter_act") return actUses(data);
  if (!beside) return [];
  const use = (right: Right, at: string | null, amount: number | null): Use[] => {
    const act: BesideAct | undefined = beside.acts.find((one) => one.right === right);
    const cashierId = act?.cashierId ?? beside.cashierId;
    return cashierId === null ? [] : [{ right, cashierId, authorizedBy: act?.authorizedBy ?? null, at, amount }];
  };
  if (type === "return") return use("return", editedAt, fieldIn(data, "total", null));
  if (type === "stock_movement") return data.sale_id ? [] : use("stock", editedAt, null);
  if (type === "cash_session")
    return [...movementUses(data), ...(data.status === "closed" ? use("close_shift", editedAt, null) : [])];
  const at = fieldIn<string | null>(data, "occurred_at", null);
  const isSaid = (right: Right) => beside.acts.some((one) => one.right === right);
  // What a quote offered was allowed when it was quoted.
  const isOwn = !quoted.has(record.id);
  const isDiscounted = isSaid("discount") || (isOwn && fieldIn(data, "discount", 0) > 0);
  const hasFreeLine =
    isSaid("free_line") || (isOwn && (data.items as Fields[]).some(({ item_kind }) => item_kind === "custom"));
  return [
    ...(isDiscounted ? use("discount", at, fieldIn(data, "discount", 0)) : []),
    ...(hasFreeLine ? use("free_line", at, null) : []),
    ...(isSaid("price") ? use("price", at, null) : []),
    ...(data.status === "cancelled" ? use("cancel", editedAt, data.total as number) : []),
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

/** The shift publishes a name; who it was stands privately beside each movement. */
function movementUses(data: Fields): Use[] {
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
function actOf({ type, id, data }: Incoming, use: Use, detail: string, at: Date): NewAct {
  return {
    id: uuidv7(at),
    cause: uuidFrom(`${id} ${use.right} ${use.part ?? ""}`),
    kind: kindOf(use.right),
    occurred_at: use.at ?? at.toISOString(),
    cashier_id: use.cashierId,
    authorized_by: null,
    shift_id: type === "cash_session" ? id : idIn(data, "cash_session_id"),
    sale_id: type === "sale" ? id : idIn(data, "sale_id"),
    label: null,
    amount: use.amount,
    detail,
    is_allowed: false,
  };
}
