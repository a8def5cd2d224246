import { erased, tracesOf } from "../src/privacy/traces.ts";
import type { Catalog } from "./catalog.ts";
import type { Change, Entry } from "./protocol.ts";
import { type KeptSale, saleRow } from "./sale.ts";
import { type Shift, shiftRow } from "./shift.ts";
import type { Row, Store } from "./store.ts";
import type { Ticket } from "./ticket.ts";

/** Whom the service has erased, by ids: her customer records, and the sales whose tickets went to her. */
export interface Erasure {
  customer_ids: readonly string[];
  sale_ids: readonly string[];
}

/** Erasures of which something that the service does not have yet may still be waiting in the outbox. */
const pendingKey = "erasures";

const pageEntries = 500;

/** The fields of records that tell who somebody is. */
// biome-ignore lint/suspicious/noExplicitAny: records as they were received or recorded
type Fields = any;

export function erasuresIn(changes: readonly Change[]): Erasure[] {
  return changes.flatMap(({ type, deleted, data }) => (type === "erasure" && !deleted ? [data as Erasure] : []));
}

/**
 * Forgets persons: in the catalog's own words before the feed takes them away, in sales, tickets and shifts, and in what was uploaded.
 * What the service has not acknowledged must reach it as it is, and is cleaned once it has.
 */
export async function forget(store: Store, catalog: Catalog, found: readonly Erasure[], acked: number): Promise<void> {
  const pending = (await store.get<Erasure[]>("meta", pendingKey)) ?? [];
  const all = [...pending, ...found];
  if (all.length === 0) return;
  const erasure: Required<Erasure> = {
    customer_ids: all.flatMap(({ customer_ids }) => customer_ids),
    sale_ids: all.flatMap(({ sale_ids }) => sale_ids),
  };
  const entries = await allEntries(store);
  const sales = await store.list<KeptSale>("sale");
  const forgetting = forgettingOf(erasure, catalog, sales, entries);
  const rows: Row[] = [
    ...sales.map((sale) => [sale, forgetting.sale(sale)] as const).flatMap(changed(saleRow)),
    ...(await store.list<Shift>("shift"))
      .map((shift) => [shift, forgetting.value(shift)] as const)
      .flatMap(changed(shiftRow)),
    ...(await store.list<Ticket>("ticket"))
      .map((ticket) => [ticket, forgetting.ticket(ticket)] as const)
      .flatMap(changed(ticketRow)),
  ];
  const cleaned = entries
    .filter(({ device_seq }) => device_seq <= acked)
    .map((entry) => [entry, forgetting.entry(entry)] as const);
  const isWaiting = entries.some((entry) => entry.device_seq > acked && forgetting.entry(entry) !== entry);
  await store.rewrite({
    entries: cleaned.flatMap(([before, after]) => (before === after ? [] : [after])),
    put: [...rows, { table: "meta", key: pendingKey, value: isWaiting ? all : [] }],
  });
}

const ticketRow = (ticket: Ticket): Row => ({ table: "ticket", key: ticket.id, value: ticket });

function changed<T>(rowOf: (value: T) => Row) {
  return ([before, after]: readonly [T, T]): Row[] => (before === after ? [] : [rowOf(after)]);
}

async function allEntries(store: Store): Promise<Entry[]> {
  const all: Entry[] = [];
  for (let after = 0; ; ) {
    const page = await store.entries(after, pageEntries);
    all.push(...page);
    const last = page.at(-1);
    if (!last || page.length < pageEntries) return all;
    after = last.device_seq;
  }
}

interface Forgetting {
  sale(sale: KeptSale): KeptSale;
  ticket(ticket: Ticket): Ticket;
  entry(entry: Entry): Entry;
  value<T>(value: T): T;
}

function forgettingOf(
  { customer_ids, sale_ids }: Erasure,
  catalog: Catalog,
  sales: readonly KeptSale[],
  entries: readonly Entry[],
): Forgetting {
  const customers = new Set(customer_ids);
  const isHers = (id: string | null | undefined) => id !== null && id !== undefined && customers.has(id);
  const hers = new Set([...sale_ids, ...sales.filter(({ data }) => isHers(data.customer_id)).map(({ id }) => id)]);
  const dataOf = ({ data }: Entry): Fields => data;
  const records: Fields[] = [
    ...customer_ids.flatMap((id) => catalog.get("customer", id) ?? []),
    ...entries.filter(({ type, id }) => type === "customer" && customers.has(id)).map(dataOf),
  ];
  const mailed = entries.filter((entry) => entry.type === "ticket_mail" && hers.has(dataOf(entry).sale_id)).map(dataOf);
  const texts = (name: string, from: readonly Fields[]) => [
    ...new Set(from.flatMap((one) => (typeof one[name] === "string" ? [one[name] as string] : []))),
  ];
  const named = [
    ...records,
    ...sales.filter(({ id }) => hers.has(id)).map(({ customer_name }) => ({ name: customer_name })),
  ].flatMap(({ name, last_name = null }) =>
    typeof name === "string" ? [{ name, last_name: last_name as string | null }] : [],
  );
  const traces = tracesOf({
    emails: [...texts("email", records), ...texts("email", mailed)].map((email) => email.toLowerCase()),
    phones: texts("phone", records),
    documents: texts("document_number", records),
    names: named,
  });
  return {
    sale(sale) {
      if (!hers.has(sale.id)) return traces.cleanValue(sale);
      const isClean = sale.customer_name === null && sale.data.notes === null && sale.data.table_label === null;
      const data = { ...sale.data, notes: null, table_label: null };
      return isClean ? traces.cleanValue(sale) : traces.cleanValue({ ...sale, ...noBuyer, data });
    },
    ticket(ticket) {
      return traces.cleanValue(withoutBuyer(ticket, isHers));
    },
    entry(entry) {
      const data = forgottenData(entry, { customers, hers, isHers });
      return traces.cleanValue(data === entry.data ? entry : { ...entry, data });
    },
    value: (value) => traces.cleanValue(value),
  };
}

export function withoutBuyer(ticket: Ticket, isHers: (customerId: string | null) => boolean): Ticket {
  if (!isHers(ticket.customer_id)) return ticket;
  return { ...ticket, customer_id: null, document_kind: "pos", table_label: null, notes: null };
}

const noBuyer = { customer_name: null, customer_document: null };

/** What an upload says afterwards: its id and its number stay, so that it is known again. */
function forgottenData(
  { type, id, data }: Entry,
  known: { customers: ReadonlySet<string>; hers: ReadonlySet<string>; isHers: (id: string | null) => boolean },
): object {
  const fields: Fields = data;
  const without = (...names: string[]) =>
    names.every((name) => fields[name] === null || fields[name] === undefined)
      ? data
      : { ...data, ...Object.fromEntries(names.map((name) => [name, null])) };
  switch (type) {
    case "customer":
      return known.customers.has(id) && fields.name !== "Cliente borrado" ? { name: "Cliente borrado" } : data;
    case "sale":
      return known.hers.has(id) ? without("notes", "table_label") : data;
    case "quote":
      return known.isHers(fields.customer_id) ? without("customer_name", "notes") : data;
    case "ticket_mail":
      return known.hers.has(fields.sale_id) && fields.email !== erased ? { ...data, email: erased } : data;
    default:
      return data;
  }
}
