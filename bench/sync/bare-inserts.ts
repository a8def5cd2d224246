import { storeReceipt } from "../../src/api/sync/push/receipts.ts";
import { addEntry } from "../../src/business/inventory/ledger.ts";
import { type MovementColumns, newEntry, stockMovements } from "../../src/business/inventory/resource.ts";
import type { StockMovement } from "../../src/business/inventory/schema.ts";
import type { ProductLedger } from "../../src/business/products/ledger.ts";
import { products } from "../../src/business/products/resource.ts";
import type { Product } from "../../src/business/products/schema.ts";
import { withLedger } from "../../src/business/products/with-ledger.ts";
import { type SaleColumns, sales } from "../../src/business/sales/resource.ts";
import type { Sale } from "../../src/business/sales/schema.ts";
import { intArray } from "../../src/db/arrays.ts";
import type { Pool } from "../../src/db/pool.ts";
import { prepared, type Statement, sql } from "../../src/db/sql.ts";
import type { EventType } from "../../src/engine/events/event-types.ts";
import { eventText } from "../../src/engine/events/record-event.ts";
import { putColumns, putRow } from "../../src/engine/resources/put-records.ts";
import { loadMany } from "../../src/engine/resources/read-one.ts";
import {
  type Loaded,
  type RecordBody,
  type Resource,
  renderBody,
  type Stored,
} from "../../src/engine/resources/resource.ts";
import type { Tracking } from "../../src/engine/resources/revisions.ts";
import { uuidv7 } from "../../src/lib/ids.ts";
import type { BenchRecord } from "./baskets.ts";
import type { BenchDevice } from "./devices.ts";

/** A shop with what is stored of it, as far as the next rows follow from that. */
export interface BareShop {
  device: BenchDevice;
  products: Map<string, Loaded<Product, ProductLedger>>;
  seq: number;
  ackedSeq: number;
}

/** A shop whose products have been uploaded, in one push. */
export async function openBareShop(pool: Pool, device: BenchDevice, productIds: readonly string[]): Promise<BareShop> {
  const stored = await loadMany(pool, products, device.accountId, productIds);
  return { device, products: stored, seq: 1, ackedSeq: productIds.length };
}

/**
 * Prepares one batch as bare multi-row INSERTs of every row that a push of it writes: sales, movements, events and products,
 * then what a push stores in one row, and the clock.
 */
export function bareInserts(shop: BareShop, records: readonly BenchRecord[], at: Date): Statement[] {
  const { accountId, deviceId } = shop.device;
  const instant = at.toISOString();
  const requestId = uuidv7(at);
  const seq = ++shop.seq;
  const firstSeq = shop.ackedSeq + 1;
  const sold: Stored<Sale, SaleColumns>[] = [];
  const moved: Stored<StockMovement, MovementColumns>[] = [];
  const changed = new Map<string, Loaded<Product, ProductLedger>>();
  const events: unknown[][] = [];
  const emit = (type: EventType, body: RecordBody) => {
    const id = uuidv7(at);
    const text = eventText({ id, type, sequence: seq, createdAt: instant, objectText: renderBody(body) });
    events.push([accountId, instant, seq, requestId, id, type, text, Buffer.byteLength(text)]);
  };
  for (const { type, id, data } of records) {
    const device_seq = ++shop.ackedSeq;
    if (type === "sale") {
      const body = saleBody(id, data, instant);
      const owner = { device_id: deviceId, device_seq, edited_at: instant };
      sold.push({ body, ...owner, announced: ["completed"], settled: [], payments: null, cashier_id: null });
      emit("sale.created", body);
      emit("sale.completed", body);
    } else {
      const body = movementBody(id, data, instant);
      const entry = newEntry(body, { from_api: false, wanted_warehouse_id: null });
      const ledger = addEntry(shop.products.get(body.product_id)!, entry);
      const product = { ...ledger, body: withLedger({ ...ledger.body, updated_at: instant }, ledger) };
      shop.products.set(body.product_id, product);
      changed.set(body.product_id, product);
      moved.push(entry);
      emit("inventory.movement.created", body);
    }
  }
  const hashes = records.map(({ id }) => id.replaceAll("-", "").slice(0, 16));
  return [
    insertRecords(sales, accountId, seq, sold),
    insertRecords(stockMovements, accountId, seq, moved),
    insertRecords(products, accountId, seq, [...changed.values()]),
    insert("events", eventColumns, events),
    ...sales.totals!(
      accountId,
      sold.map((after) => ({ before: undefined, after, seq, at })),
    ),
    storeReceipt({ accountId, deviceId, seq, at, firstSeq, hashes }),
    sql`update device_progress set acked_seq = ${shop.ackedSeq}, skew_ms = 0
      where account_id = ${accountId} and device_id = ${deviceId}`,
    sql`update account_clock set seq = ${seq}, ts = ${at} where account_id = ${accountId}`,
  ];
}

const eventColumns = ["account_id", "created_at", "seq", "request_id", "id", "type", "body", "body_bytes"];

function saleBody(id: string, data: BenchRecord["data"], instant: string): Sale {
  return {
    object: "sale",
    id,
    ...data,
    items: (data.items as object[]).map((item) => ({ object: "sale_item", ...item })),
    invoices: [],
    created_at: instant,
    updated_at: instant,
  } as unknown as Sale;
}

function movementBody(id: string, data: BenchRecord["data"], instant: string): StockMovement {
  return {
    object: "stock_movement",
    id,
    ...data,
    created_at: instant,
    updated_at: instant,
  } as unknown as StockMovement;
}

/** New records, or new versions of the ones that are there. */
function insertRecords<B extends RecordBody, P extends object>(
  resource: Resource<B, P>,
  accountId: string,
  seq: number,
  records: readonly (Stored<B, P> & { tracking?: Tracking })[],
): Statement {
  const rows = records.map((record) => putRow(resource, accountId, { seq, isNew: true }, record, record.tracking));
  const columns = putColumns(resource as unknown as Resource)
    .map((name, place) => ({ name, place }))
    .filter(({ place }) => rows.some(({ values }) => values[place] !== null && values[place] !== undefined));
  const names = columns.map(({ name }) => name);
  const changing = names.filter((name) => !["id", "created_at"].includes(name));
  const orUpdate = resource.units
    ? ` on conflict (account_id, id) do update set ${[...changing, "body"].map((name) => `${name} = excluded.${name}`).join(", ")}`
    : "";
  return insert(
    resource.table,
    ["account_id", ...names, "body"],
    rows.map(({ values, body }) => [
      accountId,
      ...columns.map(({ name, place }) => parameter(name, values[place])),
      body,
    ]),
    orUpdate,
  );
}

function parameter(name: string, value: unknown): unknown {
  if (name === "search_keys") return intArray([value as number[]]);
  return name === "revisions" ? JSON.stringify(value) : value;
}

function insert(table: string, columns: readonly string[], rows: readonly unknown[][], orUpdate = ""): Statement {
  const width = columns.length;
  const places = rows.map((row, r) => `(${row.map((_, c) => `$${r * width + c + 1}`).join(", ")})`);
  return prepared(`insert into ${table} (${columns.join(", ")}) values ${places.join(", ")}${orUpdate}`, rows.flat());
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
