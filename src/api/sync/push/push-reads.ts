import { storedActs } from "../../../business/counter/counter-acts.ts";
import { forEach, type ResourceName, resources } from "../../../business/registry.ts";
import { plainArray } from "../../../db/arrays.ts";
import { type Read, reading, readingAll, withoutReading } from "../../../db/read.ts";
import { type Statement, sql } from "../../../db/sql.ts";
import type { DeclaredRecords } from "../../../engine/writing/job.ts";
import { issuerRead } from "../../../fiscal/documents/issuer.ts";
import type { SecretKeys } from "../../../lib/secret-keys.ts";
import { isUploaded, type RecordType } from "../protocol.ts";
import { deviceProgress } from "./device-progress.ts";
import { storedFlags } from "./flags.ts";
import { judging } from "./judge-rights.ts";
import { soldQuotes } from "./offers.ts";
import { type Fields, type Incoming, idIn } from "./read-record.ts";
import { returned } from "./returning.ts";
import { shiftOwners } from "./shift-owners.ts";

export interface PushReads {
  records: DeclaredRecords[];
  others: ReturnType<typeof othersOf>;
}

export type Found = ReturnType<PushReads["others"]["from"]>;

/** How far the device's uploads have come, and all that these refer to: known before the account is locked, read behind its lock. */
export function readsOf(
  {
    accountId,
    deviceId,
    secretKey,
    tellsActs,
  }: { accountId: string; deviceId: string; secretKey: SecretKeys; tellsActs: boolean },
  records: readonly Incoming[],
): PushReads {
  const ids = idsByType(records);
  const references = (type: RecordType, field: string) =>
    records.flatMap((record) => (record.type === type ? (idIn(record.data, field) ?? []) : []));
  // A sale names a shift of its own register, or is asked why not.
  const openOf = tellsActs && records.some(isCompletedSale) ? deviceId : null;
  const shifts = shiftOwners(accountId, references("sale", "cash_session_id"), openOf);
  const others = othersOf({ accountId, deviceId, secretKey }, records, ids, shifts);
  /** Ids that uploads of other kinds refer to. */
  const referenced: Record<ResourceName, string[]> = {
    ...forEach(() => []),
    product: [
      ...references("stock_movement", "product_id"),
      ...references("product_variant", "product_id"),
      // What it sold or offered is compared with what the catalogue says.
      ...(tellsActs ? soldProducts(records) : []),
    ],
    warehouse: [...references("stock_movement", "warehouse_id"), ...references("return", "warehouse_id")],
    sale: [
      ...references("invoice", "sale_id"),
      ...references("return", "sale_id"),
      ...references("sale_invoice", "sale_id"),
      // Whether it is one.
      ...(tellsActs ? references("stock_movement", "sale_id") : []),
    ],
    cash_session: references("return", "cash_session_id"),
    order: references("sale", "order_id"),
    customer: records.flatMap((record) => buyerIn(record) ?? []),
  };
  const wanted = resources.map((resource) => ({
    resource,
    ids: [...((isUploaded(resource.name) && ids.get(resource.name)) || []), ...referenced[resource.name]],
  }));
  return { records: wanted.filter((one) => one.ids.length > 0), others };
}

function othersOf(
  { accountId, deviceId, secretKey }: { accountId: string; deviceId: string; secretKey: SecretKeys },
  records: readonly Incoming[],
  ids: ReadonlyMap<RecordType, string[]>,
  shifts: ReturnType<typeof shiftOwners>,
) {
  const of = (type: RecordType) => ids.get(type) ?? [];
  return readingAll({
    progress: deviceProgress(accountId, deviceId),
    shiftOwners: shifts,
    openJudge: judging(accountId, records),
    soldQuotes: soldQuotes(accountId, records),
    storedActs: storedActs(accountId, of("counter_act")),
    parkedInvoices: parkedInvoices(accountId, of("sale")),
    parkedMovements: parkedMovements(accountId, of("warehouse")),
    orphanMovements: orphanMovements(accountId, of("product")),
    returned: returned(accountId, records),
    flags: storedFlags(accountId, records),
    issuer: records.some(isCompletedSale) ? issuerRead(secretKey, accountId) : withoutReading(() => undefined),
  });
}

function soldProducts(records: readonly Incoming[]): string[] {
  const selling = records.filter(({ type, op }) => op === "upsert" && (type === "sale" || type === "quote"));
  const sold = selling.flatMap(({ data }) => (data.items ?? []) as Fields[]);
  return sold.flatMap((item) => idIn(item, "product_id") ?? []);
}

/** A document may have to be issued for it. */
function isCompletedSale({ type, data }: Incoming): boolean {
  return type === "sale" && data.status === "completed";
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

type Waiting = Read<Map<string, Set<string>>>;

function parkedInvoices(accountId: string, saleIds: readonly string[]): Waiting {
  return waitingFor(
    saleIds,
    (ids) => sql`
      select id, wanted_sale_id as wanted from invoices
      where account_id = ${accountId} and sale_id is null and wanted_sale_id = any(${ids}::uuid[])
      order by created_at, id`,
  );
}

function parkedMovements(accountId: string, warehouseIds: readonly string[]): Waiting {
  return waitingFor(
    warehouseIds,
    (ids) => sql`
      select id, wanted_warehouse_id as wanted from stock_movements
      where account_id = ${accountId} and warehouse_id is null and wanted_warehouse_id = any(${ids}::uuid[])`,
  );
}

function orphanMovements(accountId: string, productIds: readonly string[]): Waiting {
  return waitingFor(
    productIds,
    (ids) => sql`
      select m.id, m.product_id as wanted from stock_movements m
      where m.account_id = ${accountId} and m.product_id = any(${ids}::uuid[])
        and not exists (select from products p where p.account_id = m.account_id and p.id = m.product_id)`,
  );
}

/** Ids of the records that wait for one of these, by its id. */
function waitingFor(ids: readonly string[], statementFor: (ids: ReturnType<typeof plainArray>) => Statement): Waiting {
  if (ids.length === 0) return withoutReading(() => new Map());
  return reading(statementFor(plainArray(ids)), (rows: { id: string; wanted: string }[]) => {
    const groups = new Map<string, Set<string>>();
    for (const { id, wanted } of rows) addTo(groups, wanted, id);
    return groups;
  });
}

export function addTo(groups: Map<string, Set<string>>, wanted: string, id: string): void {
  const some = groups.get(wanted);
  if (some) some.add(id);
  else groups.set(wanted, new Set([id]));
}
