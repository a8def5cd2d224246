import type { DeviceAccess } from "../../../access/devices/device-access.ts";
import { registersInUse, shiftName } from "../../../access/devices/device-names.ts";
import { cashSessions } from "../../../business/cash-sessions/resource.ts";
import { type NewAct, readStoredActs } from "../../../business/counter/counter-acts.ts";
import { customers } from "../../../business/customers/resource.ts";
import { stockMovements, warehouses } from "../../../business/inventory/resource.ts";
import { invoices } from "../../../business/invoices/resource.ts";
import { products } from "../../../business/products/resource.ts";
import { quotes } from "../../../business/quotes/resource.ts";
import { forEach, type ResourceName, resources } from "../../../business/registry.ts";
import { returns } from "../../../business/returns/resource.ts";
import { type Cancellation, storeCancellations } from "../../../business/sales/cancellation.ts";
import { storeBooks } from "../../../business/sales/correction.ts";
import { sales } from "../../../business/sales/resource.ts";
import type { Sale } from "../../../business/sales/schema.ts";
import { plainArray } from "../../../db/arrays.ts";
import { sql } from "../../../db/sql.ts";
import type { EventType } from "../../../engine/events/event-types.ts";
import type { Loaded, RecordBody, Resource, Stored } from "../../../engine/resources/resource.ts";
import type { Tracking } from "../../../engine/resources/revisions.ts";
import type { Write } from "../../../engine/writing/write.ts";
import type { RecordType } from "../protocol.ts";
import { type BooksOfPush, openBooks } from "./books.ts";
import { type DeviceProgress, readProgress } from "./device-progress.ts";
import { type Flags, newFlags, type RecordRef } from "./flags.ts";
import { type Judge, openJudge } from "./judge-rights.ts";
import type { Conflict } from "./merge-fields.ts";
import { type Incoming, idIn } from "./read-record.ts";
import { findReturned, openReturning, type Returning } from "./returning.ts";
import { findShiftOwners, findStraySales, type StraySale } from "./shift-owners.ts";

/** The loaded records of one kind that a push refers to, with the changes applied so far. */
export interface RecordSet<B extends RecordBody, P extends object> {
  get(id: string): Loaded<B, P> | undefined;
  set(record: Stored<B, P>, tracking?: Tracking): void;
}

/** The working set of one push. Every record it refers to is loaded at once, and every change is stored at once. */
export interface Batch {
  write: Write;
  deviceId: string;
  /** What the register reports that it knows. */
  capabilities: readonly string[] | null;
  /** As it was before this push. */
  progress: DeviceProgress;
  /** The write's instant as text, for bodies. */
  at: string;
  /** How far the register's clock is behind the server's. */
  skewMs: number;
  /** When a record was edited, in ms of the server's clock; never in the future, and not before 1970. */
  editedAtMs(record: Incoming): number;
  /** The record sets that are used by name. */
  recordSets: ReturnType<typeof newRecordSets>["named"];
  recordSetOf: ReturnType<typeof newRecordSets>["recordSetOf"];
  /** Passes every changed record to the write. */
  close(): void;
  /** Ids of the records that wait for a sale or a warehouse, by its id. */
  parkedInvoices: Map<string, Set<string>>;
  parkedMovements: Map<string, Set<string>>;
  /** Ids of the movements that arrived before their product, by its id. */
  orphanMovements: Map<string, Set<string>>;
  returning: Returning;
  /** Of sales that counted. */
  cancellations: Cancellation[];
  books: BooksOfPush;
  /** Sales whose register asks for an invoice in place of their POS document, by id, as they were before. */
  switched: Map<string, Sale>;
  /** Sales whose means of payment an upload changed. */
  paidOtherwise: Set<string>;
  /** Revoked or forked devices. Others may take over their records. */
  retiredDevices: ReadonlySet<string>;
  /** Whether a shift has arrived and is another register's. */
  isOthersShift(id: string | null): boolean;
  /** Sales of other registers that named a shift of this one before it arrived, by its id. */
  straySales: Map<string, StraySale[]>;
  /** What a new shift is called, whose register gave it a name. */
  shiftName(said: string): string;
  addConflict(record: RecordRef, conflict: Conflict): void;
  conflicts: { record: RecordRef; conflict: Conflict }[];
  flags: Flags;
  /** Events to emit, in the order of the uploads, each with the record as that upload left it. */
  events: { type: EventType; body: RecordBody }[];
  /** Codes that are new to a product, SKUs and others, by the product's id. */
  newCodes: Map<string, Set<string>>;
  /** Documents of the register's own, and customers the server had not seen. */
  registerDocuments: Set<string>;
  newCustomers: Set<string>;
  /** What happened at the counter besides; stored with the push. */
  acts: NewAct[];
  /** Those that these uploads' ids already are. */
  storedActs: Map<string, NewAct>;
  judge: Judge;
}

function newRecordSets(write: Write) {
  const all = new Map(resources.map((resource) => [resource.table, newRecordSet(write, resource)]));
  const recordSetOf = <B extends RecordBody, P extends object>({ table }: Resource<B, P>) =>
    all.get(table) as ReturnType<typeof newRecordSet<B, P>>;
  return {
    all,
    recordSetOf,
    named: {
      customers: recordSetOf(customers),
      products: recordSetOf(products),
      warehouses: recordSetOf(warehouses),
      quotes: recordSetOf(quotes),
      sales: recordSetOf(sales),
      returns: recordSetOf(returns),
      invoices: recordSetOf(invoices),
      stockMovements: recordSetOf(stockMovements),
      cashSessions: recordSetOf(cashSessions),
    },
  };
}

/**
 * Reads how far the device's uploads have come and every record that these refer to, in one round trip if nothing was waiting
 * for them. The write's own place is not known before that.
 */
export async function openBatch(
  write: Write,
  { deviceId, capabilities }: Pick<DeviceAccess, "deviceId" | "capabilities">,
  records: readonly Incoming[],
): Promise<Batch> {
  const { all, recordSetOf, named: recordSets } = newRecordSets(write);
  const flags = newFlags(write);
  const ids = idsByType(records);
  const of = (type: RecordType) => ids.get(type) ?? [];
  const references = (type: RecordType, field: string) =>
    records.flatMap((record) => (record.type === type ? (idIn(record.data, field) ?? []) : []));
  /** Ids that uploads of other kinds refer to. */
  const referenced: Record<ResourceName, string[]> = {
    ...forEach(() => []),
    product: [...references("stock_movement", "product_id"), ...references("product_variant", "product_id")],
    warehouse: [...references("stock_movement", "warehouse_id"), ...references("return", "warehouse_id")],
    sale: [
      ...references("invoice", "sale_id"),
      ...references("return", "sale_id"),
      ...references("sale_invoice", "sale_id"),
    ],
    cash_session: references("return", "cash_session_id"),
    customer: records.flatMap((record) => buyerIn(record) ?? []),
  };
  const [progress, shiftOwners, judge, storedActs, parkedInvoices, parkedMovements, orphanMovements, returned] =
    await Promise.all([
      readProgress(write, deviceId),
      findShiftOwners(write, references("sale", "cash_session_id")),
      openJudge(write, records, () => batch.skewMs),
      readStoredActs(write.client, write.accountId, of("counter_act")),
      findParkedInvoices(write, of("sale")),
      findParkedMovements(write, of("warehouse")),
      findOrphanMovements(write, of("product")),
      findReturned(write, records),
      flags.load(records),
      ...resources.map(({ name, table }) => all.get(table)!.load([...of(name), ...referenced[name]])),
    ]);
  await Promise.all([
    recordSets.invoices.load([...parkedInvoices.values()].flatMap((some) => [...some])),
    recordSets.stockMovements.load(
      [...parkedMovements.values(), ...orphanMovements.values()].flatMap((some) => [...some]),
    ),
  ]);
  const [returning, books] = await Promise.all([
    openReturning(write, deviceId, records, returned, {
      saleOf: recordSets.sales.get,
      load: (name, some) => recordSets[name].load(some),
    }),
    openBooks(write, records, recordSets),
  ]);
  const newShifts = of("cash_session").filter((id) => !recordSets.cashSessions.get(id));
  const registers = newShifts.length > 0 ? await registersInUse(write.client, write.accountId) : [];
  const named = await findStraySales(write, deviceId, newShifts);
  const retiredDevices = await findRetiredDevices(write, deviceId, [
    ...recordSets.sales.owners(),
    ...recordSets.invoices.owners(),
    ...recordSets.cashSessions.owners(),
    ...shiftOwners.values(),
    ...named.map(({ device_id }) => device_id),
  ]);
  // A register that had to enrol again goes on with the shift of its former self.
  const stray = named.filter(({ device_id }) => !retiredDevices.has(device_id));
  await Promise.all([
    recordSets.sales.load(stray.map(({ id }) => id)),
    flags.load(stray.map(({ id, device_seq }) => ({ type: "sale", id, deviceSeq: device_seq }))),
  ]);
  const conflicts: Batch["conflicts"] = [];
  const batch: Batch = {
    write,
    deviceId,
    capabilities,
    progress,
    at: write.at.toISOString(),
    skewMs: 0,
    editedAtMs: ({ editedAt }) =>
      editedAt === null
        ? write.at.getTime()
        : Math.max(0, Math.min(write.at.getTime(), Date.parse(editedAt) + batch.skewMs)),
    recordSets,
    recordSetOf,
    close: () => {
      for (const recordSet of all.values()) recordSet.put();
      if (batch.cancellations.length > 0)
        for (const statement of storeCancellations(write, batch.cancellations)) write.addStatement(statement);
      if (books.made.length > 0) for (const statement of storeBooks(write, books.made)) write.addStatement(statement);
    },
    parkedInvoices,
    parkedMovements,
    orphanMovements,
    returning,
    cancellations: [],
    books,
    switched: new Map(),
    paidOtherwise: new Set(),
    retiredDevices,
    isOthersShift: (id) => {
      const owner = (id !== null && shiftOwners.get(id)) || deviceId;
      return owner !== deviceId && !retiredDevices.has(owner);
    },
    straySales: Map.groupBy(stray, ({ shift_id }) => shift_id),
    shiftName: (said) => shiftName(said, deviceId, registers),
    conflicts,
    addConflict: (record, conflict) => void conflicts.push({ record, conflict }),
    flags,
    events: [],
    newCodes: new Map(),
    registerDocuments: new Set(),
    newCustomers: new Set(of("customer").filter((id) => !recordSets.customers.get(id))),
    acts: [],
    storedActs,
    judge,
  };
  return batch;
}

function newRecordSet<B extends RecordBody, P extends object>(write: Write, resource: Resource<B, P>) {
  const records = new Map<string, Loaded<B, P>>();
  const changed = new Set<string>();
  return {
    get: (id: string) => records.get(id),
    set(record: Stored<B, P>, tracking?: Tracking) {
      const before = records.get(record.body.id);
      const kept = tracking ?? before?.tracking;
      records.set(record.body.id, { ...record, seq: write.seq, ...(kept && { tracking: kept }) } as Loaded<B, P>);
      changed.add(record.body.id);
    },
    async load(ids: readonly string[]) {
      const wanted = [...new Set(ids)].filter((id) => !records.has(id));
      if (wanted.length === 0) return;
      for (const [id, record] of await write.loadMany(resource, wanted)) records.set(id, record);
    },
    put() {
      for (const id of changed) {
        const record = records.get(id)!;
        write.put(resource, record, record.tracking);
      }
    },
    owners: () => Array.from(records.values(), (record) => (record as { device_id?: string | null }).device_id ?? null),
  };
}

function idsByType(records: readonly Incoming[]): Map<RecordType, string[]> {
  const ids = new Map<RecordType, string[]>();
  for (const { type, id } of records) {
    const some = ids.get(type);
    if (some) some.push(id);
    else ids.set(type, [id]);
  }
  return ids;
}

/** The buyer whom a sale, or a wish about one, asks an invoice for. */
function buyerIn({ type, data }: Incoming): string | null {
  const isAsked = type === "sale_invoice" || (type === "sale" && data.document_kind === "invoice");
  return isAsked ? idIn(data, "customer_id") : null;
}

async function findParkedInvoices(write: Write, saleIds: readonly string[]): Promise<Map<string, Set<string>>> {
  if (saleIds.length === 0) return new Map();
  const { rows } = await write.client.query<{ id: string; wanted: string }>(sql`
    select id, wanted_sale_id as wanted from invoices
    where account_id = ${write.accountId} and sale_id is null and wanted_sale_id = any(${plainArray(saleIds)}::uuid[])
    order by created_at, id`);
  return grouped(rows);
}

async function findParkedMovements(write: Write, warehouseIds: readonly string[]): Promise<Map<string, Set<string>>> {
  if (warehouseIds.length === 0) return new Map();
  const { rows } = await write.client.query<{ id: string; wanted: string }>(sql`
    select id, wanted_warehouse_id as wanted from stock_movements
    where account_id = ${write.accountId} and warehouse_id is null and wanted_warehouse_id = any(${plainArray(warehouseIds)}::uuid[])`);
  return grouped(rows);
}

async function findOrphanMovements(write: Write, productIds: readonly string[]): Promise<Map<string, Set<string>>> {
  if (productIds.length === 0) return new Map();
  const { rows } = await write.client.query<{ id: string; wanted: string }>(sql`
    select m.id, m.product_id as wanted from stock_movements m
    where m.account_id = ${write.accountId} and m.product_id = any(${plainArray(productIds)}::uuid[])
      and not exists (select from products p where p.account_id = m.account_id and p.id = m.product_id)`);
  return grouped(rows);
}

function grouped(rows: readonly { id: string; wanted: string }[]): Map<string, Set<string>> {
  const groups = new Map<string, Set<string>>();
  for (const { id, wanted } of rows) addTo(groups, wanted, id);
  return groups;
}

export function addTo(groups: Map<string, Set<string>>, wanted: string, id: string): void {
  const some = groups.get(wanted);
  if (some) some.add(id);
  else groups.set(wanted, new Set([id]));
}

async function findRetiredDevices(
  write: Write,
  deviceId: string,
  owners: (string | null)[],
): Promise<ReadonlySet<string>> {
  const others = [...new Set(owners)].filter((owner) => owner !== null && owner !== deviceId);
  if (others.length === 0) return new Set();
  const { rows } = await write.client.query<{ device_id: string }>(sql`
    select p.device_id from device_progress p join devices d on d.id = p.device_id
    where p.account_id = ${write.accountId} and p.device_id = any(${others}::uuid[])
      and (d.revoked_at is not null or p.forked_at is not null)`);
  return new Set(rows.map((row) => row.device_id));
}
