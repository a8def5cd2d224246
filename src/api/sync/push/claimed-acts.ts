import { type ActKind, kindOf } from "../../../business/counter/act-kinds.ts";
import type { NewAct } from "../../../business/counter/counter-acts.ts";
import type { Right } from "../../../business/counter/rights.ts";
import { plainArray } from "../../../db/arrays.ts";
import { prepared, sql } from "../../../db/sql.ts";
import { day, minute, second } from "../../../lib/clock.ts";
import { uuidFrom, uuidv7 } from "../../../lib/ids.ts";
import { sumBelow } from "./below-price.ts";
import type { BesideAct } from "./beside-sale.ts";
import { movementActs, partOf } from "./judge-rights.ts";
import { bringsLines } from "./offers.ts";
import { type Fields, fieldIn, type Incoming, idIn } from "./read-record.ts";
import type { WorkingSet } from "./working-set.ts";

/** What a register notes of one act it notes at once. */
const sameActMs = 10 * minute;

/** By it, what the service noted gives way to the act that says more. */
export const claimedDetail = "Lo dice lo que subió la caja, que no lo contó como un acto.";

/**
 * Records say beside them who did or allowed what takes a right, and registers tell the owner by an act of its own. Where none does, the
 * service notes it: nobody's name excuses anything that the owner cannot see. An act that arrives later takes the place of what was noted.
 */
export async function noteClaimed(batch: WorkingSet, records: readonly Incoming[]): Promise<void> {
  const told = records.flatMap((record) => (record.type === "counter_act" ? actIn(record) : []));
  replaceNoted(
    batch,
    told.filter(({ authorized_by }) => authorized_by !== null),
  );
  const found = new Set(batch.acts.flatMap(({ cause, is_allowed }) => (cause !== null && !is_allowed ? cause : [])));
  const claims = records
    .flatMap((record) => claimsOf(batch, record))
    .filter(({ act }) => batch.judge.knows(act.authorized_by ?? act.cashier_id ?? ""))
    .filter(({ about, act }) => !found.has(about) && !told.some((one) => isSame(one, act)));
  const open = await withoutStored(batch, claims);
  batch.acts.push(...new Map(open.map(({ act }) => [act.cause, act])).values());
}

interface Claim {
  act: NewAct;
  /** The cause of what would be told if nobody might have done it. */
  about: string;
}

function claimsOf(batch: WorkingSet, record: Incoming): Claim[] {
  const { beside } = record;
  if (!beside) return [];
  const { cashierId, acts } = beside;
  const claimed = acts.filter(
    // What was taken off a kept ticket is told by itself, before there is a sale.
    (one) => one.authorizedBy !== null || (one.cashierId !== cashierId && one.right !== "remove_kept"),
  );
  const again = givesMore(batch, record) ? partOf(record) : "";
  const own = claimed.map((one) =>
    claimOf(batch, record, one, {
      part: ofPrice.has(one.right) ? again : "",
      amount: amountIn(batch, record, one.right),
    }),
  );
  if (record.type !== "cash_session") return own;
  const moved = movementActs(record.data).filter(({ authorizedBy }) => authorizedBy !== null);
  return [...own, ...moved.map(({ part, amount, at, ...one }) => claimOf(batch, record, one, { part, amount, at }))];
}

const ofPrice: ReadonlySet<Right> = new Set(["discount", "free_line", "price"]);

/** A stored sale that is uploaded with lines or a discount that it did not have: what was allowed then is not this. */
function givesMore({ offers }: WorkingSet, record: Incoming): boolean {
  const before = record.type === "sale" ? offers.before(record) : undefined;
  if (!before) return false;
  return bringsLines(offers, record) || fieldIn(record.data, "discount", 0) > before.discount;
}

/** A price that somebody gave is as much as it is below the catalogue's, whatever the register calls it. */
function amountIn(batch: WorkingSet, record: Incoming, right: Right): number | null {
  const { data } = record;
  if (right === "price") return sumBelow(batch, record) || null;
  if (right === "discount") {
    const isPriced = record.beside?.acts.some((one) => one.right === "price");
    return fieldIn(data, "discount", 0) + (isPriced ? 0 : sumBelow(batch, record));
  }
  return right === "return" || right === "cancel" ? fieldIn<number | null>(data, "total", null) : null;
}

function claimOf(
  { write }: WorkingSet,
  { id, type, data, editedAt }: Incoming,
  { right, cashierId, authorizedBy }: BesideAct,
  { part, amount, at = editedAt }: { part: string; amount: number | null; at?: string | null },
): Claim {
  const who = `${cashierId} ${authorizedBy ?? ""}`;
  // Movements of the stock and products that are one act are noted once.
  const subject = isOneByOne(type) ? id : `${type} ${String(at)}`;
  const act: NewAct = {
    ...{ id: uuidv7(write.at), cause: uuidFrom(`${subject} ${right} ${part} ${who} claimed`), kind: kindOf(right) },
    occurred_at:
      (type === "sale" && right !== "cancel" && right !== "correct_payment" ? said(data) : at) ??
      write.at.toISOString(),
    ...{ cashier_id: cashierId, authorized_by: authorizedBy },
    shift_id: type === "cash_session" ? id : idIn(data, "cash_session_id"),
    sale_id: type === "sale" ? id : idIn(data, "sale_id"),
    ...{ label: null, amount, detail: claimedDetail, is_allowed: true },
  };
  return { act, about: uuidFrom(`${id} ${right} ${part}`) };
}

const isOneByOne = (type: Incoming["type"]) => type !== "stock_movement" && type !== "product";
const said = (data: Fields) => fieldIn<string | null>(data, "occurred_at", null);

type Compared = Pick<
  NewAct,
  "kind" | "cashier_id" | "authorized_by" | "sale_id" | "shift_id" | "amount" | "occurred_at"
>;

function actIn({ data }: Incoming): Compared {
  return {
    kind: data.kind as ActKind,
    ...{ cashier_id: idIn(data, "cashier_id"), authorized_by: idIn(data, "authorized_by") },
    ...{ sale_id: idIn(data, "sale_id"), shift_id: idIn(data, "shift_id") },
    amount: fieldIn<number | null>(data, "amount", null),
    occurred_at: String(data.occurred_at),
  };
}

/** An act that says less than this part of what was taken, or another day, leaves something untold. */
const leastTold = 1 / 2;
const sameDayMs = day;

/** There may be several of them of one sale or shift. */
const isByAmount = (kind: ActKind) => kind === "sale_returned" || kind === "cash_moved";

const isMostOf = (kind: ActKind) => kind === "discount" || kind === "price";

/** The same people, the same thing, and what it was about; of a return or a movement of the drawer, by its amount. */
function isSame(told: Compared, claimed: Compared): boolean {
  const { kind, cashier_id, authorized_by, sale_id, shift_id, amount } = claimed;
  if (told.kind !== kind || told.cashier_id !== cashier_id || told.authorized_by !== authorized_by) return false;
  if (isByAmount(kind) && Math.abs(told.amount ?? 0) !== Math.abs(amount ?? 0)) return false;
  if (isMostOf(kind) && Math.abs(told.amount ?? 0) < Math.abs(amount ?? 0) * leastTold) return false;
  const apartMs = Math.abs(Date.parse(told.occurred_at) - Date.parse(claimed.occurred_at));
  if (sale_id !== null) return told.sale_id === sale_id && apartMs <= sameDayMs;
  if (kind === "cash_moved" || kind === "shift_closed") return told.shift_id === shift_id;
  return apartMs <= sameActMs;
}

/** Without what an earlier push told. */
async function withoutStored({ write }: WorkingSet, claims: readonly Claim[]): Promise<readonly Claim[]> {
  if (claims.length === 0) return claims;
  const of = (field: "sale_id" | "shift_id") => plainArray(claims.flatMap(({ act }) => act[field] ?? []));
  const loose = claims.flatMap(({ act }) => (act.sale_id === null ? Date.parse(act.occurred_at) : []));
  const [from, to] = [Math.min(...loose) - sameActMs, Math.max(...loose) + sameActMs];
  const none = loose.length === 0;
  const { rows } = await write.client.query<Omit<Compared, "occurred_at"> & { occurred_at: Date }>(sql`
    select kind, cashier_id, authorized_by, sale_id, shift_id, amount, occurred_at from counter_acts
    where account_id = ${write.accountId} and sale_id = any(${of("sale_id")}::uuid[])
    union all
    select kind, cashier_id, authorized_by, sale_id, shift_id, amount, occurred_at from counter_acts
    where account_id = ${write.accountId} and occurred_at between ${new Date(none ? 0 : from)} and ${new Date(none ? 0 : to)}`);
  const stored = rows.map((row) => ({ ...row, occurred_at: row.occurred_at.toISOString() }));
  return claims.filter(({ act }) => !stored.some((one) => isSame(one, act)));
}

/** What was noted before its act arrived. */
function replaceNoted({ write }: WorkingSet, told: readonly Compared[]): void {
  if (told.length === 0) return;
  write.addStatement(
    prepared(
      `delete from counter_acts a using json_to_recordset($2::json) as r(kind text, cashier_id uuid, authorized_by uuid, sale_id uuid,
         shift_id uuid, amount bigint, occurred_at timestamptz)
       where a.account_id = $1::uuid and a.cause is not null and a.is_allowed and a.detail = $3 and a.kind = r.kind
         and a.cashier_id is not distinct from r.cashier_id and a.authorized_by = r.authorized_by
         and (a.kind not in ('sale_returned', 'cash_moved') or abs(coalesce(a.amount, 0)) = abs(coalesce(r.amount, 0)))
         and (a.kind not in ('discount', 'price') or abs(coalesce(r.amount, 0)) >= abs(coalesce(a.amount, 0)) * $5::numeric)
         and case when a.sale_id is not null
             then a.sale_id = r.sale_id and abs(extract(epoch from a.occurred_at - r.occurred_at)) <= $6::numeric
           when a.kind in ('cash_moved', 'shift_closed') then a.shift_id = r.shift_id
           else abs(extract(epoch from a.occurred_at - r.occurred_at)) <= $4::numeric end`,
      [write.accountId, JSON.stringify(told), claimedDetail, sameActMs / second, leastTold, sameDayMs / second],
    ),
  );
}
