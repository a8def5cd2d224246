import type { FastifyInstance } from "fastify";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withAccountLock } from "../../src/access/accounts/account-lock.ts";
import { buildApp } from "../../src/app.ts";
import { sql } from "../../src/db/sql.ts";
import { setProfile } from "../../src/fiscal/profile/set-profile.ts";
import { setRange } from "../../src/fiscal/profile/set-range.ts";
import { createEndpoint } from "../../src/webhooks/endpoints/create-endpoint.ts";
import { secretBox } from "../../src/webhooks/endpoints/secret-box.ts";
import { settled } from "../support/axe.ts";
import { plainSale, ringUp, softwarePin } from "../support/fiscal.ts";
import { sharedService } from "../support/fixtures.ts";
import { pathOf, portalPaths } from "../support/portal-paths.ts";
import { newProduct } from "../support/product.ts";
import { cashSessionBody, quoteBody } from "../support/records.ts";
import { enrol, upload } from "../support/register.ts";
import { openAccount, sharedBrowser, type Visitor, visit } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();
let running: FastifyInstance;
let owner: Visitor;
let account: { accountId: string; email: string };
const notice = "Sin conexión con el servicio.";

beforeAll(async () => {
  running = service.app;
  account = await openAccount(service);
  owner = await visit(browser, service);
  await owner.signIn(account.email);
});
afterAll(() => running.close());

/** The service ends as when its process is stopped; the returned function starts another at the same address. */
async function stopService(): Promise<() => Promise<void>> {
  await running.close();
  return async () => {
    running = buildApp(service.deps);
    await running.listen({ port: Number(new URL(service.baseUrl).port), host: "127.0.0.1" });
  };
}

test("a page whose files cannot be loaded while the service is away appears once it is back", async () => {
  const { page } = owner;
  await owner.goto("/");
  await page.getByRole("heading", { level: 1 }).waitFor();
  const startService = await stopService();
  await page.evaluate("history.pushState(null, '', '/documentos')");
  await page.getByText("Esta página no se pudo cargar").waitFor();
  await startService();
  await page.getByRole("heading", { name: "Documentos", level: 1 }).waitFor();
});

test("after a deployment a page whose old files are gone is loaded anew, once", async () => {
  const { page } = owner;
  await owner.goto("/claves/nueva");
  await owner.field(/^Nombre/).fill("Antes del despliegue");
  let refused = 0;
  await page.route("**/assets/*.js", (route) => {
    if (refused > 0) return route.continue();
    refused += 1;
    return route.fulfill({ status: 404, body: "" });
  });
  await page.evaluate("history.pushState(null, '', '/eventos')");
  await page.getByRole("heading", { name: "Eventos", level: 1 }).waitFor();
  expect(refused).toBe(1);
  await page.unroute("**/assets/*.js");
  await page.goBack();
  await expect.poll(() => owner.field(/^Nombre/).inputValue()).toBe("Antes del despliegue");
});

test("a part that is missing for good ends in a page that says what to do, never in a white one", async () => {
  const { page } = owner;
  await owner.goto("/");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.route("**/assets/reports-*.js", (route) => route.fulfill({ status: 404, body: "" }));
  await page.evaluate("history.pushState(null, '', '/informes')");
  await page.getByText("Algo falló en esta página").waitFor();
  await owner.button("Volver a cargar").waitFor();
  await page.unroute("**/assets/reports-*.js");
  await owner.button("Volver a cargar").click();
  await page.getByRole("heading", { name: "Informes" }).waitFor();
});

test("a portal whose main file cannot be loaded says so and starts by itself", async () => {
  const { page } = owner;
  await page.route("**/assets/index-*.js", (route) => route.abort());
  await page.goto("/");
  await page.getByText("El servicio no responde.").waitFor();
  await page.unroute("**/assets/index-*.js");
  await page.getByRole("heading", { level: 1 }).waitFor();
});

/** Every address of the portal; each `:id` is a record of the shop. */
async function everyPath(): Promise<string[]> {
  const ids = await furnish();
  return portalPaths().map((path) => pathOf(path, ids));
}

async function furnish(): Promise<Record<string, string>> {
  const { deps } = service;
  const { pool } = deps;
  await setProfile(deps, account.accountId, { nit: "900373923-8", regime: "iva", softwarePin });
  await setRange(deps, account.accountId, {
    kind: "pos",
    prefix: "EPOS",
    first: 1,
    last: 99,
    validUntil: "2098-12-31",
  });
  const { api, keyId } = await service.key(account.accountId);
  const endpoint = await withAccountLock(deps, account.accountId, (client) =>
    createEndpoint(
      client,
      secretBox(deps.config.secretKey),
      account.accountId,
      { url: "https://hooks.example.com/a", event_types: ["sale.completed"] },
      deps.clock.now(),
    ),
  );
  const till = await enrol(service, account.accountId);
  const at = new Date().toISOString();
  const session = cashSessionBody(at);
  const quote = quoteBody(at);
  await till.push([
    { type: "cash_session", id: session.id, data: upload(session) },
    { type: "quote", id: quote.id, data: upload(quote) },
  ]);
  const [sale] = await ringUp(service, account.accountId, (now) => [plainSale(now, 5000)]);
  const product = await newProduct(api);
  const ordered = await api.post("/orders", { items: [{ product_id: product.id, quantity: 1 }] });
  const made = await api.post("/customers", { name: "Ana" });
  const supplier = await api.post("/suppliers", { name: "Lácteos del Valle" });
  const bought = await api.post("/purchases", {
    supplier_id: supplier.body.id,
    lines: [{ product_id: product.id, quantity: 1, unit_cost: 1000 }],
  });
  const { rows } = await pool.query(sql`
    select coalesce((select id from webhook_deliveries where account_id = ${account.accountId} limit 1),
        (select id from webhook_queue where account_id = ${account.accountId} limit 1)) as delivery,
      (select id from events where account_id = ${account.accountId} limit 1) as event`);
  return {
    "/ventas": sale!.id,
    "/documentos": sale!.invoices[0]!.id,
    "/productos": product.id,
    "/clientes": made.body.id,
    "/turnos": session.id,
    "/pedidos": ordered.body.id,
    "/cotizaciones": quote.id,
    "/compras": bought.body.id,
    "/proveedores": supplier.body.id,
    "/webhooks": endpoint.id,
    "/entregas": rows[0].delivery,
    "/eventos": rows[0].event,
    "/claves": keyId,
    "/solicitudes": made.headers.get("request-id")!,
    "/cajas": till.deviceId,
  };
}

// The last one: it leaves every page's files in the browser's cache.
test("with the service away every page says so, and recovers by itself with what was typed into it", async () => {
  const typed = [
    { path: "/webhooks/nuevo", label: /URL de su servidor/, value: "https://tienda.com.co/a-medias" },
    { path: "/claves/nueva", label: /^Nombre/, value: "Clave a medias" },
    { path: "/productos/nuevo", label: /^Nombre/, value: "Producto a medias" },
    { path: "/clientes/nuevo", label: /^Nombre/, value: "Cliente a medias" },
  ];
  const all = await everyPath();
  expect(all.length).toBeGreaterThan(40);
  const isTyped = (path: string) => typed.some((one) => one.path === path);
  // `LONG=1` opens them all.
  const paths = all.filter((path, i) => process.env.LONG !== undefined || i % 8 === 0 || isTyped(path));
  const tabs: { path: string; page: Page; title: string }[] = [];
  for (const path of paths) {
    const page = await owner.context.newPage();
    await page.goto(path, { waitUntil: "commit" });
    tabs.push({ path, page, title: "" });
  }
  for (const tab of tabs) {
    await settled(tab.page);
    tab.title = await titleOf(tab.page);
    expect(tab.title, tab.path).not.toBe("");
    const field = typed.find(({ path }) => path === tab.path);
    if (field) await tab.page.getByLabel(field.label).fill(field.value);
  }
  const startService = await stopService();
  await Promise.all(tabs.map(({ page }) => page.getByText(notice).waitFor({ timeout: 120_000 })));
  for (const { path, page, title } of tabs) expect(await titleOf(page), path).toBe(title);
  await startService();
  await Promise.all(tabs.map(({ page }) => page.getByText(notice).waitFor({ state: "detached", timeout: 120_000 })));
  for (const { path, page, title } of tabs) {
    await page.getByText("No hay conexión con el servicio.").first().waitFor({ state: "detached", timeout: 120_000 });
    expect(await titleOf(page), path).toBe(title);
    const field = typed.find((one) => one.path === path);
    if (field) expect(await page.getByLabel(field.label).inputValue(), path).toBe(field.value);
  }
  await Promise.all(tabs.map(({ page }) => page.close()));
});

const titleOf = async (page: Page) => (await page.getByRole("heading", { level: 1 }).allTextContents()).join();
