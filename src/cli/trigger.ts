import { createHash } from "node:crypto";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Static, TSchema } from "typebox";
import { Refusal } from "../../register/protocol.ts";
import { syncClient } from "../../register/sync-client.ts";
import type { MostradorEvent } from "../../sdk/src/index.ts";
import { openRegister, type Register } from "../../simulator/register.ts";
import { orderSteps, orderTrigger, type Trigger, triggers } from "../../simulator/triggers.ts";
import { testEndpointEventsPath } from "../api/public/test-clock-path.ts";
import { CustomerChanges, NewCustomer } from "../business/customers/schema.ts";
import { NewSupplier, SupplierChanges } from "../business/suppliers/schema.ts";
import { type EventType, eventTypes } from "../engine/events/event-types.ts";
import { type Command, type Invocation, UsageError, word } from "./command.ts";
import { eventLine } from "./event-line.ts";
import { type Connection, connectionOf, connectionOptions, ownFolder, toUsageError } from "./integrator.ts";
import { callTestRoute } from "./test-routes.ts";

const registerName = "Caja de pruebas";
const pollMs = 200;
const soonMs = 2_000;
/** The authority's decision is polled, and documents take a while. */
const maxWaitMs = 30_000;

export const triggerCommand: Command = {
  name: "trigger",
  summary: "Hace ocurrir un evento de verdad, en el ambiente de pruebas",
  usage: `<tipo>   (${eventTypes.join(", ")})`,
  takes: 1,
  words: eventTypes,
  options: {
    ...connectionOptions,
    "enrolment-code": "Código de vinculación de una caja (del portal), la primera vez y desde otra máquina",
  },
  async run(invocation) {
    const type = word(invocation, 0, `el tipo de evento: ${eventTypes.join(", ")}`);
    if (!(eventTypes as readonly string[]).includes(type)) {
      throw new UsageError(`El evento "${type}" no existe. Use: ${eventTypes.join(", ")}.`);
    }
    const connection = connectionOf(invocation);
    if (connection.key.startsWith("mst_live_")) {
      throw new UsageError("trigger crea datos de prueba: use una clave mst_test_ en el ambiente de pruebas.");
    }
    try {
      const event = await trigger(invocation, connection, type as EventType);
      invocation.out.result(event, eventLine(event));
    } catch (error) {
      if (error instanceof Refusal) throw new UsageError(error.message);
      throw toUsageError(error);
    }
  },
};

async function trigger(invocation: Invocation, connection: Connection, type: EventType): Promise<MostradorEvent> {
  const [newest] = await connection.client.events.list({ pageSize: 1 }).toArray(1);
  const recordId = isOrderStep(type)
    ? await triggerByOrder(invocation, connection, type)
    : isOfEndpoint(type)
      ? await triggerOfEndpoint(connection, type)
      : isCausedByRegister(type)
        ? await triggerByRegister(invocation, connection, triggers[type])
        : (await triggersByApi[type](connection.client)).id;
  return findEvent(connection, type, recordId, newest);
}

type Client = Connection["client"];
type CausedByRegister = keyof typeof triggers;
type OrderStep = keyof typeof orderSteps;
type OfEndpoint = Extract<EventType, `webhook_endpoint.${string}`>;
type CausedByApi = Exclude<EventType, CausedByRegister | OrderStep | OfEndpoint>;

/** How the API causes each event that no register has to cause: with the examples of the reference. */
const triggersByApi: Record<CausedByApi, (client: Client) => Promise<{ id: string }>> = {
  "customer.created": newCustomer,
  "customer.updated": async (client) =>
    client.customers.update((await newCustomer(client)).id, exampleOf(CustomerChanges)),
  "product.created": newProduct,
  "product.updated": async (client) => client.products.update((await newProduct(client)).id, { base_price: 12_000 }),
  "inventory.movement.created": async (client) =>
    client.inventory.movements.create({ product_id: (await newProduct(client)).id, type: "in", quantity: 5 }),
  "supplier.created": newSupplier,
  "supplier.updated": async (client) =>
    client.suppliers.update((await newSupplier(client)).id, exampleOf(SupplierChanges)),
  "purchase.received": newReceipt,
  "order.placed": (client) => newOrder(client),
  "order.cancelled": async (client) => client.orders.cancel((await newOrder(client)).id, { reason: "Prueba" }),
  // The service ends it within seconds.
  "order.expired": (client) => newOrder(client, new Date(Date.now() + soonMs).toISOString()),
};

/** Somebody orders what is on sale. */
async function newOrder(client: Client, expires_at?: string) {
  const { id } = await newProduct(client);
  const external_id = `prueba-${Date.now().toString(36)}`;
  return client.orders.create({
    external_id,
    items: [{ product_id: id, quantity: 2 }],
    contact: { name: "Cliente de prueba" },
    tip: 1_000,
    payment: { status: "paid", method: "NEQUI", reference: external_id },
    ...(expires_at !== undefined && { expires_at }),
  });
}

function newCustomer(client: Client) {
  return client.customers.create(exampleOf(NewCustomer));
}

function newSupplier(client: Client) {
  return client.suppliers.create(exampleOf(NewSupplier));
}

/** Something is bought, and comes. */
async function newReceipt(client: Client) {
  const [supplier, product] = [await newSupplier(client), await newProduct(client)];
  const lines = [
    { product_id: product.id, quantity: 12, unit_cost: 6_000, taxes: [{ code: "01" as const, rate: 19 }] },
  ];
  const { id } = await client.purchases.create({ supplier_id: supplier.id, status: "ordered", lines });
  return client.purchases.receive(id);
}

/** A product may not be created twice with the same values. */
function newProduct(client: Client) {
  return client.products.create({ name: `Producto de prueba ${Date.now().toString(36)}`, base_price: 10_000 });
}

function exampleOf<T extends TSchema>(schema: T): Static<T> {
  const [example] = (schema as T & { examples?: Static<T>[] }).examples ?? [];
  if (example === undefined) throw new Error("This body has no example in the reference");
  return example;
}

function isOrderStep(type: EventType): type is OrderStep {
  return type in orderSteps;
}

function isOfEndpoint(type: EventType): type is OfEndpoint {
  return type.startsWith("webhook_endpoint.");
}

/** The notice of it alone: what it tells of takes half a day of failures. */
async function triggerOfEndpoint(connection: Connection, type: OfEndpoint): Promise<string> {
  const body = JSON.stringify({ type });
  return (await callTestRoute<{ id: string }>(connection, testEndpointEventsPath, { method: "POST", body })).id;
}

function isCausedByRegister(type: EventType): type is CausedByRegister {
  return type in triggers;
}

/** Events that only a register can cause: it records something and uploads it. */
async function triggerByRegister(
  invocation: Invocation,
  connection: Connection,
  trigger: (register: Register, at: Date) => Trigger | Promise<Trigger>,
): Promise<string | undefined> {
  const register = await openRegister({
    folder: registerFolder(invocation, connection),
    name: registerName,
    client: syncClient(connection.url),
    newCode: () => enrolmentCode(invocation, connection),
    now: () => new Date(),
  });
  try {
    while (await register.pull(0));
    await pushAll(register);
    const act = await trigger(register, new Date());
    for (const batch of act.batches) {
      register.record(batch);
      await pushAll(register);
    }
    return act.recordId;
  } finally {
    register.close();
  }
}

/** The API places an order, and a register takes it as far as the event says. */
async function triggerByOrder(
  invocation: Invocation,
  connection: Connection,
  type: OrderStep,
): Promise<string | undefined> {
  // The register first: without one nothing is made that nobody takes further.
  return triggerByRegister(invocation, connection, async (register, at) => {
    const { id } = await newOrder(connection.client);
    while (await register.pull(0));
    return orderTrigger(register, at, id, orderSteps[type]);
  });
}

async function pushAll(register: Register): Promise<void> {
  while (await register.push());
}

/** One register per service and account, the same each time. */
function registerFolder(invocation: Invocation, { url, key }: Connection): string {
  const name = createHash("sha256").update(`${url} ${key}`).digest("hex").slice(0, 16);
  return join(ownFolder(invocation), "cajas", name);
}

/** The code from the portal, or a new one if the installation is on this machine. */
async function enrolmentCode(invocation: Invocation, { key }: Connection): Promise<string> {
  const given = invocation.options["enrolment-code"];
  if (typeof given === "string") return given;
  const { options, env, here } = invocation;
  if (options.url !== undefined || env.MOSTRADOR_URL !== undefined || here === undefined) {
    throw new UsageError(
      "La primera vez hace falta una caja: cree un código en el portal, en Cajas, y páselo con --enrolment-code.",
    );
  }
  const code = await here.enrolmentCode(key, registerName);
  if (code === undefined) throw new UsageError("La clave no es de esta instalación. Diga cuál con --url.");
  return code;
}

async function findEvent(
  { client }: Connection,
  type: EventType,
  recordId: string | undefined,
  newest: MostradorEvent | undefined,
): Promise<MostradorEvent> {
  const before = newest?.created_at;
  for (let waitedMs = 0; waitedMs < maxWaitMs; waitedMs += pollMs) {
    const since = before === undefined ? {} : { createdSince: before };
    for await (const event of client.events.list({ type, ...since })) {
      const isNew = newest === undefined || event.id > newest.id;
      if (isNew && (recordId === undefined || event.data.object.id === recordId)) return event;
    }
    await delay(pollMs);
  }
  throw new UsageError(
    `Se hizo, pero ${type} no apareció en ${maxWaitMs / 1000} s. ${type.startsWith("invoice.") ? "¿La cuenta emite documentos electrónicos? Vea: npx mostrador fiscal set --help" : "Vea: npx mostrador events list"}`,
  );
}
