import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { openSession } from "../../src/access/people/session.ts";
import { sql } from "../../src/db/sql.ts";
import { ensureDemo } from "../../src/operations/demo/ensure-demo.ts";
import { demoEmail } from "../../src/operations/demo/identity.ts";
import { settled } from "../support/axe.ts";
import { shared } from "../support/fixtures.ts";
import { layoutFaults } from "../support/layout.ts";
import { pathOf, portalPaths } from "../support/portal-paths.ts";
import { sharedBrowser, visit } from "../support/visitor.ts";
import { sharedHooks } from "../support/webhooks.ts";

const hooks = sharedHooks();
const browser = sharedBrowser();
const owner = shared(() => visit(browser, hooks.service, { width: 1440 }));
let ids: Record<string, string> = {};

/** The demo shop, with an endpoint that has received something and a call of its key. */
beforeAll(async () => {
  const { service } = hooks;
  const { deps } = service;
  await ensureDemo(deps, () => {}, { always: true });
  const account = await deps.pool.query<{ id: string }>(sql`select id from accounts where email = ${demoEmail}`);
  const accountId = account.rows[0]!.id;
  const business = { accountId, ...(await service.key(accountId)) };
  const endpoint = await hooks.endpoint(business);
  await hooks.writeCustomer(business, "María Fernanda Gómez");
  const [received] = await hooks.receiver.arrivals(endpoint.path, 1);
  const [product] = (await business.api.get("/products?limit=1&active=true")).body.data;
  const contact = { name: "María Fernanda Gómez", phone: "300 123 4567" };
  const ordered = await business.api.post("/orders", {
    contact,
    prices: "given",
    items: [
      { product_id: product.id, quantity: 1, ...(product.has_variants && { variant_id: product.variants[0].id }) },
    ],
  });
  const call = await business.api.get("/customers?limit=2");
  ids = {
    ...(await recordsOf(accountId)),
    "/pedidos": ordered.body.id,
    "/webhooks": endpoint.id,
    "/entregas": received!.deliveryId,
    "/eventos": received!.body.id,
    "/claves": business.keyId,
    "/solicitudes": call.headers.get("request-id")!,
  };
  const { token } = await openSession(deps, accountId);
  await owner.context.addCookies([{ name: "mostrador_session", value: token, url: service.baseUrl }]);
  await owner.goto("/");
});

/** The sale is one of which something came back: it has the most to show. */
async function recordsOf(accountId: string): Promise<Record<string, string>> {
  const { rows } = await hooks.service.deps.pool.query<Record<string, string>>(sql`
    select
      (select s.id from sales s join returns r on r.account_id = s.account_id and r.sale_id = s.id
        where s.account_id = ${accountId} order by json_array_length(s.body -> 'items') desc, s.id limit 1) as "/ventas",
      (select id from products where account_id = ${accountId} order by stock_milli desc nulls last limit 1) as "/productos",
      (select customer_id from sales where account_id = ${accountId} and customer_id is not null order by total desc limit 1) as "/clientes",
      (select r.cash_session_id from returns r where r.account_id = ${accountId} and r.cash_session_id is not null limit 1) as "/turnos",
      (select id from purchases where account_id = ${accountId} order by number limit 1) as "/compras",
      (select id from suppliers where account_id = ${accountId} order by created_at limit 1) as "/proveedores",
      (select id from quotes where account_id = ${accountId} order by created_at limit 1) as "/cotizaciones",
      (select id from invoices where account_id = ${accountId} and document_type = 'electronic_invoice' limit 1) as "/documentos",
      (select id from devices where account_id = ${accountId} order by created_at limit 1) as "/cajas"`);
  return rows[0]!;
}

/** Without loading the portal again. Resolves when nothing on the page is under way. */
async function open(page: Page, path: string): Promise<void> {
  const underWay = new Set<unknown>();
  const [begin, end] = [(one: unknown) => void underWay.add(one), (one: unknown) => void underWay.delete(one)];
  page.on("request", begin).on("requestfinished", end).on("requestfailed", end);
  await page.evaluate(`history.pushState(null, "", ${JSON.stringify(path)})`);
  await settled(page);
  await expect.poll(() => underWay.size).toBe(0);
  await settled(page);
  page.off("request", begin).off("requestfinished", end).off("requestfailed", end);
}

const views = ["month", "hour", "product", "taxes", "document_taxes"].map((view) => `/informes?por=${view}`);

describe("every page at every width: nothing sticks out, every control is there, no figure is broken", () => {
  test.each([...portalPaths(), ...views, "/ventas?estado=partly_returned", "/nada"])("%s", async (path) => {
    await open(owner.page, pathOf(path, ids));
    expect(await layoutFaults(owner.page)).toEqual([]);
  });

  test.each(["/ingreso", "/restablecer", "/deshacer-correo#enlace"])("%s, for who has not come in", async (path) => {
    const stranger = await visit(browser, hooks.service);
    await stranger.goto(path);
    await settled(stranger.page);
    expect(await layoutFaults(stranger.page)).toEqual([]);
    await stranger.context.close();
  });

  test.each([1440, 768, 320])("the whole menu can be opened at %i px", async (width) => {
    const { page } = owner;
    await page.setViewportSize({ width, height: 700 });
    await open(page, "/");
    const more = owner.button("Más");
    if (await more.isVisible()) await more.click();
    const entries = await page.locator("#menu nav a").all();
    expect(entries.length).toBeGreaterThan(20);
    for (const entry of entries) {
      await entry.scrollIntoViewIfNeeded();
      await entry.click({ trial: true });
    }
    if (await owner.button("Cerrar").isVisible()) await owner.button("Cerrar").click();
  });
});

test("no page violated the content policy or threw an error", () => {
  expect(owner.complaints).toEqual([]);
});
