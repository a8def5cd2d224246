import type { CashSession } from "../../../business/cash-sessions/schema.ts";
import type { StockMovement } from "../../../business/inventory/schema.ts";
import type { Sale } from "../../../business/sales/schema.ts";
import type { Queryable } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";
import type { Finding } from "../../../fiscal/findings/finding.ts";
import { ApiError } from "../../../lib/errors.ts";
import { type NamedCustomer, namedCustomer } from "../customers/named-customer.ts";
import { type DocumentOfSale, readDocumentsOfSale } from "../documents/read-documents.ts";

/** A sale with all that belongs to it. */
export interface SaleDetail {
  sale: Sale;
  customer: NamedCustomer | null;
  device: { id: string; name: string } | null;
  shift: Pick<CashSession, "id" | "register_name" | "opened_by" | "opened_at" | "status"> | null;
  documents: DocumentOfSale[];
  movements: SaleMovement[];
  /** What did not add up in the register's upload. */
  findings: Finding[];
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
  findings: string | null;
}

export async function readSale(db: Queryable, accountId: string, id: string): Promise<SaleDetail> {
  const { rows } = await db.query<Row>(sql`
    select s.body, c.body as customer, t.body as shift, d.id as device_id, d.name as device_name, f.findings
    from sales s
    left join customers c on c.account_id = s.account_id and c.id = s.customer_id
    left join cash_sessions t on t.account_id = s.account_id and t.id = s.cash_session_id
    left join devices d on d.account_id = s.account_id and d.id = s.device_id
    left join flagged_records f on f.account_id = s.account_id and f.record_id = s.id and f.type = 'sale'
    where s.account_id = ${accountId} and s.id = ${id}`);
  const row = rows[0];
  if (!row) throw new ApiError("NOT_FOUND", { param: "id", message: "No existe esta venta en el negocio." });
  const [documents, movements] = await Promise.all([
    readDocumentsOfSale(db, accountId, id),
    readMovements(db, accountId, id),
  ]);
  return {
    sale: JSON.parse(row.body) as Sale,
    customer: namedCustomer(row.customer),
    device: row.device_id === null ? null : { id: row.device_id, name: row.device_name! },
    shift: row.shift === null ? null : shownShift(JSON.parse(row.shift) as CashSession),
    documents,
    movements,
    findings: row.findings === null ? [] : (JSON.parse(row.findings) as Finding[]),
  };
}

function shownShift({ id, register_name, opened_by, opened_at, status }: CashSession): SaleDetail["shift"] {
  return { id, register_name, opened_by, opened_at, status };
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
