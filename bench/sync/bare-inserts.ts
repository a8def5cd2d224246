import type { Pool } from "../../src/db/pool.ts";
import { prepared, type Statement } from "../../src/db/sql.ts";
import { eventText } from "../../src/engine/events/record-event.ts";
import { uuidv7 } from "../../src/lib/ids.ts";
import type { BenchRecord } from "./baskets.ts";

/** Prepares one batch as bare multi-row INSERTs of its sales, movements and events. */
export function bareInserts(accountId: string, records: readonly BenchRecord[], seq: number, at: Date): Statement[] {
  const instant = at.toISOString();
  const sales = records.filter(({ type }) => type === "sale");
  const movements = records.filter(({ type }) => type === "stock_movement");
  const saleText = ({ id, data }: BenchRecord) =>
    JSON.stringify({
      object: "sale",
      id,
      ...data,
      items: (data.items as object[]).map((item) => ({ object: "sale_item", ...item })),
      invoices: [],
      created_at: instant,
      updated_at: instant,
    });
  const movementText = ({ id, data }: BenchRecord) =>
    JSON.stringify({ object: "stock_movement", id, ...data, created_at: instant, updated_at: instant });
  const saleTexts = sales.map(saleText);
  const movementTexts = movements.map(movementText);
  const event = (type: Parameters<typeof eventText>[1], text: string) => {
    const id = uuidv7(at);
    return [accountId, instant, id, seq, type, eventText(id, type, at, text)];
  };
  return [
    insert(
      "sales",
      "account_id, id, created_at, updated_at, seq, status, document_kind, customer_id, cash_session_id, occurred_at, device_id, device_seq, edited_at, announced, body",
      sales.map(({ id, data }, i) => [
        ...[accountId, id, instant, instant, seq, data.status, data.document_kind, null, null, data.occurred_at],
        ...[accountId, i, instant, ["completed"], saleTexts[i]],
      ]),
    ),
    insert(
      "stock_movements",
      "account_id, id, created_at, updated_at, seq, product_id, warehouse_id, type, sale_id, from_api, delta_milli, body",
      movements.map(({ id, data }, i) => [
        ...[accountId, id, instant, instant, seq, data.product_id, null, data.type, data.sale_id, false, -2000],
        movementTexts[i],
      ]),
    ),
    insert("events", "account_id, created_at, id, seq, type, body", [
      ...saleTexts.flatMap((text) => [event("sale.created", text), event("sale.completed", text)]),
      ...movementTexts.map((text) => event("inventory.movement.created", text)),
    ]),
  ];
}

function insert(table: string, columns: string, rows: unknown[][]): Statement {
  const width = rows[0]!.length;
  const places = rows.map((row, r) => `(${row.map((_, c) => `$${r * width + c + 1}`).join(", ")})`);
  return prepared(`insert into ${table} (${columns}) values ${places.join(", ")}`, rows.flat());
}

/** Runs one batch as one transaction, with its statements pipelined. */
export async function runBare(pool: Pool, statements: readonly Statement[]): Promise<void> {
  const client = await pool.connect();
  try {
    await Promise.all([client.query("begin"), ...statements.map((one) => client.query(one)), client.query("commit")]);
  } finally {
    client.release();
  }
}
