import { type Actor, recordAudit } from "../../access/accounts/record-audit.ts";
import { cashSessions } from "../../business/cash-sessions/resource.ts";
import type { CashSession } from "../../business/cash-sessions/schema.ts";
import { stockMovements } from "../../business/inventory/resource.ts";
import { products } from "../../business/products/resource.ts";
import { returns } from "../../business/returns/resource.ts";
import type { Return } from "../../business/returns/schema.ts";
import { sales } from "../../business/sales/resource.ts";
import type { Sale } from "../../business/sales/schema.ts";
import { isNote } from "../../business/sales/summary.ts";
import type { Queryable } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import type { OwnedColumns } from "../../engine/resources/owned-columns.ts";
import type { Placed } from "../../engine/resources/placed.ts";
import type { Loaded } from "../../engine/resources/resource.ts";
import type { Write } from "../../engine/writing/write.ts";
import { type WritingDeps, writing } from "../../engine/writing/writing.ts";
import { second } from "../../lib/clock.ts";
import { ApiError } from "../../lib/errors.ts";
import { uuidv7 } from "../../lib/ids.ts";
import { must } from "../../lib/must.ts";
import { issueDocuments } from "../documents/issue-documents.ts";
import type { IssuingDeps } from "../documents/issuer.ts";
import { CorrectionError } from "../returns/correction-error.ts";
import { type LoadedReturn, loadReturns, loadWarehouses } from "../returns/load-returnable.ts";
import { planReturn, type WantedLine } from "../returns/plan-return.ts";
import { effectsOfReturn } from "../returns/record-return.ts";

export interface AskedReturn {
  /** Chosen by the caller, so that a repeated request is recognized. */
  id?: string | undefined;
  lines: readonly WantedLine[];
  payment_method: string;
  /** The shift whose drawer pays a refund in cash; null when the money comes from elsewhere. Chosen here unless given. */
  cash_session_id?: string | null | undefined;
  reason: string | null;
}

/** Throws when whoever asks may not return this much. It is asked in the write, which sees every return before this one. */
export type AllowReturn = (
  db: Pick<Queryable, "query">,
  wanted: { saleId: string; total: number; at: Date },
) => Promise<void>;

export interface MadeReturn {
  /** As stored: with its note, if the sale's document is issued. */
  record: Return;
  sale: Sale;
  isNew: boolean;
}

/** The same request again within this time, without an id of its own, is a second click. */
const secondClickMs = 30 * second;

/** Records a return that the owner makes: the refund, the stock, the note and the shift's cash, in one write. */
export async function returnSale(
  deps: WritingDeps & IssuingDeps,
  accountId: string,
  saleId: string,
  asked: AskedReturn,
  { actor, requestId, allow }: { actor: Actor; requestId: string; allow: AllowReturn },
): Promise<MadeReturn> {
  const work = async (write: Write): Promise<MadeReturn> => {
    const sale = await write.load(sales, saleId);
    if (!sale) throw new ApiError("NOT_FOUND", { param: "id" });
    const earlier = await loadReturns(write, [saleId]);
    const repeated = await findRepeated(write, saleId, asked, earlier);
    if (repeated) {
      write.discard();
      return { record: repeated, sale: sale.body, isNew: false };
    }
    const plan = planReturn(
      sale.body,
      earlier.map(({ body }) => body),
      asked.lines,
    );
    await allow(write.client, { saleId, total: plan.total, at: write.at });
    const isCash = asked.payment_method === "CASH";
    const session = isCash && plan.total > 0 ? await drawerOf(write, sale.body, asked) : undefined;
    const warehouseOf = await loadWarehouses(write, [sale.body], placeAt(write, (session ?? sale).body));
    const goods = await write.loadMany(
      products,
      plan.lines.flatMap(({ product_id }) => product_id ?? []),
    );
    const effects = effectsOfReturn(
      {
        plan,
        id: asked.id ?? uuidv7(write.at),
        reason: asked.reason,
        payment_method: asked.payment_method,
        cash_session_id: session?.body.id ?? null,
        cashAmount: session ? plan.total : 0,
        occurred_at: write.at.toISOString(),
      },
      { sale, session, warehouseOf, productOf: (id) => goods.get(id), at: write.at },
    );
    write.put(returns, effects.record);
    if (effects.session) write.put(cashSessions, effects.session);
    for (const product of effects.products) write.put(products, product);
    for (const movement of effects.movements) {
      write.put(stockMovements, movement);
      write.emit("inventory.movement.created", movement.body);
    }
    const all = new Map([[saleId, [...earlier, effects.record]]]);
    const [issued] = await issueDocuments(deps, write, [effects.sale.body], { returns: all });
    const body = must(issued, "Issuing returns every sale that it was given");
    write.put(sales, { ...effects.sale, body });
    write.emit("return.created", write.latest(effects.record.body));
    write.emit("sale.updated", body);
    const note = body.invoices.findLast((one) => isNote(one) && !sale.body.invoices.some(({ id }) => id === one.id));
    const record: Return = { ...effects.record.body, invoice_id: note?.id ?? null };
    const { id, kind, total } = record;
    const details = {
      ...{ sale_id: saleId, return_id: id, kind, total, payment_method: asked.payment_method },
      register_name: session?.body.register_name ?? null,
    };
    await recordAudit(write.client, { accountId, at: write.at, action: "sale.returned", details, actor });
    return {
      record: JSON.parse(write.published(record)) as Return,
      sale: JSON.parse(write.published(body)) as Sale,
      isNew: true,
    };
  };
  return writing(deps, accountId, work, requestId);
}

/** Money that leaves a drawer leaves that of its sede; otherwise it is a return to where it was sold. */
function placeAt(write: Write, { location_id = write.accountId }: Placed): string {
  const place = location_id ?? write.accountId;
  write.placeAt(place);
  return place;
}

async function findRepeated(
  write: Write,
  saleId: string,
  asked: AskedReturn,
  earlier: readonly LoadedReturn[],
): Promise<Return | undefined> {
  if (asked.id === undefined) {
    const last = earlier.at(-1);
    const isRecent = last && write.at.getTime() - Date.parse(last.body.created_at) < secondClickMs;
    return isRecent && !last.device_id && isSameReturn(last.body, asked) ? last.body : undefined;
  }
  const known = await write.load(returns, asked.id);
  if (!known) return undefined;
  if (known.body.sale_id !== saleId || !isSameReturn(known.body, asked))
    throw new CorrectionError("Ese identificador ya es de otra devolución. Use uno nuevo.", "id");
  return known.body;
}

function isSameReturn(made: Return, { lines, payment_method, cash_session_id, reason }: AskedReturn): boolean {
  if (payment_method === "CASH" && cash_session_id !== undefined && made.cash_session_id !== cash_session_id)
    return false;
  const text = (some: readonly WantedLine[]) =>
    JSON.stringify(some.map(({ item_id, quantity }) => [item_id.toLowerCase(), quantity]).sort());
  return text(made.lines) === text(lines) && made.payment_method === payment_method && made.reason === reason;
}

type Drawer = Loaded<CashSession, OwnedColumns> | undefined;

/** The drawer that pays a refund in cash. */
async function drawerOf(write: Write, sale: Sale, { cash_session_id }: AskedReturn): Promise<Drawer> {
  if (cash_session_id === undefined) return findDrawer(write, sale);
  if (cash_session_id === null) return undefined;
  const chosen = await write.load(cashSessions, cash_session_id);
  if (chosen?.body.status === "open") return chosen;
  throw new CorrectionError(
    "Ese turno ya no está abierto. Elija otra caja, o diga que el dinero no sale de una caja.",
    "cash_session_id",
  );
}

/** The open shift that pays a refund in cash: the sale's own or the one opened last. Undefined where no shift is kept. */
async function findDrawer(write: Write, sale: Sale): Promise<Drawer> {
  const own = sale.cash_session_id === null ? undefined : await write.load(cashSessions, sale.cash_session_id);
  if (own?.body.status === "open") return own;
  const { rows } = await write.client.query<{ id: string }>(sql`
    select id from cash_sessions where account_id = ${write.accountId} and status = 'open' and deleted_at is null
    order by created_at desc, id desc limit 1`);
  if (rows[0]) return write.load(cashSessions, rows[0].id);
  if (!own) return undefined;
  throw new CorrectionError(
    "No hay un turno de caja abierto de donde sacar el efectivo. Abra un turno en una caja, o devuelva por otro medio de pago.",
    "payment_method",
  );
}
