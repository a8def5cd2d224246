import type { DeviceAccess } from "../../../access/devices/device-access.ts";
import { registersInUse, shiftName } from "../../../access/devices/device-names.ts";
import { cashSessions } from "../../../business/cash-sessions/resource.ts";
import type { NewAct } from "../../../business/counter/counter-acts.ts";
import { customers } from "../../../business/customers/resource.ts";
import { stockMovements, warehouses } from "../../../business/inventory/resource.ts";
import { invoices } from "../../../business/invoices/resource.ts";
import { orders } from "../../../business/orders/resource.ts";
import { products } from "../../../business/products/resource.ts";
import { quotes } from "../../../business/quotes/resource.ts";
import { resources } from "../../../business/registry.ts";
import { returns } from "../../../business/returns/resource.ts";
import { type Cancellation, storeCancellations } from "../../../business/sales/cancellation.ts";
import { storeBooks } from "../../../business/sales/correction.ts";
import { sales } from "../../../business/sales/resource.ts";
import type { Sale } from "../../../business/sales/schema.ts";
import type { EventType } from "../../../engine/events/event-types.ts";
import type { Loaded, RecordBody, Resource, Stored } from "../../../engine/resources/resource.ts";
import type { Tracking } from "../../../engine/resources/revisions.ts";
import type { Write } from "../../../engine/writing/write.ts";
import type { FoundIssuer } from "../../../fiscal/documents/issuer.ts";
import type { FiscalFinding } from "../../../fiscal/findings/fiscal-finding.ts";
import { ApiError } from "../../../lib/errors.ts";
import { must } from "../../../lib/must.ts";
import { type BooksOfPush, openBooks } from "./books.ts";
import type { Deletion } from "./deletion.ts";
import type { DeviceProgress } from "./device-progress.ts";
import { type Flags, newFlags, type RecordRef, storedFlags } from "./flags.ts";
import type { Judge, Reduction, Taken } from "./judge-rights.ts";
import { knownBefore } from "./known-before.ts";
import { openTimes, type Times } from "./made-at.ts";
import type { Conflict } from "./merge-fields.ts";
import { nothingYet } from "./nothing-yet.ts";
import { type Offers, openOffers } from "./offers.ts";
import type { Found, PushReads } from "./push-reads.ts";
import type { Incoming } from "./read-record.ts";
import { openReturning, type Returning } from "./returning.ts";
import { knownShifts, type StraySale } from "./shift-owners.ts";
import { findStray } from "./stray-sales.ts";

/** The loaded records of one kind that a push refers to, with the changes applied so far. */
export interface RecordSet<B extends RecordBody, P extends object> {
  get(id: string): Loaded<B, P> | undefined;
  set(record: Stored<B, P>, tracking?: Tracking): void;
}

/** The working set of one push. Every record it refers to is loaded at once, and every change is stored at once. */
export interface WorkingSet {
  write: Write;
  deviceId: string;
  /** What the register reports that it knows. */
  capabilities: readonly string[] | null;
  /** What it had announced before. */
  announced: readonly string[] | null | undefined;
  times: Times;
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
  /** Sales that counted and count less or not at all, by the number of the upload that says so. */
  reduced: Map<number, Reduction>;
  /** What an upload did to the catalogue that takes a right, by its number. */
  catalogued: Map<number, Taken[]>;
  /** What of the business's records is gone with this push. */
  deleted: Deletion[];
  /** Findings of this push besides those that its flags tell. */
  told: FiscalFinding[];
  /** Sales whose means of payment an upload changed. */
  paidOtherwise: Set<string>;
  /** Revoked or forked devices. Others may take over their records. */
  retiredDevices: ReadonlySet<string>;
  /** Whether a shift has arrived and is another register's. */
  isOthersShift(id: string | null): boolean;
  /** Whether a shift was closed before this push. */
  isClosedShift(id: string): boolean;
  isKnownShift(id: string): boolean;
  /** The register's own, the last one opened at the end; read where a register that tells of acts uploads a charged sale. */
  openShifts: Set<string>;
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
  /** Orders that an upload accepted: what they need is kept apart. */
  acceptedOrders: Set<string>;
  /** Documents of the register's own, and customers the server had not seen. */
  registerDocuments: Set<string>;
  newCustomers: Set<string>;
  /** What happened at the counter besides; stored with the push. */
  acts: NewAct[];
  storedActs: Map<string, NewAct>;
  judge: Judge;
  offers: Offers;
  /** What issuing takes, if the uploads have sales to issue documents for. */
  issuer: FoundIssuer | undefined;
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
      orders: recordSetOf(orders),
      sales: recordSetOf(sales),
      returns: recordSetOf(returns),
      invoices: recordSetOf(invoices),
      stockMovements: recordSetOf(stockMovements),
      cashSessions: recordSetOf(cashSessions),
    },
  };
}

/** Loads what the records refer to, which was read with the opening of the write if `declared` was. */
export async function openWorkingSet(
  write: Write,
  { deviceId, capabilities, announced }: Pick<DeviceAccess, "deviceId" | "capabilities" | "announced">,
  records: readonly Incoming[],
  declared: PushReads,
): Promise<WorkingSet> {
  const { all, recordSetOf, named: recordSets } = newRecordSets(write);
  const [found] = await Promise.all([
    write.read(declared.others),
    ...declared.records.map(({ resource, ids }) => recordSetOf(resource).load(ids)),
  ]);
  const { progress, shiftOwners, parkedInvoices, parkedMovements, orphanMovements, storedActs, issuer } = found;
  if (!progress) throw new ApiError("DEVICE_REVOKED");
  write.placeAt(progress.place);
  const flags = newFlags(write, found.flags);
  const times = openTimes(() => ({ now: write.at.getTime(), skewMs: batch.skewMs }), knownBefore(recordSets, records));
  const offers = openOffers(records, found.soldQuotes, recordSets);
  const judge = found.openJudge(write.at, times.judgedAt, offers);
  const { returning, books, registers, stray, retiredDevices } = await loadFurther(
    write,
    deviceId,
    records,
    found,
    recordSets,
    flags,
  );
  const conflicts: WorkingSet["conflicts"] = [];
  const batch: WorkingSet = {
    ...nothingYet(),
    write,
    deviceId,
    capabilities,
    announced,
    times,
    progress,
    at: write.at.toISOString(),
    skewMs: 0,
    editedAtMs: ({ editedAt }) =>
      editedAt === null
        ? write.at.getTime()
        : Math.max(0, Math.min(write.at.getTime(), Date.parse(editedAt) + batch.skewMs)),
    recordSets,
    recordSetOf,
    close: () => putChanges(batch, [...all.values()]),
    parkedInvoices,
    parkedMovements,
    orphanMovements,
    returning,
    books,
    retiredDevices,
    ...knownShifts(deviceId, shiftOwners, retiredDevices, recordSets.cashSessions),
    straySales: Map.groupBy(stray, ({ shift_id }) => shift_id),
    shiftName: (said) => shiftName(said, deviceId, registers),
    conflicts,
    addConflict: (record, conflict) => void conflicts.push({ record, conflict }),
    flags,
    newCustomers: new Set(
      records.flatMap(({ type, id }) => (type === "customer" && !recordSets.customers.get(id) ? id : [])),
    ),
    storedActs,
    judge,
    offers,
    issuer,
  };
  return batch;
}

/** Loads what the records that were found refer to in their turn. New sales have nothing of it. */
async function loadFurther(
  write: Write,
  deviceId: string,
  records: readonly Incoming[],
  found: Found,
  recordSets: WorkingSet["recordSets"],
  flags: Flags,
) {
  await Promise.all([
    recordSets.invoices.load(idsIn(found.parkedInvoices)),
    recordSets.stockMovements.load([...idsIn(found.parkedMovements), ...idsIn(found.orphanMovements)]),
  ]);
  const [returning, books] = await Promise.all([
    openReturning(write, deviceId, records, found.returned, {
      place: found.progress?.place ?? null,
      saleOf: recordSets.sales.get,
      load: (name, some) => recordSets[name].load(some),
    }),
    openBooks(write, records, recordSets),
  ]);
  const newShifts = records.flatMap(({ type, id }) =>
    type === "cash_session" && !recordSets.cashSessions.get(id) ? id : [],
  );
  const registers = newShifts.length > 0 ? await registersInUse(write.client, write.accountId) : [];
  const { stray, retiredDevices } = await findStray(write, deviceId, newShifts, [
    ...recordSets.sales.owners(),
    ...recordSets.invoices.owners(),
    ...recordSets.cashSessions.owners(),
    ...Array.from(found.shiftOwners.values(), ({ device_id }) => device_id),
  ]);
  const straySales = stray.map(({ id, device_seq }) => ({ type: "sale" as const, id, deviceSeq: device_seq }));
  await Promise.all([
    recordSets.sales.load(stray.map(({ id }) => id)),
    write.read(storedFlags(write.accountId, straySales)).then(flags.add),
  ]);
  return { returning, books, registers, stray, retiredDevices };
}

function putChanges({ write, cancellations, books }: WorkingSet, recordSets: readonly { put(): void }[]): void {
  for (const recordSet of recordSets) recordSet.put();
  const statements = [
    ...(cancellations.length > 0 ? storeCancellations(write, cancellations) : []),
    ...(books.made.length > 0 ? storeBooks(write, books.made) : []),
  ];
  for (const statement of statements) write.addStatement(statement);
}

const idsIn = (groups: ReadonlyMap<string, ReadonlySet<string>>) => [...groups.values()].flatMap((some) => [...some]);

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
        const record = must(records.get(id), "What has changed is in the set");
        write.put(resource, record, record.tracking);
      }
    },
    owners: () => Array.from(records.values(), (record) => (record as { device_id?: string | null }).device_id ?? null),
  };
}
