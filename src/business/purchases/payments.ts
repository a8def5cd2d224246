import type { Static } from "typebox";
import type { Queryable } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { line, oneOf, optional, price, uuid } from "../../engine/resources/fields.ts";
import type { Loaded } from "../../engine/resources/resource.ts";
import type { Write } from "../../engine/writing/write.ts";
import { ApiError, referenceNotFound, validationError } from "../../lib/errors.ts";
import { uuidv7 } from "../../lib/ids.ts";
import { Type } from "../../lib/schema.ts";
import { bogotaDate } from "../../taxes/bogota-time.ts";
import { money } from "../../taxes/words.ts";
import { cashSessions } from "../cash-sessions/resource.ts";
import { requireDay } from "./due-date.ts";
import { purchases } from "./resource.ts";
import { calendarDay, type Purchase } from "./schema.ts";

/** With what a supplier is paid. A drawer's cash is what a shift says that left it. */
export const payingMeans = ["drawer", "cash", "bank", "card"] as const;
export type PayingMeans = (typeof payingMeans)[number];

export const NewPayment = Type.Object(
  {
    amount: price({ minimum: 1, description: "Pesos; hasta lo que se debe." }),
    means: oneOf(payingMeans),
    cash_session_id: optional(uuid({ description: "Con `drawer`, el turno del que salió." })),
    cash_movement_id: optional(uuid({ description: "Con `drawer`, la salida de efectivo de ese turno." })),
    paid_on: optional(calendarDay({ description: "Cuándo se pagó; por omisión, hoy." })),
    note: optional(line(200)),
  },
  { additionalProperties: false },
);
export type NewPayment = Static<typeof NewPayment>;

/** One entry of what is owed: what goods did to it, a payment, or one that was taken back. */
export interface PayableEntry {
  id: string;
  kind: string;
  amount: number;
  means: PayingMeans | null;
  note: string | null;
  paid_on: string | null;
  person: string | null;
  cash_session_id: string | null;
  undoes: string | null;
  created_at: Date;
}

export async function readEntries(db: Queryable, accountId: string, purchaseId: string): Promise<PayableEntry[]> {
  const { rows } = await db.query<PayableEntry>(sql`
    select id, kind, amount::bigint as amount, means, note, paid_on, person, cash_session_id, undoes, created_at
    from payable_entries where account_id = ${accountId} and purchase_id = ${purchaseId} order by created_at, id`);
  return rows.map((row) => ({ ...row, amount: Number(row.amount) }));
}

/** Pays a part of what a purchase owes, or all of it. */
export async function payPurchase(
  write: Write,
  current: Loaded<Purchase>,
  { amount, means, cash_session_id, cash_movement_id, paid_on, note }: NewPayment,
  person: string,
): Promise<Purchase> {
  const { body: before } = current;
  const left = before.owed - before.paid;
  if (amount > left)
    throw validationError([
      {
        param: "amount",
        message:
          left > 0
            ? `De la compra ${before.number} se deben ${money(left)}: no se paga más que eso.`
            : `De la compra ${before.number} no se debe nada. Se debe lo que llega: recíbala primero.`,
      },
    ]);
  requireDay("paid_on", paid_on ?? null);
  if (means === "drawer") await requireCash(write, amount, cash_session_id, cash_movement_id);
  else if (cash_movement_id !== undefined)
    throw validationError([{ param: "cash_movement_id", message: '`cash_movement_id` va con `means: "drawer"`.' }]);
  const body = withPaid(write, before, amount);
  write.put(purchases, { ...current, body });
  const isDrawer = means === "drawer";
  write.addStatement(sql`
    insert into payable_entries (account_id, id, supplier_id, purchase_id, location_id, kind, amount, means,
      cash_session_id, cash_movement_id, note, person, paid_on, created_at)
    values (${write.accountId}, ${uuidv7(write.at)}, ${before.supplier_id}, ${before.id}, ${before.location_id ?? null},
      'payment', ${-amount}, ${means}, ${isDrawer ? (cash_session_id ?? null) : null}::uuid,
      ${isDrawer ? (cash_movement_id ?? null) : null}::uuid, ${note || null}, ${person},
      ${paid_on ?? bogotaDate(write.at)}, ${write.at})`);
  return body;
}

/** A payment that was written down wrongly is taken back by an entry of its own. */
export async function undoPayment(
  write: Write,
  current: Loaded<Purchase>,
  entryId: string,
  person: string,
): Promise<Purchase> {
  const { body: before } = current;
  const entries = await readEntries(write.client, write.accountId, before.id);
  const payment = entries.find(({ id, kind }) => id === entryId.toLowerCase() && kind === "payment");
  if (!payment) throw referenceNotFound("payment_id", "un pago de esta compra");
  if (entries.some(({ undoes }) => undoes === payment.id))
    throw new ApiError("CONFLICT", { param: "payment_id", message: "Ese pago ya se anuló." });
  const body = withPaid(write, before, payment.amount);
  write.put(purchases, { ...current, body });
  write.addStatement(sql`
    insert into payable_entries (account_id, id, supplier_id, purchase_id, location_id, kind, amount, means, undoes, person,
      paid_on, created_at)
    values (${write.accountId}, ${uuidv7(write.at)}, ${before.supplier_id}, ${before.id}, ${before.location_id ?? null},
      'undone', ${-payment.amount}, ${payment.means}, ${payment.id}, ${person}, ${bogotaDate(write.at)}, ${write.at})`);
  return body;
}

const withPaid = (write: Write, before: Purchase, amount: number): Purchase => ({
  ...before,
  paid: before.paid + amount,
  updated_at: write.at.toISOString(),
});

/**
 * The drawer says itself what left it: a shift's own movement, which pays once what it is. So a shift adds up, whoever writes the
 * payment down, and whether or not its register was connected.
 */
async function requireCash(
  write: Write,
  amount: number,
  sessionId: string | undefined,
  movementId: string | undefined,
): Promise<void> {
  if (sessionId === undefined || movementId === undefined)
    throw validationError([
      {
        param: sessionId === undefined ? "cash_session_id" : "cash_movement_id",
        message: "Diga qué salida de efectivo fue. Si no está, regístrela en la caja y vuelva.",
      },
    ]);
  const shift = await write.load(cashSessions, sessionId);
  const movement = shift?.body.movements.find(({ id, type }) => id === movementId.toLowerCase() && type === "out");
  if (!movement) throw referenceNotFound("cash_movement_id", "una salida de efectivo de ese turno");
  const { rows } = await write.client.query<{ used: number }>(sql`
    select coalesce(-sum(e.amount), 0)::bigint as used from payable_entries e
    where e.account_id = ${write.accountId} and e.cash_movement_id = ${movement.id} and e.kind = 'payment'
      and not exists (select from payable_entries u where u.account_id = e.account_id and u.undoes = e.id)`);
  const free = movement.amount - Number(rows[0]?.used ?? 0);
  if (amount <= free) return;
  throw validationError([
    {
      param: "amount",
      message: `De esa salida quedan ${money(free)} sin pago. Registre la diferencia con otro medio.`,
    },
  ]);
}
