import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { theOperator } from "../../src/access/accounts/record-audit.ts";
import { setCounterSettings } from "../../src/business/counter/business-info.ts";
import { createCashier } from "../../src/business/counter/cashiers.ts";
import { scaleLabelOf } from "../../src/lib/scale-label.ts";
import { newCaja, reloadForScans, scanAs, scannerKinds, tablet, throwAway } from "../support/caja.ts";
import { eventually } from "../support/eventually.ts";
import { shared, sharedService, sharedShop } from "../support/fixtures.ts";
import { newProduct } from "../support/product.ts";
import { sharedBrowser } from "../support/visitor.ts";

const service = sharedService();
const shop = sharedShop(service);
const browser = sharedBrowser();
const byWeight = "20AAAAAGGGGGC";
const byPrice = "21AAAAAPPPPPC";
const settings = {
  ...{ ticket_header: null, ticket_footer: null, color: null, cash_rounding: 0, tip_percent: 0, blind_count: false },
  scale_labels: [byWeight, byPrice],
};

const counter = shared(async () => {
  const made = async (product: object): Promise<string> => (await newProduct(shop.api, product)).id;
  const beer = await made({
    name: "Cerveza",
    base_price: 2500,
    sku: "7700000001",
    barcodes: [
      { code: "7700000002" },
      { code: "17700000008", units: 24, price: 50_000 },
      { code: "17700000009", units: 6, name: "Six pack" },
    ],
  });
  await made({ name: "Queso", base_price: 27_800, sku: "123", base_unit: "kg", sold_by_weight: true });
  await made({ name: "Ensalada", base_price: 9000, sku: "00456" });
  await setCounterSettings(service.deps, shop.accountId, settings);
  const context = await tablet(browser);
  const caja = await newCaja(context.own, service, shop.accountId);
  return { beer, caja, page: caja.page, [Symbol.asyncDispose]: () => context.own.close() };
});
let page: Page;
beforeAll(async () => {
  page = counter.page;
  await counter.caja.start();
  await counter.caja.uploaded();
});

const ticket = () => page.getByLabel("Tiquete", { exact: true });
const box = () => page.getByLabel("Buscar o escanear");
const total = (pesos: string) => page.getByRole("button", { name: `Cobrar $${pesos}`, exact: true }).waitFor();
const stockOf = async (id: string) => (await shop.api.get(`/products/${id}`)).body.stock as number;

async function startOver(): Promise<void> {
  await page.keyboard.press("Escape");
  await page.keyboard.press("F2");
  await box().fill("");
  if (await ticket().getByText("Escanee o toque").isVisible()) return;
  await throwAway(page);
  await ticket().getByText("Escanee o toque").waitFor();
}

async function charge(): Promise<void> {
  await page.keyboard.press("F9");
  await page.getByRole("button", { name: "Exacto" }).click();
  await page.getByRole("heading", { name: /registrada/ }).waitFor();
  await counter.caja.uploaded();
}

describe.each(scannerKinds)("a scanner with a key every $gapMs ms that ends with $ending", (kind) => {
  beforeAll(() => reloadForScans(page));

  test("of any code of a product adds that product", async () => {
    await startOver();
    await scanAs(page, "7700000001", kind);
    await total("2.500");
    await scanAs(page, "7700000002", kind);
    await total("5.000");
    expect(await ticket().getByRole("listitem").count()).toBe(1);
  });

  test("of a pack adds its units, and says so", async () => {
    await startOver();
    await scanAs(page, "17700000009", kind);
    await total("15.000");
    await ticket().getByText("Cerveza · Six pack").waitFor();
    await scanAs(page, "17700000008", kind);
    await total("65.000");
    await ticket().getByText("Cerveza · Caja x24").first().waitFor();
    expect(await box().inputValue()).toBe("");
  });

  test.each(["5*", "5"])("of a pack after %s adds that many packs", async (typed) => {
    await startOver();
    await box().fill(typed);
    await scanAs(page, "17700000008", kind);
    await total("250.000");
  });

  test("of a pack while a price is asked shows the pack's, and sells nothing", async () => {
    await startOver();
    await page.keyboard.press("F3");
    await scanAs(page, "17700000008", kind);
    const panel = page.getByRole("dialog", { name: "Consultar precio" });
    await panel.getByText("Cerveza · Caja x24").waitFor();
    await panel.getByText("$50.000 / Caja x24", { exact: true }).waitFor();
    await panel.getByText(/^Son 24 und · suelta a \$[\d.]+$/).waitFor();
    await page.keyboard.press("Escape");
    await ticket().getByText("Escanee o toque").waitFor();
  });

  test("of a scale's label adds the product with that weight, or at that price", async () => {
    await startOver();
    await scanAs(page, scaleLabelOf(byWeight, "123", 735), kind);
    await total("20.433");
    await ticket().getByText("0,735").waitFor();
    await scanAs(page, scaleLabelOf(byPrice, "123", 9999), kind);
    await total("30.432");
    await scanAs(page, scaleLabelOf(byPrice, "456", 7777), kind);
    await total("38.209");
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  test("of a label for an article that nobody knows, or with a wrong check digit, is an unknown code", async () => {
    await startOver();
    const wrong = scaleLabelOf(byWeight, "123", 735).slice(0, 12);
    for (const code of [scaleLabelOf(byWeight, "999", 735), `${wrong}0`]) {
      await scanAs(page, code, kind);
      await page.getByText(`Ningún producto tiene el código ${code}`).waitFor();
    }
    await ticket().getByText("Escanee o toque").waitFor();
  });

  test("of an unknown code offers to create it, and the next scan is a scan", async () => {
    await startOver();
    await scanAs(page, "770999999999", kind);
    await page.getByRole("button", { name: "Crear producto" }).waitFor();
    await scanAs(page, "7700000001", kind);
    await total("2.500");
    await page.getByRole("button", { name: "Crear producto" }).click();
    await page.getByRole("dialog", { name: "Crear producto" }).waitFor();
    await scanAs(page, "7700000001", kind);
    await total("5.000");
    expect(await page.getByRole("dialog").count()).toBe(0);
  });
});

test("a pack's units leave the stock, and the sale is to the peso", async () => {
  await startOver();
  const before = await stockOf(counter.beer);
  await scanAs(page, "17700000008", scannerKinds[0]!);
  await total("50.000");
  await charge();
  await eventually(async () => expect(await stockOf(counter.beer)).toBe(before - 24));
  const [sale] = (await shop.api.get("/sales?limit=1")).body.data;
  expect(sale).toMatchObject({ total: 50_000 });
  expect(sale.items.reduce((sum: number, item: { quantity: number }) => sum + item.quantity, 0)).toBe(24);
  await page.getByRole("button", { name: "Nueva venta" }).click();
});

test("a product is created at the counter without a connection, sold at once, and reaches the shop", async () => {
  await startOver();
  await page.context().setOffline(true);
  const scanner = scannerKinds[0]!;
  await scanAs(page, "770555", scanner);
  await page.getByRole("button", { name: "Crear producto" }).click();
  const panel = page.getByRole("dialog", { name: "Crear producto" });
  await panel.getByText("Código 770555").waitFor();
  await panel.getByLabel("Nombre").fill("Bocadillo veleño");
  await panel.getByRole("combobox", { name: /^Impuesto/ }).selectOption("excluded");
  await panel.getByLabel("Nombre").press("Enter");
  await panel.getByLabel("Precio, con impuestos").fill("1.800");
  await page.keyboard.press("Enter");
  await total("1.800");
  await scanAs(page, "770555", scanner);
  await total("3.600");
  await page.getByRole("button", { name: "Bocadillo veleño" }).first().waitFor();
  await page.context().setOffline(false);
  await charge();
  const { data } = (await shop.api.get("/products?barcode=770555")).body;
  expect(data).toMatchObject([
    { name: "Bocadillo veleño", final_price: 1800, tax_class: "excluded", base_unit: "und" },
  ]);
  await page.getByRole("button", { name: "Nueva venta" }).click();
});

test("what is sold by weight is created by the kilo, and its weight is asked", async () => {
  await startOver();
  await scanAs(page, "PLU-9", scannerKinds[0]!);
  await page.getByRole("button", { name: "Crear producto" }).click();
  await page.getByLabel("Nombre").fill("Papa criolla");
  await page.getByLabel("Se vende por peso").check();
  await page.getByLabel("Precio por kg, con impuestos").fill("4000");
  await page.getByRole("button", { name: "Crear y agregar" }).click();
  await page.getByLabel("Peso en kg").fill("0,5");
  await page.keyboard.press("Enter");
  await total("2.000");
});

test("who has no right to create products asks a supervisor", async () => {
  await startOver();
  const cashier = { name: "Ana", pin: "4321", permissions: [] };
  await page.goto("about:blank");
  await createCashier(service.deps, shop.accountId, cashier, theOperator);
  const supervisor = { name: "Luz", pin: "8765", permissions: ["create_product" as const] };
  await createCashier(service.deps, shop.accountId, supervisor, theOperator);
  await page.goto(`${service.baseUrl}/caja/`);
  await page.getByRole("button", { name: "Luz" }).waitFor();
  await page.getByRole("button", { name: "Ana" }).click();
  await page.getByLabel("PIN").fill("4321");
  await page.keyboard.press("Enter");
  await box().waitFor();
  await scanAs(page, "770999999999", scannerKinds[0]!);
  await page.getByRole("button", { name: "Crear producto" }).click();
  await page.getByRole("dialog", { name: "Autoriza un supervisor" }).getByLabel("PIN").fill("8765");
  await page.getByRole("button", { name: "Autorizar" }).click();
  await page.getByRole("dialog", { name: "Crear producto" }).getByText("770999999999").waitFor();
});
