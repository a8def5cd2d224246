import { oneRow } from "../../db/read.ts";
import { prepared, sql } from "../../db/sql.ts";
import { changedOwnFields } from "../../engine/resources/own-fields.ts";
import type { Loaded } from "../../engine/resources/resource.ts";
import { counterSource, isSameSource } from "../../engine/resources/sources.ts";
import type { Caller, Operations } from "../../engine/writing/operations.ts";
import type { Write } from "../../engine/writing/write.ts";
import { requireMetadata } from "../../engine/writing/write-own-fields.ts";
import { ApiError, type FieldError, referenceNotFound, validationError } from "../../lib/errors.ts";
import { uuidv7 } from "../../lib/ids.ts";
import { lineText } from "../../lib/one-line.ts";
import { readTaxProfile } from "../counter/tax-profile.ts";
import { customers } from "../customers/resource.ts";
import { findItems } from "./find-items.ts";
import { type NewContact, type NewFulfilment, NewOrder, type NewPayment, OrderChanges } from "./new-order.ts";
import { placeOf } from "./place-of.ts";
import { type Amounts, amountsOf } from "./price-items.ts";
import { type OrderColumns, orders } from "./resource.ts";
import type { Order, OrderContact, OrderFulfilment, OrderPayment } from "./schema.ts";
import { isOpen } from "./states.ts";
import { withoutPerson } from "./without-person.ts";

export const orderOperations: Operations<Order, OrderColumns> = {
  withoutReading: withoutPerson,
  create: { body: NewOrder, run: createOrder, emits: ["order.placed"], errors: ["NOT_FOUND"] },
  update: { body: OrderChanges, run: updateOrder, emits: [], errors: ["CONFLICT"] },
};

/** The same order of another system again is the first one, whatever it says. */
export async function createOrder(write: Write, input: NewOrder, { keyName }: Caller): Promise<Order> {
  const source = sourceOf(input, keyName);
  const own = changedOwnFields({}, input);
  requireMetadata(own);
  const earlier = await sameOrder(write, source, own.external_id);
  if (earlier) return earlier;
  checkInstants(write, input);
  const fulfilment = readFulfilment(input.fulfilment);
  const location_id = await placeOf(write, input.location_id, fulfilment);
  const customer_id = await readCustomer(write, input.customer_id);
  const amounts = await computeOrder(write, input);
  const at = write.at.toISOString();
  const body: Order = {
    object: "order",
    id: uuidv7(write.at),
    number: await nextNumber(write),
    status: "placed",
    source,
    customer_id,
    contact: readContact(input.contact),
    fulfilment,
    due_at: instantOf(input.due_at),
    promised_at: null,
    accept_by: instantOf(input.accept_by),
    expires_at: instantOf(input.expires_at),
    prices: input.prices ?? "current",
    ...amounts,
    payment: readPayment(input.payment, amounts.total),
    notes: input.notes || null,
    sale_id: null,
    extra_sale_ids: [],
    register_id: null,
    rejected_reason: null,
    cancelled_reason: null,
    accepted_at: null,
    ready_at: null,
    completed_at: null,
    rejected_at: null,
    cancelled_at: null,
    expired_at: null,
    ...own,
    created_at: at,
    updated_at: at,
    location_id,
  };
  write.put(orders, { body });
  write.emit("order.placed", body);
  return body;
}

/** What an endpoint knows as the counter's own is no order's: its sales could not be told from those. */
function sourceOf({ source }: NewOrder, keyName: string): string {
  const said = lineText(source ?? "") || keyName;
  if (said.toLowerCase() !== counterSource.toLowerCase()) return said;
  throw validationError([
    {
      param: "source",
      message: `\`source\` no puede ser «${counterSource}»: así se llama lo que vende la caja sin pedido.`,
    },
  ]);
}

/** What an order costs and what it is of. Nothing is stored: a preview asks the same. */
export async function computeOrder(
  write: Pick<Write, "client" | "accountId" | "loadMany" | "at">,
  {
    items,
    prices = "current",
    delivery_fee = 0,
    discount = 0,
    tip = 0,
  }: Pick<NewOrder, "items" | "prices" | "delivery_fee" | "discount" | "tip">,
): Promise<Amounts> {
  const found = await findItems(write, items);
  const profile = await readTaxProfile(write.client, write.accountId);
  return amountsOf(found, { prices, delivery_fee, discount, tip }, profile, write.at);
}

/** Before it is accepted, what is in it and for whom; its payment and own fields until it ends. */
async function updateOrder(write: Write, current: Loaded<Order, OrderColumns>, changes: OrderChanges): Promise<Order> {
  const { body } = current;
  const { payment, metadata, ...others } = changes;
  const [early] = Object.keys(others);
  if (!isOpen(body.status)) throw ended(body, Object.keys(changes)[0]);
  if (early !== undefined && body.status !== "placed")
    throw new ApiError("CONFLICT", {
      param: early,
      message: `El pedido ya fue aceptado: \`${early}\` no cambia. Cancélelo y haga otro, o llame al negocio.`,
    });
  const own = changedOwnFields(body, { metadata });
  requireMetadata(own);
  const amounts = await recompute(write, body, others);
  const changed: Order = {
    ...body,
    ...amounts,
    ...(others.contact !== undefined && { contact: readContact(others.contact ?? undefined) }),
    ...(others.due_at !== undefined && { due_at: instantOf(others.due_at ?? undefined) }),
    ...(others.notes !== undefined && { notes: others.notes || null }),
    ...(payment !== undefined && { payment: readPayment(payment, amounts?.total ?? body.total) }),
    ...own,
    updated_at: write.at.toISOString(),
  };
  write.put(orders, { ...current, body: changed });
  return changed;
}

async function recompute(
  write: Write,
  body: Order,
  changes: Omit<OrderChanges, "payment">,
): Promise<Amounts | undefined> {
  const { items, delivery_fee, discount, tip } = changes;
  if (items === undefined && delivery_fee === undefined && discount === undefined && tip === undefined)
    return undefined;
  return computeOrder(write, {
    items: items ?? itemsAgain(body),
    prices: items === undefined ? "given" : body.prices,
    delivery_fee: delivery_fee ?? body.delivery_fee,
    discount: discount ?? body.discount,
    tip: tip ?? body.tip,
  });
}

/** Its lines as they were asked for: at the prices that they have. */
function itemsAgain({ items }: Order): NewOrder["items"] {
  return items.map(({ product_id, variant_id, quantity, unit_price, discount, notes }) => ({
    product_id,
    quantity,
    unit_price,
    discount,
    ...(variant_id !== null && { variant_id }),
    ...(notes !== null && { notes }),
  }));
}

export function ended({ status, number }: Order, param: string | undefined): ApiError {
  const words = { completed: "entregado", rejected: "rechazado", cancelled: "cancelado", expired: "vencido" };
  const how = words[status as keyof typeof words] ?? status;
  return new ApiError("CONFLICT", {
    param,
    message: `El pedido ${number} ya terminó: está ${how}. Léalo otra vez; si hace falta, haga uno nuevo.`,
  });
}

async function sameOrder(write: Write, source: string, externalId: string | undefined): Promise<Order | undefined> {
  if (externalId === undefined) return undefined;
  // Before sources were compared without case there may have been two: then the one that is written the same.
  const { rows } = await write.client.query<{ id: string }>(
    prepared(
      `select id from orders where account_id = $1 and external_id = $2 and ${isSameSource("source", "$3")}
       order by source = $3 desc, created_at limit 1`,
      [write.accountId, externalId, source],
    ),
  );
  return rows[0] && (await write.load(orders, rows[0].id))?.body;
}

/** The account's lock is held: nobody else takes it. */
async function nextNumber({ client, accountId }: Write): Promise<number> {
  const { rows } = await client.query<{ next: number }>(
    sql`select coalesce(max(number), 0) + 1 as next from orders where account_id = ${accountId}`,
  );
  return Number(oneRow(rows).next);
}

function checkInstants({ at }: Write, input: NewOrder): void {
  const late = (["accept_by", "expires_at"] as const).flatMap((param): FieldError[] => {
    const value = input[param];
    if (value === undefined || new Date(value) > at) return [];
    return [{ param, message: `\`${param}\` ya pasó.` }];
  });
  if (late.length > 0) throw validationError(late);
  const { accept_by, expires_at } = input;
  if (accept_by !== undefined && expires_at !== undefined && new Date(accept_by) > new Date(expires_at))
    throw validationError([
      { param: "accept_by", message: "`accept_by` es después de `expires_at`, cuando el pedido ya habrá vencido." },
    ]);
}

async function readCustomer(write: Write, id: string | undefined): Promise<string | null> {
  if (id === undefined) return null;
  const found = await write.load(customers, id);
  if (!found || found.body.deleted_at) throw referenceNotFound("customer_id", "un cliente");
  return found.body.id;
}

function readContact(contact: NewContact | undefined): OrderContact | null {
  if (!contact) return null;
  const { name, phone, email, document_type, document_number } = contact;
  return {
    name,
    phone: phone || null,
    email: email || null,
    document_type: document_type ?? null,
    document_number: document_number || null,
  };
}

export function readFulfilment(sent: NewFulfilment | undefined): OrderFulfilment {
  const { type, address, municipality, notes, table } = sent ?? { type: "pickup" as const };
  if (type === "delivery" && !address)
    throw validationError([
      { param: "fulfilment.address", message: "`fulfilment.address` falta: con `delivery` dice a dónde se lleva." },
    ]);
  return {
    type,
    address: address || null,
    municipality: municipality ?? null,
    notes: notes || null,
    table: table || null,
  };
}

function readPayment(sent: NewPayment | undefined, total: number): OrderPayment | null {
  if (!sent) return null;
  const { status, method, reference, amount } = sent;
  if (status === "paid" && method === undefined)
    throw validationError([
      { param: "payment.method", message: "`payment.method` falta: lo pagado queda en el turno con su medio." },
    ]);
  return { status, method: method ?? null, reference: reference || null, amount: amount ?? total };
}

const instantOf = (sent: string | undefined) => (sent === undefined ? null : new Date(sent).toISOString());
