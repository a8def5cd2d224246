import { readFileSync } from "node:fs";
import type { Mostrador } from "../../sdk/src/index.ts";
import { type Command, type Invocation, UsageError, word } from "./command.ts";
import { connectionOf, connectionOptions, toUsageError } from "./integrator.ts";
import { orderLine, orderLines } from "./order-lines.ts";

type Orders = Mostrador["orders"];
type NewOrder = Parameters<Orders["create"]>[0];
type Status = NonNullable<NonNullable<Parameters<Orders["list"]>[0]>["status"]>;

const states: readonly Status[] = ["placed", "accepted", "ready", "completed", "rejected", "cancelled", "expired"];

export const ordersList: Command = {
  name: "orders list",
  summary: "Muestra los últimos pedidos",
  usage: "[--status placed] [--limit 20]",
  options: {
    ...connectionOptions,
    status: `Solo los que están así: ${states.join(", ")}`,
    source: "Solo los de esa fuente",
    limit: "Cuántos, de 1 a 1000 (20)",
  },
  async run(invocation) {
    const { status, source, limit = 20 } = invocation.options;
    const max = Number(limit);
    if (!(max >= 1 && max <= 1000)) throw new UsageError("--limit debe ser un número entre 1 y 1000.");
    if (status !== undefined && !(states as readonly unknown[]).includes(status))
      throw new UsageError(`El estado "${status}" no existe. Use: ${states.join(", ")}.`);
    const orders = await asking(invocation, (all) =>
      all
        .list({
          ...(status !== undefined && { status: status as Status }),
          ...(source !== undefined && { source: String(source) }),
          pageSize: Math.min(100, max),
        })
        .toArray(max),
    );
    const text = orders.map(orderLine).join("\n");
    invocation.out.result({ orders }, text || "No hay pedidos. Haga uno con: npx mostrador orders create --help");
  },
};

export const ordersGet: Command = {
  name: "orders get",
  summary: "Muestra un pedido con sus líneas",
  usage: "<id>",
  takes: 1,
  options: connectionOptions,
  async run(invocation) {
    const id = word(invocation, 0, "el id del pedido");
    const order = await asking(invocation, (all) => all.get(id));
    invocation.out.result(order, orderLines(order));
  },
};

const contents = {
  items: "Códigos o SKU con su cantidad, separados por comas: 7702004003508:2,PAN",
  file: "El pedido completo en JSON, como lo recibe POST /orders; - para la entrada estándar",
  name: "Nombre de quien lo hace",
  phone: "Su teléfono",
  address: "Dirección, si se lleva; sin ella lo recogen",
  notes: "Notas del pedido",
};

export const ordersCreate: Command = {
  name: "orders create",
  summary: "Hace un pedido, como una tienda de afuera",
  usage: "--items 7702004003508:2,PAN --name Ana   (o --file pedido.json)",
  options: {
    ...connectionOptions,
    ...contents,
    "external-id": "Su número: el mismo otra vez responde el primero",
    source: "De dónde viene; por omisión, el nombre de la clave",
    "idempotency-key": "Clave con que se puede repetir sin hacerlo dos veces",
  },
  async run(invocation) {
    const key = invocation.options["idempotency-key"];
    const order = await asking(invocation, (all) =>
      all.create(orderFrom(invocation), key === undefined ? {} : { idempotencyKey: String(key) }),
    );
    invocation.out.result(order, orderLines(order));
  },
};

export const ordersPreview: Command = {
  name: "orders preview",
  summary: "Calcula un pedido sin hacerlo: total, impuestos, sede y si alcanza lo que hay",
  usage: "--items 7702004003508:2,PAN   (o --file pedido.json)",
  options: { ...connectionOptions, ...contents },
  async run(invocation) {
    const preview = await asking(invocation, (all) => all.preview(orderFrom(invocation)));
    invocation.out.result(preview, orderLines(preview));
  },
};

export const ordersCancel: Command = {
  name: "orders cancel",
  summary: "Cancela un pedido que no se ha entregado",
  usage: "<id> [--reason 'El cliente se arrepintió']",
  takes: 1,
  options: { ...connectionOptions, reason: "Por qué" },
  async run(invocation) {
    const id = word(invocation, 0, "el id del pedido");
    const { reason } = invocation.options;
    const order = await asking(invocation, (all) =>
      all.cancel(id, reason === undefined ? {} : { reason: String(reason) }),
    );
    invocation.out.result(order, orderLine(order));
  },
};

async function asking<T>(invocation: Invocation, ask: (orders: Orders) => Promise<T>): Promise<T> {
  const { client } = connectionOf(invocation);
  try {
    return await ask(client.orders);
  } catch (error) {
    throw toUsageError(error);
  }
}

function orderFrom({ options }: Invocation): NewOrder {
  const { file, items, name, phone, address, notes, source } = options;
  if ((file === undefined) === (items === undefined))
    throw new UsageError("Diga qué se pide: --items 7702004003508:2,PAN, o --file con el pedido en JSON.");
  if (file !== undefined) return readOrder(String(file));
  const external_id = options["external-id"];
  return {
    items: String(items).split(",").map(itemOf),
    ...(name !== undefined && {
      contact: { name: String(name), ...(phone !== undefined && { phone: String(phone) }) },
    }),
    ...(address !== undefined && { fulfilment: { type: "delivery", address: String(address) } }),
    ...(notes !== undefined && { notes: String(notes) }),
    ...(source !== undefined && { source: String(source) }),
    ...(external_id !== undefined && { external_id: String(external_id) }),
  };
}

/** A barcode has digits alone, 8 to 14 of them; an id is a UUID; all else is a SKU. */
function itemOf(text: string): NewOrder["items"][number] {
  const [, code = "", amount = "1"] = /^\s*(.*?)\s*(?::([\d.]+)\s*)?$/.exec(text) ?? [];
  const quantity = Number(amount);
  if (code === "" || !(quantity > 0))
    throw new UsageError(`No se entiende "${text}" en --items: escriba por ejemplo 7702004003508:2 o PAN.`);
  if (/^\d{8,14}$/.test(code)) return { barcode: code, quantity };
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(code)
    ? { product_id: code, quantity }
    : { sku: code, quantity };
}

function readOrder(file: string): NewOrder {
  try {
    return JSON.parse(readFileSync(file === "-" ? 0 : file, "utf8"));
  } catch (error) {
    throw new UsageError(`No se puede leer un pedido en JSON de ${file}: ${(error as Error).message}`);
  }
}
