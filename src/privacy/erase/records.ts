import { customers } from "../../business/customers/resource.ts";
import { resources } from "../../business/registry.ts";
import { prepared, sql } from "../../db/sql.ts";
import type { EventType } from "../../engine/events/event-types.ts";
import type { RecordBody, Resource, Stored } from "../../engine/resources/resource.ts";
import type { Write } from "../../engine/writing/write.ts";
import { type WritingDeps, writing } from "../../engine/writing/writing.ts";
import { must } from "../../lib/must.ts";
import { cleanBody, type Wanted } from "./bodies.ts";

export interface Erasing extends Wanted {
  deps: WritingDeps;
  accountId: string;
  erasureId: string;
}

/** Enough for a business's registers to wait some hundredths of a second. */
export const recordsPerWrite = 100;

/** Those that tell integrators of a change, besides what the resource says of its own. */
const updated: Readonly<Record<string, EventType>> = { sale: "sale.updated" };

/**
 * The person's own records become nobody's and are deleted, as the last version of theirs. In the same write the erasure takes
 * its place in the registers' feed: with the tombstones, so that a register still knows whom to forget.
 */
export async function eraseCustomers({ deps, accountId, erasureId, ...wanted }: Erasing): Promise<number> {
  const { customerIds } = wanted.person;
  return writing(deps, accountId, async (write) => {
    const found = await write.loadMany(customers, customerIds);
    const at = write.at.toISOString();
    let erased = 0;
    for (const record of found.values()) {
      if (record.body.erased_at) continue;
      const deleted_at = record.body.deleted_at ?? at;
      const body = { ...cleanBody(record.body, wanted), deleted_at, erased_at: at, updated_at: at };
      write.put(customers, { body });
      write.emit("customer.updated", body);
      if (record.body.deleted_at === null) write.emit("customer.deleted", body);
      erased += 1;
    }
    write.moveFeed();
    write.addStatement(sql`
      update erasures set seq = ${write.seq} where account_id = ${accountId} and id = ${erasureId} and seq is null`);
    return erased;
  });
}

/** Writes those of these records anew that name the person; returns how many. Nothing is written where none does. */
export async function eraseInRecords(
  { deps, accountId, ...wanted }: Erasing,
  table: string,
  ids: readonly string[],
): Promise<number> {
  if (ids.length === 0) return 0;
  const all: readonly Resource[] = resources;
  const resource = must(
    all.find((one) => one.table === table),
    "A table of records has its resource",
  );
  return writing(deps, accountId, async (write) => {
    const found = await write.loadMany(resource, ids);
    let changed = 0;
    for (const record of found.values()) if (putCleaned(write, resource, record, wanted)) changed += 1;
    if (changed === 0) write.discard();
    return changed;
  });
}

function putCleaned(write: Write, resource: Resource, record: Stored<RecordBody>, wanted: Wanted): boolean {
  const cleaned = cleanBody(record.body, wanted);
  const own = cleanedColumns(resource, record, wanted);
  if (cleaned === record.body && Object.keys(own).length === 0) return false;
  const body = { ...cleaned, updated_at: write.at.toISOString() };
  write.put(resource, { ...record, ...own, body });
  const type = resource.events?.updated ?? updated[resource.name];
  if (type) write.emit(type, body);
  return true;
}

/** Of its private columns, those with texts: the references of payments. */
function cleanedColumns(resource: Resource, record: Stored<RecordBody>, { traces }: Wanted): Record<string, string> {
  const entries = Object.entries<string>(resource.private as Record<string, string>).flatMap(([name, type]) => {
    const value = (record as unknown as Record<string, unknown>)[name];
    if (type !== "text" || typeof value !== "string") return [];
    const cleaned = cleanText(value, (parsed) => traces.cleanValue(parsed), traces.clean);
    return cleaned === value ? [] : [[name, cleaned] as const];
  });
  return Object.fromEntries(entries);
}

/** A text may be a JSON document: then only its strings are touched. */
export function cleanText(text: string, ofValue: (value: object) => object, ofText: (text: string) => string): string {
  const parsed = /^\s*[{[]/.test(text) ? jsonIn(text) : undefined;
  if (!parsed) return ofText(text);
  const cleaned = ofValue(parsed);
  return cleaned === parsed ? text : JSON.stringify(cleaned);
}

function jsonIn(text: string): object | undefined {
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

/** Tables whose records name the customer. */
export type LinkedTable = "sales" | "quotes" | "orders";

/** The next of a customer's sales, quotes or orders, in the order of the index that has them. */
export async function linkedIds(
  { deps, accountId }: Pick<Erasing, "deps" | "accountId">,
  table: LinkedTable,
  customerId: string,
  after: { createdAt: string; id: string } | undefined,
): Promise<{ id: string; createdAt: string }[]> {
  const text = `select id, created_at::text as "createdAt" from ${table} where account_id = $1 and customer_id = $2
    ${after ? "and (created_at, id) < ($3::timestamptz, $4::uuid)" : ""}
    order by created_at desc, id desc limit ${recordsPerWrite}`;
  const values = [accountId, customerId, ...(after ? [after.createdAt, after.id] : [])];
  return (await deps.pool.query<{ id: string; createdAt: string }>(prepared(text, values))).rows;
}
