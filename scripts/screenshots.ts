import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { withAccountLock } from "../src/access/accounts/account-lock.ts";
import { createKey } from "../src/access/api-keys/create-key.ts";
import { createCustomer } from "../src/business/customers/operations.ts";
import { readConfig } from "../src/config.ts";
import { sql } from "../src/db/sql.ts";
import { eventTypes } from "../src/engine/events/event-types.ts";
import { writing } from "../src/engine/writing/writing.ts";
import { day } from "../src/lib/clock.ts";
import { uuidv7 } from "../src/lib/ids.ts";
import { ensureDemo } from "../src/operations/demo/ensure-demo.ts";
import { demoEmail, demoKey, demoPassword } from "../src/operations/demo/identity.ts";
import { start } from "../src/operations/start/start.ts";
import { createEndpoint } from "../src/webhooks/endpoints/create-endpoint.ts";
import { secretBox } from "../src/webhooks/endpoints/secret-box.ts";
import { launchBrowser } from "../test/support/browser.ts";
import { plainSale, ringUp } from "../test/support/fiscal.ts";
import { freePort } from "../test/support/process.ts";
import { startReceiver } from "../test/support/receiver.ts";
import { photographCaja } from "./caja-screenshots.ts";
import { webpWriter } from "./webp.ts";

/**
 * Photographs every page of the portal and every screen of Caja over the demo shop: `node scripts/screenshots.ts <folder>
 * [page …]`. The portal at 375, 768, 1024 and 1440 px, light and dark; Caja on a desk and on a phone.
 */
const [folder = "screenshots", ...only] = process.argv.slice(2);
/** The menu at the side sticks to the window; in a picture it is as tall as the page, also of one that grows while it is taken. */
const tallRail = `{
  const rail = document.querySelector(".rail");
  document.body.style.position = "relative";
  if (rail) Object.assign(rail.style, { position: "absolute", top: "0", bottom: "0", height: "auto" });
}`;
await mkdir(folder, { recursive: true });
const dataDir = await mkdtemp(join(tmpdir(), "mostrador-screenshots-"));
const receiver = await startReceiver();
const config = readConfig({
  DATA_DIR: dataDir,
  PORT: String(await freePort()),
  ADMIN_PORT: String(await freePort()),
  LOG_LEVEL: "warn",
  SECRET_KEY: randomBytes(32).toString("hex"),
  WEBHOOK_RESOLVE: `hooks.example.com=127.0.0.1:${receiver.port},erp.example.com=127.0.0.1:${receiver.port}`,
  WEBHOOK_CA_FILE: receiver.caFile,
});
const running = await start(config, { prepare: async (deps) => void (await ensureDemo(deps, () => {})) });
const { deps } = running;
const browser = await launchBrowser();
const write = await webpWriter(browser);
try {
  const wants = (name: string) => only.length === 0 || only.includes(name) || only.includes(name.split("-")[0]!);
  await photographCaja({ browser, url: config.publicUrl, folder, write, wants });
  const places = await furnish();
  for (const width of [1440, 1024, 768, 375]) {
    for (const scheme of ["light", "dark"] as const) {
      const context = await browser.newContext({
        baseURL: config.publicUrl,
        locale: "es-CO",
        timezoneId: "America/Bogota",
        colorScheme: scheme,
        reducedMotion: "reduce",
        viewport: { width, height: width === 375 ? 812 : 900 },
      });
      const page = await context.newPage();
      const shoot = async (name: string, path: string, ready: (page: Page) => Promise<unknown>) => {
        if (!wants(name)) return;
        await page.setViewportSize({ width, height: width === 375 ? 812 : 900 });
        await page.goto(path);
        await ready(page);
        await page.waitForLoadState("networkidle");
        const height = await page.evaluate<number>("document.documentElement.scrollHeight");
        await page.setViewportSize({ width, height });
        await page.evaluate(tallRail);
        await write(await page.screenshot({ fullPage: true }), join(folder, `${name}-${width}-${scheme}.webp`));
      };
      const heading = (page: Page) => page.getByRole("heading", { level: 1 }).waitFor();
      await shoot("ingreso", "/ingreso", heading);
      await shoot("restablecer", "/restablecer", heading);
      await shoot("deshacer-correo", "/deshacer-correo#enlace", heading);
      await page.goto("/ingreso");
      await page.getByLabel("Correo").fill(demoEmail);
      await page.getByLabel("Contraseña", { exact: true }).fill(demoPassword(config.secretKey));
      await page.getByRole("button", { name: "Entrar" }).click();
      await page.getByRole("heading", { name: "Hoy" }).waitFor();
      for (const [name, path] of Object.entries(places)) await shoot(name, path, heading);
      await context.close();
    }
  }
} finally {
  await browser.close();
  await running.stop();
  // Nobody verifies signatures here.
  await Promise.resolve(receiver[Symbol.asyncDispose]()).catch(() => {});
  await rm(dataDir, { recursive: true, force: true });
}

/** An integration that has lived: endpoints that work and fail, keys, registers, calls. */
async function furnish(): Promise<Record<string, string>> {
  const { rows } = await deps.pool.query<{ id: string }>(sql`select id from accounts where email = ${demoEmail}`);
  const accountId = rows[0]!.id;
  const box = secretBox(config.secretKey);
  const endpoints: string[] = [];
  for (const url of ["https://hooks.example.com/mostrador", "https://erp.example.com/eventos"]) {
    const made = await withAccountLock(deps, accountId, (client) =>
      createEndpoint(client, box, accountId, { url, event_types: [...eventTypes] }, deps.clock.now()),
    );
    endpoints.push(made.id);
    receiver.secrets.set(new URL(url).pathname, []);
  }
  receiver.answers.set("/eventos", (_received, response) => response.writeHead(503).end());
  await pastDeliveries(accountId, endpoints[0]!);
  for (const name of ["María Fernanda Gómez", "Carlos Rojas", "Luz Dary Peña"])
    await writing(deps, accountId, (write) => createCustomer(write, { name }));
  await receiver.arrivals("/mostrador", 3);
  await receiver.arrivals("/eventos", 3);
  const soon = new Date(deps.clock.now().getTime() + 4 * day);
  const { id: keyId } = await createKey(deps, {
    accountId,
    name: "Contabilidad",
    scopes: ["sales:read", "invoices:read"],
    expiresAt: soon,
  });
  const key = demoKey(config.secretKey);
  for (const path of ["/products?limit=2", "/sales?limit=5", "/sales/nada", "/events?limit=10"])
    await fetch(`${config.publicUrl}/public/v1${path}`, { headers: { authorization: `Bearer ${key}` } });
  const deviceId = await registers(accountId);
  // The authority decides by the last two digits: one is rejected, one fails.
  await ringUp({ deps }, accountId, (at) => [plainSale(at, 48_013), plainSale(at, 126_023)]);
  const demo = await deps.pool.query<{ id: string }>(
    sql`select id from api_keys where account_id = ${accountId} and id <> ${keyId}`,
  );
  const event = await deps.pool.query<{ id: string }>(
    sql`select id from events where account_id = ${accountId} and type = 'sale.completed' order by created_at desc limit 1`,
  );
  const shift = await deps.pool.query<{ id: string }>(
    sql`select id from cash_sessions where account_id = ${accountId} and status = 'closed' order by created_at desc limit 1`,
  );
  const product = await deps.pool.query<{ id: string }>(
    sql`select id from products where account_id = ${accountId} and stock_milli > 0 order by created_at limit 1`,
  );
  // The worst of the deliveries is the one worth a picture.
  const failing = await deps.pool.query<{ id: string }>(
    sql`select id from webhook_queue where account_id = ${accountId} and endpoint_id = ${endpoints[1]} limit 1`,
  );
  return {
    hoy: "/",
    empezar: "/empezar",
    productos: "/productos",
    producto: `/productos/${product.rows[0]!.id}`,
    "producto-editar": `/productos/${product.rows[0]!.id}/editar`,
    "producto-nuevo": "/productos/nuevo",
    importar: "/productos/importar",
    inventario: "/inventario",
    movimientos: "/inventario/movimientos",
    conteo: "/inventario/conteo",
    turnos: "/turnos",
    turno: `/turnos/${shift.rows[0]!.id}`,
    actos: "/actos",
    informes: "/informes",
    "informes-ano": `/informes?por=month&desde=${new Date(Date.now() - 360 * day).toISOString().slice(0, 10)}`,
    "informes-productos": "/informes?por=product",
    "informes-medios": "/informes?por=payment_method",
    "informes-impuestos": "/informes?por=taxes",
    integracion: "/integracion",
    "integracion-7d": "/integracion?periodo=7d",
    webhooks: "/webhooks",
    "webhook-nuevo": "/webhooks/nuevo",
    webhook: `/webhooks/${endpoints[0]}`,
    "webhook-fallando": `/webhooks/${endpoints[1]}`,
    entregas: `/entregas?endpoint=${endpoints[0]}`,
    entrega: `/entregas/${failing.rows[0]!.id}`,
    eventos: "/eventos",
    evento: `/eventos/${event.rows[0]!.id}`,
    claves: "/claves",
    "clave-nueva": "/claves/nueva",
    clave: `/claves/${demo.rows[0]!.id}`,
    cajas: "/cajas",
    caja: `/cajas/${deviceId}`,
    ...(await recordPages(accountId)),
    negocio: "/ajustes/negocio",
    facturacion: "/ajustes/facturacion",
    mostrador: "/ajustes/mostrador",
    seguridad: "/ajustes/seguridad",
  };
}

/** The lists of the business's records, and one record of each. */
async function recordPages(accountId: string): Promise<Record<string, string>> {
  const { rows } = await deps.pool.query<Record<"sale" | "document" | "rejected" | "customer" | "quote", string>>(sql`
    select
      (select id from sales where account_id = ${accountId} and customer_id is not null and status = 'completed'
        order by occurred_at desc limit 1) as sale,
      (select id from invoices where account_id = ${accountId} and status = 'issued' order by issued_at desc limit 1) as document,
      (select id from invoices where account_id = ${accountId} and status <> 'issued' order by issued_at desc limit 1) as rejected,
      (select customer_id from sales where account_id = ${accountId} and customer_id is not null
        order by occurred_at desc limit 1) as customer,
      (select id from quotes where account_id = ${accountId} order by created_at desc limit 1) as quote`);
  const { sale, document, rejected, customer, quote } = rows[0]!;
  return {
    ventas: "/ventas",
    "ventas-filtradas": "/ventas?medio=NEQUI&minimo=30000",
    venta: `/ventas/${sale}`,
    documentos: "/documentos",
    "documentos-por-atender": "/documentos?estado=por-atender",
    documento: `/documentos/${document}`,
    "documento-rechazado": `/documentos/${rejected}`,
    clientes: "/clientes",
    "cliente-nuevo": "/clientes/nuevo",
    cliente: `/clientes/${customer}`,
    cotizaciones: "/cotizaciones",
    cotizacion: `/cotizaciones/${quote}`,
  };
}

/** A week of deliveries of the events that the demo shop already has. */
async function pastDeliveries(accountId: string, endpointId: string): Promise<void> {
  await deps.pool.query({
    text: `
      insert into webhook_deliveries (account_id, created_at, id, endpoint_id, event_id, event_type, is_test, state, attempts)
      select account_id, created_at, (left(id::text, 15) || substr(gen_random_uuid()::text, 16))::uuid, $2, id, type, false,
        case when n % 29 = 0 then 'failed' else 'delivered' end,
        json_build_array(json_build_object('at', to_char(created_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'duration_ms', 40 + (n * 37) % 160, 'status', case when n % 29 = 0 then 500 else 200 end,
          'failure', case when n % 29 = 0 then 'status' end, 'remote_address', '203.0.113.10'))
      from (select *, row_number() over (order by created_at) as n from events where account_id = $1 and created_at > $3) e`,
    values: [accountId, endpointId, new Date(deps.clock.now().getTime() - 7 * day)],
  });
}

async function registers(accountId: string): Promise<string> {
  const now = deps.clock.now();
  const ids = [uuidv7(now), uuidv7(now)];
  for (const [i, id] of ids.entries()) {
    await deps.pool.query(sql`
      insert into devices (id, account_id, name, app_version, capabilities, created_at, last_seen_at)
      values (${id}, ${accountId}, ${`Caja ${i + 1}`}, ${i === 0 ? "3.8.1" : "3.2.0"},
        ${i === 0 ? ["product.remote_edit.1"] : []}, ${now}, ${now})`);
    await deps.pool.query(sql`
      insert into device_progress (account_id, device_id, acked_seq, skew_ms)
      values (${accountId}, ${id}, 800, ${i === 0 ? 1_200 : 540_000})`);
  }
  const [, second] = ids;
  await deps.pool.query(sql`
    insert into quarantined_records (account_id, device_id, device_seq, received_at, type, record_id, reason, raw)
    values (${accountId}, ${second}, 812, ${now}, 'sale', 'x', 'El campo total no es un número entero.',
      '{"device_seq":812,"type":"sale","data":{"total":"doce mil"}}')`);
  await deps.pool.query(sql`
    insert into conflicts (account_id, id, found_at, device_id, device_seq, type, record_id, field, kept, lost)
    values (${accountId}, ${uuidv7(now)}, ${now}, ${second}, 790, 'product', ${uuidv7(now)}, 'base_price', '5400', '5200')`);
  return second!;
}
