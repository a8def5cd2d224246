import type { Customer } from "../../business/customers/schema.ts";
import type { Order } from "../../business/orders/schema.ts";
import type { Quote } from "../../business/quotes/schema.ts";
import type { Sale } from "../../business/sales/schema.ts";
import type { RecordBody } from "../../engine/resources/resource.ts";
import { isSame } from "../../engine/resources/revisions.ts";
import { plainDigits } from "../../taxes/document-number.ts";
import type { Person } from "../person.ts";
import type { Traces } from "../traces.ts";

export interface Wanted {
  person: Person;
  traces: Traces;
}

/** What an erased customer is called. */
export const erasedName = "Cliente borrado";

/** A published record without the person: the same object where nothing of it is hers. */
export function cleanBody<B extends RecordBody>(body: B, { person, traces }: Wanted): B {
  const record = body as RecordBody;
  const cleaned = isCustomer(record)
    ? person.customerIds.includes(record.id)
      ? withoutIdentity(record)
      : cleanOther(record, person, traces)
    : isSale(record)
      ? cleanSale(record, isHers(record, person), traces)
      : isQuote(record)
        ? cleanQuote(record, isHers(record, person), traces)
        : isOrder(record)
          ? cleanOrder(record, ordered(record, person), traces)
          : traces.cleanValue(record);
  return isSame(cleaned, body) ? body : (cleaned as RecordBody as B);
}

/** A JSON document in which records may stand anywhere: in an event, an answer, a list of answers. */
export function cleanDocument<T>(value: T, wanted: Wanted, hers = false): T {
  if (typeof value !== "object" || value === null) return wanted.traces.cleanValue(value, hers);
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => cleanDocument(item, wanted, hers));
    return items.every((item, i) => item === value[i]) ? value : (items as T);
  }
  if (isRecordBody(value)) return cleanBody(value, wanted);
  const cleaned = wanted.traces.cleanValue(value, hers) as Record<string, unknown>;
  const entries = Object.entries(value).map(([name, inner]) => [
    name,
    typeof inner === "object" ? cleanDocument(inner as unknown, wanted, hers) : cleaned[name],
  ]);
  const isUntouched = entries.every(([name, inner]) => inner === (value as Record<string, unknown>)[name as string]);
  return isUntouched ? value : (Object.fromEntries(entries) as T);
}

const publishedKinds = ["customer", "sale", "quote", "order"];

function isRecordBody(value: object): value is RecordBody {
  const { object, id } = value as Partial<RecordBody>;
  return typeof object === "string" && publishedKinds.includes(object) && typeof id === "string";
}

function isCustomer(body: RecordBody): body is Customer {
  return body.object === "customer";
}

function isSale(body: RecordBody): body is Sale {
  return body.object === "sale";
}

function isQuote(body: RecordBody): body is Quote {
  return body.object === "quote";
}

function isOrder(body: RecordBody): body is Order {
  return body.object === "order";
}

/** It is of her record, or whoever ordered said her mail or her document. */
function ordered({ customer_id, contact }: Order, { customerIds, emails, documents }: Person): boolean {
  if (customer_id !== null && customerIds.includes(customer_id)) return true;
  const { email, document_number } = contact ?? { email: null, document_number: null };
  const number = plainDigits(document_number ?? "");
  const isHerNumber = number !== "" && documents.some((one) => plainDigits(one) === number);
  return isHerNumber || (email !== null && emails.includes(email.toLowerCase()));
}

/** What was ordered stays, for its sale; who wanted it and where does not. */
function cleanOrder(order: Order, hers: boolean, traces: Traces): Order {
  if (!hers) return inOrderOf(order, withoutKey(order, traces));
  const { fulfilment, items, payment } = order;
  const nobody: Order = {
    ...order,
    contact: null,
    fulfilment: { ...fulfilment, address: null, notes: null, table: null },
    items: items.map((item) => ({ ...item, notes: null })),
    payment: payment && { ...payment, reference: null },
    ...{ notes: null, rejected_reason: null, cancelled_reason: null },
  };
  return inOrderOf(order, withoutKey(nobody, traces, hers));
}

function isHers({ id, customer_id }: Sale | Quote, { customerIds, saleIds }: Person): boolean {
  return (customer_id !== null && customerIds.includes(customer_id)) || saleIds.includes(id);
}

/** Nothing that tells who it was, nor what a business wrote about her. */
export function withoutIdentity(customer: Customer): Customer {
  const { external_id: _id, metadata: _metadata, ...rest } = customer;
  return {
    ...rest,
    name: erasedName,
    last_name: null,
    email: null,
    phone: null,
    document_number: null,
    contact_channel: null,
  };
}

/** As it was invoiced: the lines of a sale with a document stay, because the document has them too. */
function cleanSale(sale: Sale, hers: boolean, traces: Traces): Sale {
  const { items, ...rest } = sale;
  const documented = sale.invoices.some(({ status }) => status !== "rejected" && status !== "emission_failed");
  const cleaned = withoutKey(hers ? { ...rest, notes: null, table_label: null } : rest, traces, hers);
  return inOrderOf(sale, { ...cleaned, items: documented ? items : traces.cleanValue(items) });
}

/** Somebody else may have the same name, or share a telephone: only what was written about others is looked at. */
function cleanOther(customer: Customer, { by }: Person, traces: Traces): Customer {
  const { name, last_name, email, phone, document_number } = customer;
  const own = by === "mail" ? { document_number } : { email };
  return inOrderOf(customer, { ...withoutKey(customer, traces), ...{ name, last_name, phone }, ...own });
}

function cleanQuote(quote: Quote, hers: boolean, traces: Traces): Quote {
  if (hers) return withoutKey({ ...quote, customer_name: null, notes: null }, traces, hers);
  const cleaned = withoutKey(quote, traces);
  return quote.customer_id === null ? cleaned : { ...cleaned, customer_name: quote.customer_name };
}

/** Two records may not share an id of another system, so that one that named her is gone. */
function withoutKey<T extends { external_id?: string | undefined }>(body: T, traces: Traces, hers = false): T {
  const cleaned = traces.cleanValue(body, hers);
  if (cleaned.external_id === body.external_id) return cleaned;
  const { external_id: _id, ...rest } = cleaned;
  return rest as T;
}

/** Published fields keep their order. */
function inOrderOf<T extends object>(order: T, values: T): T {
  const names = Object.keys(order).filter((name) => name in values);
  return Object.fromEntries(names.map((name) => [name, values[name as keyof T]])) as T;
}
