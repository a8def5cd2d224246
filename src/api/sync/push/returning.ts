import type { Sale } from "../../../business/sales/schema.ts";
import { plainArray } from "../../../db/arrays.ts";
import { type Read, reading, readingAll, withoutReading } from "../../../db/read.ts";
import { sql } from "../../../db/sql.ts";
import type { Write } from "../../../engine/writing/write.ts";
import { loadWarehouses } from "../../../fiscal/returns/load-returnable.ts";
import type { RecordType } from "../protocol.ts";
import { type BesideSale, readBesideSale } from "./beside-sale.ts";
import { type Fields, type Incoming, idIn } from "./read-record.ts";

/** What a push needs to apply returns besides the records they name. */
export interface Returning {
  /** Ids of the returns of each sale, in the order they were made. */
  ids: Map<string, Set<string>>;
  of(saleId: string): string[];
  warehouseOf(productId: string): string | null;
  /** Cash that returns took out of a shift. */
  cashOf(sessionId: string): number;
  addCash(sessionId: string, amount: number): void;
  /** Keeps a return until its sale is here and completed. */
  park(record: Incoming, saleId: string): void;
  /** The returns that waited for a sale; they no longer do. */
  unpark(saleId: string): Incoming[];
}

/** The part of a working set that returns are loaded into. */
interface Loading {
  /** The register's sede. */
  place: string | null;
  saleOf(id: string): { body: Sale } | undefined;
  load(name: "returns" | "products" | "cashSessions" | "warehouses", ids: readonly string[]): Promise<void>;
}

/** What waits for the uploaded sales, and what returns took out of the uploaded shifts. */
export function returned(accountId: string, records: readonly Incoming[]): Read<Returned> {
  return readingAll({
    parked: parkedReturns(accountId, idsOf(records, "sale")),
    cash: returnedCash(accountId, idsOf(records, "cash_session")),
  });
}

interface Returned {
  /** Returns by the sale that they wait for. */
  parked: Map<string, Incoming[]>;
  cash: Map<string, number>;
}

/** Loads what the uploaded returns, and those that waited for uploaded sales, refer to. */
export async function openReturning(
  write: Write,
  deviceId: string,
  records: readonly Incoming[],
  { parked, cash }: Returned,
  loading: Loading,
): Promise<Returning> {
  const saleIds = [...new Set([...returnedSales(records), ...parked.keys()])];
  const ids = await readReturnIds(write, [...saleIds, ...cancelledSales(records)]);
  const stored = saleIds.flatMap((id) => loading.saleOf(id)?.body ?? []);
  const arriving = records
    .filter(({ type, id }) => type === "sale" && saleIds.includes(id))
    .flatMap(({ data }) => data.items as Fields[]);
  const goods = [
    ...stored.flatMap(({ items }) => items.flatMap(({ product_id }) => product_id ?? [])),
    ...arriving.flatMap((item) => idIn(item, "product_id") ?? []),
  ];
  const late = [...parked.values()].flat();
  const named = (field: string) => late.flatMap(({ data }) => idIn(data, field) ?? []);
  const [warehouseOf] = await Promise.all([
    saleIds.length > 0 ? loadWarehouses(write, stored, loading.place) : () => null,
    loading.load("products", goods),
    // An upload's own references are loaded with it; those of a return that waited are not.
    loading.load("cashSessions", named("cash_session_id")),
    loading.load("warehouses", named("warehouse_id")),
    loading.load(
      "returns",
      [...ids.values()].flatMap((some) => [...some]),
    ),
  ]);
  return {
    ids,
    of: (saleId) => [...(ids.get(saleId) ?? [])],
    warehouseOf,
    cashOf: (id) => cash.get(id) ?? 0,
    addCash: (id, amount) => void cash.set(id, (cash.get(id) ?? 0) + amount),
    park(record, saleId) {
      const waiting = parked.get(saleId) ?? [];
      if (waiting.some(({ id }) => id === record.id)) return;
      parked.set(saleId, [...waiting, record]);
      write.addStatement(storeParked(write, deviceId, record, saleId));
    },
    unpark(saleId) {
      const waiting = parked.get(saleId) ?? [];
      parked.delete(saleId);
      if (waiting.length > 0)
        write.addStatement(
          sql`delete from parked_returns where account_id = ${write.accountId} and sale_id = ${saleId}`,
        );
      return waiting;
    },
  };
}

function idsOf(records: readonly Incoming[], wanted: RecordType): string[] {
  return records.flatMap(({ type, id }) => (type === wanted ? id : []));
}

function returnedSales(records: readonly Incoming[]): string[] {
  return records.flatMap(({ type, data }) => (type === "return" ? (idIn(data, "sale_id") ?? []) : []));
}

/** Their cancellation takes back what returns have left. */
function cancelledSales(records: readonly Incoming[]): string[] {
  return records.flatMap(({ type, id, data }) => (type === "sale" && data.status === "cancelled" ? id : []));
}

async function readReturnIds(write: Write, saleIds: readonly string[]): Promise<Map<string, Set<string>>> {
  if (saleIds.length === 0) return new Map();
  const { rows } = await write.client.query<{ id: string; sale_id: string }>(sql`
    select id, sale_id from returns where account_id = ${write.accountId} and sale_id = any(${plainArray(saleIds)}::uuid[])
    order by seq, id`);
  const ids = Map.groupBy(rows, ({ sale_id }) => sale_id);
  return new Map([...ids].map(([saleId, some]) => [saleId, new Set(some.map(({ id }) => id))]));
}

function returnedCash(accountId: string, sessionIds: readonly string[]): Read<Map<string, number>> {
  if (sessionIds.length === 0) return withoutReading(() => new Map());
  const statement = sql`
    select cash_session_id as id, sum(cash_amount)::text as amount from returns
    where account_id = ${accountId} and cash_session_id = any(${plainArray(sessionIds)}::uuid[]) group by 1`;
  return reading(
    statement,
    (rows: { id: string; amount: string }[]) => new Map(rows.map(({ id, amount }) => [id, Number(amount)])),
  );
}

interface ParkedRow {
  id: string;
  device_id: string;
  sale_id: string;
  device_seq: number;
  edited_at: Date | null;
  data: string;
  beside: string;
}

function parkedReturns(accountId: string, saleIds: readonly string[]): Read<Map<string, Incoming[]>> {
  if (saleIds.length === 0) return withoutReading(() => new Map());
  const statement = sql`
    select id, device_id, sale_id, device_seq, edited_at, data, beside from parked_returns
    where account_id = ${accountId} and sale_id = any(${plainArray(saleIds)}::uuid[]) order by received_at, device_seq, id`;
  return reading(statement, bySale);
}

function bySale(rows: ParkedRow[]): Map<string, Incoming[]> {
  const waiting = rows.map(({ id, device_id: deviceId, sale_id, device_seq, edited_at, ...row }) => {
    const rest = { op: "upsert", baseSeq: 0, changed: null, findings: [] } as const;
    const editedAt = edited_at?.toISOString() ?? null;
    const sent = { data: JSON.parse(row.data) as Fields, beside: JSON.parse(row.beside) as BesideSale };
    const record: Incoming = { ...rest, ...sent, type: "return", id, deviceId, deviceSeq: device_seq, editedAt };
    return { sale_id, record };
  });
  const groups = Map.groupBy(waiting, ({ sale_id }) => sale_id);
  return new Map([...groups].map(([saleId, some]) => [saleId, some.map(({ record }) => record)]));
}

function storeParked(write: Write, deviceId: string, record: Incoming, saleId: string) {
  const { id, deviceSeq, editedAt, data, beside = readBesideSale({}) } = record;
  return sql`
    insert into parked_returns (account_id, id, sale_id, device_id, device_seq, received_at, edited_at, data, beside)
    values (${write.accountId}, ${id}, ${saleId}, ${deviceId}, ${deviceSeq}, ${write.at}, ${editedAt}, ${JSON.stringify(data)},
      ${JSON.stringify(beside)})
    on conflict (account_id, id) do nothing`;
}
