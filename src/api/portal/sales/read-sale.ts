import type { CashSession } from "../../../business/cash-sessions/schema.ts";
import { type CounterAct, readActs } from "../../../business/counter/counter-acts.ts";
import type { StockMovement } from "../../../business/inventory/schema.ts";
import type { Return } from "../../../business/returns/schema.ts";
import { type PaymentPart, paymentParts } from "../../../business/sale-totals/definition.ts";
import { type Books, type Correction, type CountedSale, readBooks } from "../../../business/sales/correction.ts";
import type { Sale } from "../../../business/sales/schema.ts";
import type { Queryable } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";
import type { Deps } from "../../../deps.ts";
import { buyerLink } from "../../../fiscal/documents/buyer-link.ts";
import { switchProblem } from "../../../fiscal/documents/switch-problem.ts";
import { readTicketMails, type TicketMail } from "../../../fiscal/documents/ticket-mails.ts";
import { type OpenFinding, readFindings } from "../../../fiscal/findings/read-findings.ts";
import { planRest } from "../../../fiscal/returns/plan-return.ts";
import { ApiError } from "../../../lib/errors.ts";
import { type DocumentOfSale, readDocumentsOfSale } from "../documents/read-documents.ts";
import { type NamedCustomer, namedCustomer } from "../people/named-customer.ts";
import { readSaleState } from "./sale-state.ts";

/** A sale with all that belongs to it. */
export interface SaleDetail {
  sale: Sale;
  /** What the buyer opens without an account. */
  buyer_link: string;
  /** The sale's status, unless something of it was returned. */
  state: string;
  customer: NamedCustomer | null;
  device: { id: string; name: string } | null;
  shift: Pick<CashSession, "id" | "register_name" | "opened_by" | "opened_at" | "status"> | null;
  /** Who rang it up, where the register says so. */
  cashier: string | null;
  /** The means as the register told them, each with its reference if it has one; null where it told only one. */
  payments: { payment_method: string; amount: number; reference?: string }[] | null;
  /** The means that count: what each of them paid adds up to the total. */
  parts: PaymentPart[];
  documents: DocumentOfSale[];
  returns: SaleReturn[];
  /** What its register changed once its day or its shift was over; before them the sale as it was counted. Empty for most. */
  corrections: SaleCorrection[];
  /** Whether anything is left to take back. */
  can_return: boolean;
  /** Whether its POS document can be replaced by an invoice. */
  can_switch: boolean;
  movements: SaleMovement[];
  /** The mails that a cashier promised, the last first. */
  ticket_mails: TicketMail[];
  /** What a supervisor allowed, or nobody did. */
  acts: CounterAct[];
  /** What does not agree about it, each with its next step. */
  findings: OpenFinding[];
}

/** With the drawer that its money left; null when it left none. */
export type SaleReturn = Return & { drawer: Pick<CashSession, "id" | "register_name"> | null };

/** In the books: the sale as it was counted, or what a correction added to it. */
export interface SaleCorrection {
  id: string;
  kind: "sale" | "correction";
  occurred_at: string;
  total: number;
  parts: PaymentPart[];
}

export interface SaleMovement
  extends Pick<StockMovement, "id" | "product_id" | "type" | "quantity" | "origin_type" | "reason" | "created_at"> {
  product_name: string | null;
  base_unit: string | null;
  warehouse_name: string | null;
}

interface Row {
  body: string;
  customer: string | null;
  shift: string | null;
  device_id: string | null;
  device_name: string | null;
  cashier: string | null;
  payments: string | null;
}

export async function readSale(
  { pool: db, config }: Pick<Deps, "pool" | "config">,
  accountId: string,
  id: string,
): Promise<SaleDetail> {
  const { rows } = await db.query<Row>(sql`
    select s.body, c.body as customer, t.body as shift, d.id as device_id, d.name as device_name,
      k.name as cashier, s.payments
    from sales s
    left join customers c on c.account_id = s.account_id and c.id = s.customer_id
    left join cash_sessions t on t.account_id = s.account_id and t.id = s.cash_session_id
    left join devices d on d.account_id = s.account_id and d.id = s.device_id
    left join cashiers k on k.account_id = s.account_id and k.id = s.cashier_id
    where s.account_id = ${accountId} and s.id = ${id}`);
  const row = rows[0];
  if (!row) throw new ApiError("NOT_FOUND", { param: "id", message: "No existe esta venta en el negocio." });
  const sale = JSON.parse(row.body) as Sale;
  const [state, findings, documents, returns, books, movements, ticket_mails, acts] = await Promise.all([
    readSaleState(db, accountId, id),
    readFindings(db, accountId, { saleId: id }),
    readDocumentsOfSale(db, accountId, id),
    readReturnsOfSale(db, accountId, id),
    readBooks(db, accountId, [id]),
    readMovements(db, accountId, id),
    readTicketMails(db, accountId, id),
    readActs(db, accountId, { saleId: id }, maxActs),
  ]);
  return {
    sale,
    buyer_link: buyerLink(config, { accountId, saleId: sale.id }),
    state,
    customer: namedCustomer(row.customer),
    device: row.device_id === null ? null : { id: row.device_id, name: row.device_name! },
    shift: row.shift === null ? null : shownShift(JSON.parse(row.shift) as CashSession),
    cashier: row.cashier,
    payments: row.payments === null ? null : (JSON.parse(row.payments) as SaleDetail["payments"]),
    parts: paymentParts(sale, row.payments),
    documents,
    returns,
    corrections: correctionsOf(books.get(id)),
    can_return: sale.status === "completed" && planRest(sale, returns) !== undefined,
    // Nothing but the buyer is missing.
    can_switch: switchProblem(sale, undefined, { isReturned: returns.length > 0 })?.param === "customer_id",
    movements,
    ticket_mails,
    acts,
    findings,
  };
}

function correctionsOf(books: Books | undefined): SaleCorrection[] {
  if (!books) return [];
  const { counted, corrections } = books;
  const row = (kind: SaleCorrection["kind"], sign: number, { id, body, payments }: CountedSale | Correction) => ({
    ...{ id, kind, occurred_at: body.occurred_at, total: sign * body.total },
    parts: paymentParts(body, payments).map((part) => ({ ...part, amount: sign * part.amount })),
  });
  return [row("sale", 1, counted), ...corrections.map((one) => row("correction", -1, one))];
}

/** A sale's page shows the last ones. */
const maxActs = 50;

function shownShift({ id, register_name, opened_by, opened_at, status }: CashSession): SaleDetail["shift"] {
  return { id, register_name, opened_by, opened_at, status };
}

/** In the order they were made. */
export async function readReturnsOfSale(db: Queryable, accountId: string, saleId: string): Promise<SaleReturn[]> {
  const { rows } = await db.query<{ body: string; register_name: string | null }>(sql`
    select r.body, t.body ->> 'register_name' as register_name
    from returns r left join cash_sessions t on t.account_id = r.account_id and t.id = r.cash_session_id
    where r.account_id = ${accountId} and r.sale_id = ${saleId} order by r.seq, r.id`);
  return rows.map(({ body, register_name }) => {
    const made = JSON.parse(body) as Return;
    const { cash_session_id: id } = made;
    return { ...made, drawer: id === null || register_name === null ? null : { id, register_name } };
  });
}

/** A sale of a thousand lines has as many movements; its page shows the first ones. */
const maxMovements = 500;

async function readMovements(db: Queryable, accountId: string, saleId: string): Promise<SaleMovement[]> {
  const { rows } = await db.query<{
    body: string;
    product_name: string | null;
    base_unit: string | null;
    warehouse_name: string | null;
  }>(sql`
    select m.body, p.body ->> 'name' as product_name, p.body ->> 'base_unit' as base_unit, w.body ->> 'name' as warehouse_name
    from stock_movements m
    left join products p on p.account_id = m.account_id and p.id = m.product_id
    left join warehouses w on w.account_id = m.account_id and w.id = m.warehouse_id
    where m.account_id = ${accountId} and m.sale_id = ${saleId}
    order by m.created_at, m.id limit ${maxMovements}`);
  return rows.map(({ body, ...names }) => {
    const { id, product_id, type, quantity, origin_type, reason, created_at } = JSON.parse(body) as StockMovement;
    return { id, product_id, type, quantity, origin_type, reason, created_at, ...names };
  });
}
