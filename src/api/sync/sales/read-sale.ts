import type { Customer } from "../../../business/customers/schema.ts";
import type { Invoice } from "../../../business/invoices/schema.ts";
import type { Return } from "../../../business/returns/schema.ts";
import type { Sale } from "../../../business/sales/schema.ts";
import type { Pool } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";
import { switchProblem } from "../../../fiscal/documents/switch-problem.ts";
import { ApiError } from "../../../lib/errors.ts";
import { documentData } from "../feed-data.ts";
import type { Payment } from "../push/beside-sale.ts";

/** A sale with what it takes to print its ticket again, to take lines back, to invoice it and to mail it. */
export interface WholeSale {
  sale: Sale;
  ticket_number: number | null;
  register: string | null;
  cashier: string | null;
  customer: { name: string; document: string | null } | null;
  /** Its means, each with its reference; null where its register told only the largest. */
  payments: Payment[] | null;
  /** As they travel down the feed of the register that sold. */
  documents: object[];
  returns: Return[];
  /** Whether its POS document can be replaced by an invoice. */
  can_invoice: boolean;
}

interface Row {
  body: string;
  ticket_number: number | null;
  register: string | null;
  cashier: string | null;
  customer: string | null;
  payments: string | null;
  documents: string[];
  returns: string[];
}

/** More than a sale has, however often something comes back; the server counts them all. */
const maxReturns = 500;
const maxDocuments = 100;

export async function readWholeSale(
  pool: Pool,
  accountId: string,
  id: string,
  qrOf: (cufe: string) => string,
): Promise<WholeSale> {
  const { rows } = await pool.query<Row>(sql`
    select s.body, s.ticket_number, coalesce(t.body ->> 'register_name', d.name) as register, k.name as cashier,
      c.body as customer, s.payments,
      array(select i.body::text from invoices i where i.account_id = s.account_id and i.sale_id = s.id
        order by i.created_at, i.id limit ${maxDocuments}) as documents,
      array(select r.body::text from returns r where r.account_id = s.account_id and r.sale_id = s.id
        order by r.seq, r.id limit ${maxReturns}) as returns
    from sales s
    left join customers c on c.account_id = s.account_id and c.id = s.customer_id
    left join cash_sessions t on t.account_id = s.account_id and t.id = s.cash_session_id
    left join devices d on d.account_id = s.account_id and d.id = s.device_id
    left join cashiers k on k.account_id = s.account_id and k.id = s.cashier_id
    where s.account_id = ${accountId} and s.id = ${id}`);
  const row = rows[0];
  if (!row) throw new ApiError("NOT_FOUND", { param: "id", message: "No existe esta venta en el negocio." });
  const sale = JSON.parse(row.body) as Sale;
  const returns = row.returns.map((text) => JSON.parse(text) as Return);
  return {
    sale,
    ticket_number: row.ticket_number,
    register: row.register,
    cashier: row.cashier,
    customer: row.customer === null ? null : buyerOf(JSON.parse(row.customer) as Customer),
    payments: row.payments === null ? null : (JSON.parse(row.payments) as Payment[]),
    documents: row.documents.map((text) => documentData(JSON.parse(text) as Invoice, qrOf)),
    returns,
    // Nothing but the buyer is missing.
    can_invoice: switchProblem(sale, undefined, { isReturned: returns.length > 0 })?.param === "customer_id",
  };
}

function buyerOf({ name, last_name, document_type, document_number }: Customer): WholeSale["customer"] {
  return {
    name: [name, last_name].filter(Boolean).join(" "),
    document: document_number ? [document_type, document_number].filter(Boolean).join(" ") : null,
  };
}
