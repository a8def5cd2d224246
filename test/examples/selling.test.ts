import { type ChildProcess, execFile, spawn } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, test } from "vitest";
import { signatureHeader } from "../../src/webhooks/endpoints/signature.ts";
import { sharedFolder } from "../support/fixtures.ts";
import { php, python, withoutPhp, withoutPython } from "../support/languages.ts";
import { orderingShop, sellOrder } from "../support/orders.ts";
import { freePort, projectDir } from "../support/process.ts";

const { service, shop, product, till, step, read } = orderingShop();
const folder = sharedFolder("mostrador-tiendas-");
const secret = "whsec_tienda";
const examples = `${projectDir}examples`;

const run = promisify(execFile);
let running: ChildProcess | undefined;
afterEach(() => {
  running?.kill("SIGKILL");
});

function settings(port: string) {
  return {
    PATH: process.env.PATH,
    PORT: port,
    MOSTRADOR_URL: service.baseUrl,
    MOSTRADOR_API_KEY: shop.key,
    MOSTRADOR_WEBHOOK_SECRET: secret,
    MOSTRADOR_AUTOLOAD: `${projectDir}sdk-php/autoload.php`,
    PYTHONPATH: `${projectDir}sdk-python/src`,
    PYTHONDONTWRITEBYTECODE: "1",
    TIENDA: join(folder.path, `tienda-${port}.json`),
  };
}

/** An example that serves, and a way to ask it. */
async function serve(command: (port: string) => string[], others: Record<string, string> = {}) {
  const port = String(await freePort());
  const env = settings(port);
  const [program, ...args] = command(port);
  running = spawn(program!, args, { cwd: folder.path, env: { ...env, ...others } });
  let said = "";
  for (const stream of [running.stdout!, running.stderr!]) stream.on("data", (chunk) => (said += chunk));
  // biome-ignore lint/suspicious/noExplicitAny: as its callers read it
  async function ask(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, ...sent });
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
  }
  await expect
    .poll(() =>
      ask("GET", "/nada").then(
        ({ status }) => status,
        () => said,
      ),
    )
    .toBe(404);
  /** What the service tells of this order, in the order given, as its webhooks are: signed. */
  async function tell(path: string, types: readonly string[], signedBy = secret): Promise<number[]> {
    const { body } = await shop.api.get("/events?order=asc&limit=100");
    const answers: number[] = [];
    for (const type of types) {
      const text = JSON.stringify({
        ...body.data.find((one: { type: string }) => one.type === type),
        api_version: "2026-09-28",
      });
      const header = signatureHeader(text, [signedBy], Math.floor(Date.now() / 1000));
      const sent = { method: "POST", headers: { "service-signature": header }, body: text };
      answers.push((await fetch(`http://127.0.0.1:${port}${path}`, sent)).status);
    }
    return answers;
  }
  return { ask, tell, env, said: () => said };
}

describe("a shop in PHP", () => {
  test("shows what Mostrador has, sends its orders in, and learns what became of them", async (context) => {
    if (!php) return context.skip(withoutPhp);
    const { ask, tell, env } = await serve((port) => [
      php!,
      "-S",
      `127.0.0.1:${port}`,
      `${examples}/php-shop/index.php`,
    ]);
    const sync = async () => (await run(php!, [`${examples}/php-shop/sincronizar.php`], { env })).stdout;
    expect(await sync()).toBe("1 productos cambiaron\n");
    expect((await ask("GET", "/productos")).body[product.id]).toMatchObject({ price: 3200, stock_quantity: 50 });

    const lineas = [{ product_id: product.id, quantity: 2 }];
    const compra = { cliente: "Eva", telefono: "301", referencia: "M-9", lineas };
    const bought = await ask("POST", "/comprar", compra);
    expect(bought).toMatchObject({
      status: 201,
      body: { numero: expect.stringMatching(/^WC-\d{6}-[0-9A-F]{8}$/), total: 6400 },
    });
    const { numero } = bought.body;
    const [order] = (await shop.api.get(`/orders?external_id=${numero}`)).body.data;
    expect(order).toMatchObject({ source: "Tienda web", payment: { status: "paid" }, price_differs: false });

    await step(order.id, "accepted");
    await sync();
    expect((await ask("GET", "/productos")).body[product.id].stock_quantity).toBe(48);
    const status = async () => (await ask("GET", "/pedidos")).body[numero].status;
    expect(await tell("/webhooks/mostrador", ["order.accepted"], "whsec_ajeno")).toEqual([400]);
    expect(await status()).toBe("on-hold");
    // An older one that comes late changes nothing.
    expect(await tell("/webhooks/mostrador", ["order.accepted", "order.placed"])).toEqual([204, 204]);
    expect(await status()).toBe("processing");
    await sellOrder(await read(order.id), till);
    expect(await tell("/webhooks/mostrador", ["order.completed"])).toEqual([204]);
    expect((await ask("GET", "/pedidos")).body[numero]).toMatchObject({
      status: "completed",
      venta: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  test("sends again what did not arrive, once, under its own number, and tells what is refused", async (context) => {
    if (!php) return context.skip(withoutPhp);
    const { ask, env } = await serve((port) => [php!, "-S", `127.0.0.1:${port}`, `${examples}/php-shop/index.php`], {
      MOSTRADOR_API_KEY: "mst_test_nadie",
    });
    const sync = () => run(php!, [`${examples}/php-shop/sincronizar.php`], { env });
    await sync();
    const lineas = [{ product_id: product.id, quantity: 1 }];
    const bought = await ask("POST", "/comprar", { cliente: "Eva", telefono: "301", referencia: "M-9", lineas });
    expect(bought).toMatchObject({ status: 202, body: { status: "pending" } });
    await sync();
    await sync();
    expect((await ask("GET", "/pedidos")).body[bought.body.numero].status).toBe("on-hold");
    const { data } = (await shop.api.get("/orders")).body;
    expect(data).toEqual([expect.objectContaining({ external_id: bought.body.numero, total: 3200 })]);
  });
});

describe("deliveries in Python", () => {
  test("show the menu, order once, cancel, and learn what became of each", async (context) => {
    if (!python) return context.skip(withoutPython);
    const { ask, tell } = await serve(() => [python!, `${examples}/python-delivery/domicilios.py`]);
    const category = (await shop.api.post("/categories", { name: "Platos", sort_order: 1 })).body;
    const { id } = (await shop.api.post("/products", { name: "Bandeja", base_price: 21000, category_id: category.id }))
      .body;
    expect((await ask("GET", "/menu")).body).toEqual([
      { categoria: "Platos", platos: [{ id, nombre: "Bandeja", precio: 21000 }] },
      { categoria: "Otros", platos: [{ id: product.id, nombre: "Gaseosa", precio: 3200 }] },
    ]);

    const platos = [{ id, cantidad: 2, nota: "Sin chicharrón" }];
    const pedido = {
      cliente: "Ana",
      telefono: "300",
      direccion: "Cl 10 # 43-20",
      municipio: "05001",
      domicilio: 5000,
      platos,
    };
    const first = await ask("POST", "/pedidos/D-1", pedido);
    expect(first).toMatchObject({ status: 201, body: { estado: "esperando al restaurante", total: 47000 } });
    expect((await ask("POST", "/pedidos/D-1", pedido)).body.id).toBe(first.body.id);
    await step(first.body.id, "accepted", till, { promised_at: new Date(Date.now() + 1_800_000).toISOString() });
    await step(first.body.id, "ready");
    expect(await tell("/webhooks", ["order.ready"], "whsec_ajeno")).toEqual([400]);
    expect(await tell("/webhooks", ["order.accepted"])).toEqual([204]);
    expect((await ask("GET", "/pedidos/D-1")).body).toMatchObject({ estado: "en preparación" });
    expect(await tell("/webhooks", ["order.ready", "order.accepted"])).toEqual([204, 204]);
    expect((await ask("GET", "/pedidos/D-1")).body.estado).toBe("listo: que salga el domiciliario");

    await ask("POST", "/pedidos/D-2", pedido);
    expect((await ask("POST", "/pedidos/D-2/cancelar")).body.estado).toBe("cancelado");
    expect(await ask("POST", "/pedidos/NOPE/cancelar")).toMatchObject({
      status: 404,
      body: { error: expect.stringContaining("NOPE") },
    });
    const bad = await ask("POST", "/pedidos/D-3", { ...pedido, platos: [{ id: category.id, cantidad: 1 }] });
    expect([bad.status, bad.body.error]).toEqual([expect.any(Number), expect.stringContaining("product_id")]);
    expect(bad.status).toBeGreaterThanOrEqual(400);
  });
});
