import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { warehouses } from "../../src/business/inventory/resource.ts";
import { settled } from "../support/axe.ts";
import { cajaOn, furnishShop } from "../support/caja.ts";
import { shared, sharedService } from "../support/fixtures.ts";
import { newProduct } from "../support/product.ts";
import { store, warehouseBody } from "../support/records.ts";
import { openAccount, sharedBrowser, type Visitor, visit } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();
const account = shared(() => openAccount(service));

beforeAll(async () => {
  const { accountId } = account;
  const { api } = await service.key(accountId);
  await store(service.deps, accountId, warehouses, (at) => [{ body: warehouseBody(at, { name: "Local" }) }]);
  await newProduct(api, { name: "Jabón azul", sku: "JAB-1", base_price: 4_500, initial_stock: 3, unit_cost: 2_000 });
  await newProduct(api, { name: "Arroz", base_unit: "kg", initial_stock: 40_000, unit_cost: 1_003_100 });
  await api.post("/customers", { name: "Distribuidora Hermanos Villavicencio Echeverri y Compañía" });
});

/** The fonts that draw the text of the page's first element of this kind. */
async function fontsOf(page: Page, selector: string): Promise<string[]> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("DOM.enable");
  await devtools.send("CSS.enable");
  const { root } = await devtools.send("DOM.getDocument");
  const { nodeId } = await devtools.send("DOM.querySelector", { nodeId: root.nodeId, selector });
  const { fonts } = await devtools.send("CSS.getPlatformFontsForNode", { nodeId });
  await devtools.detach();
  return fonts.map(({ familyName }) => familyName.replace(" Light", ""));
}

describe("the page is written in the typeface that comes with it", () => {
  test.each(["/ingreso", "/docs", "/docs/guia/webhooks", "/nada", "/dev/mail", "/caja/"])("%s", async (path) => {
    const { page, context, complaints } = await visit(browser, service);
    const asked: string[] = [];
    page.on("request", (request) => void (request.resourceType() === "font" && asked.push(request.url())));
    await page.goto(path);
    await settled(page);
    await page.locator("h1").first().waitFor();
    await page.evaluate("document.fonts.ready.then(() => undefined)");
    expect(await page.evaluate(`[...document.fonts].find(({ family }) => family === "Figtree").status`)).toBe("loaded");
    expect(await page.evaluate(`document.fonts.check("16px Figtree", "ÁÉÍÓÚÜÑáéíóúüñ¿¡«»…·–—×−€$%")`)).toBe(true);
    expect(await fontsOf(page, "h1")).toEqual(["Figtree"]);
    // Once, by the preload, from this service, and to be kept for good.
    expect(asked).toHaveLength(1);
    const { headers } = await fetch(asked[0]!);
    expect(asked[0]).toMatch(new RegExp(`^${service.baseUrl}/.*figtree.*\\.woff2$`));
    expect([headers.get("content-type"), headers.get("cache-control")]).toEqual([
      "font/woff2",
      "public, max-age=31536000, immutable",
    ]);
    expect(Number(headers.get("content-length"))).toBeLessThan(60_000);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("figures in a table are equally wide", async () => {
    const { page, context } = await visit(browser, service);
    await page.goto("/docs");
    const widths = await page.evaluate(`(() => {
      const box = document.body.appendChild(document.createElement("span"));
      box.style.cssText = "font-variant-numeric: tabular-nums; position: absolute";
      return ["1111", "8888", "0000"].map((text) => ((box.textContent = text), box.getBoundingClientRect().width));
    })()`);
    expect(new Set(widths as number[]).size).toBe(1);
    await context.close();
  });

  test("its licence is beside it", async () => {
    for (const path of ["/assets/figtree-licence.txt", "/caja/assets/figtree-licence.txt", "/docs/figtree-licence.txt"])
      expect(await (await fetch(`${service.baseUrl}${path}`)).text()).toContain("SIL OPEN FONT LICENSE");
  });
});

/** The typeface never arrives, and the machine's letters are a fifth wider, more than those of DejaVu or Verdana. */
async function badlyOff(): Promise<Visitor> {
  const visitor = await visit(browser, service, { width: 375, height: 812 });
  await visitor.context.route("**/*.woff2", (route) => route.abort());
  await visitor.page.addInitScript(`addEventListener("DOMContentLoaded", () => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("* { letter-spacing: 0.1em }");
    document.adoptedStyleSheets = [sheet];
  })`);
  return visitor;
}

/** What sticks out at the right, if anything. */
const tooWide = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  return [...document.querySelectorAll("body *")]
    .filter((one) => one.getBoundingClientRect().right > clientWidth + 0.5)
    .map((one) => one.tagName + "." + one.className + " " + (one.textContent ?? "").slice(0, 40))
    .slice(0, 12);
})()`;

describe("without the typeface, in wider letters, nothing is wider than a phone", () => {
  const owner = shared(badlyOff);
  beforeAll(() => owner.signIn(account.email));

  test.each([
    "/",
    "/ventas",
    "/productos",
    "/productos/importar",
    "/clientes",
    "/inventario",
    "/inventario/conteo",
    "/turnos",
    "/pedidos",
    "/cotizaciones",
    "/documentos",
    "/informes",
    "/integracion",
    "/webhooks",
    "/entregas",
    "/eventos",
    "/claves",
    "/solicitudes",
    "/ajustes/negocio",
    "/ajustes/facturacion",
    "/cajas",
    "/cuenta",
    "/docs/guias",
    "/docs/referencia/ventas",
    "/docs/errores",
    "/nada",
  ])("%s", async (path) => {
    await owner.goto(path);
    await settled(owner.page);
    await owner.page.locator("h1").first().waitFor();
    await expect.poll(() => owner.page.evaluate(tooWide)).toEqual([]);
  });
});

test("the register opens offline in its typeface, and sells without it in wider letters", async () => {
  const { accountId } = await openAccount(service, { name: "Cafetería" });
  await furnishShop(service, accountId, ["Café con leche", "Almojábana"]);
  const first = await visit(browser, service);
  await first.goto("/caja/");
  await first.page.evaluate("navigator.serviceWorker.ready.then(() => undefined)");
  await first.context.setOffline(true);
  await first.page.reload();
  await first.page.evaluate("document.fonts.ready.then(() => undefined)");
  expect(await fontsOf(first.page, "h1")).toEqual(["Figtree"]);
  await first.context.close();

  const { page, context } = await badlyOff();
  const caja = cajaOn(page, service, accountId);
  await caja.start();
  expect(await page.evaluate(tooWide)).toEqual([]);
  await page.getByRole("button", { name: "Café con leche" }).first().click();
  expect(await page.evaluate(tooWide)).toEqual([]);
  await context.close();
});
