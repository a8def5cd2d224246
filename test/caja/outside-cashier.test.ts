import { randomUUID } from "node:crypto";
import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { expectTidy, newCaja, scan, tablet } from "../support/caja.ts";
import { authorize, beginAs, supervisedNames, supervisedShop } from "../support/cashiers.ts";
import { sharedService } from "../support/fixtures.ts";
import { enrol, remoteEdit } from "../support/register.ts";
import { openAccount, sharedBrowser } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();

const longName = "Detergente líquido concentrado para ropa blanca y de color 3 L";
const product = (name: string, sku: string, price: number, given: object = {}) => ({
  ...{ name, sku, base_price: price, final_price: price, tax_class: "excluded", base_unit: "und" },
  ...{ sold_by_weight: false, active: true, sellable: true, variants: [], ...given },
});

/** A shop with chicken by the kilo, a long name and categories with numbers. */
async function shop() {
  const { accountId } = await openAccount(service);
  const till = await enrol(service, accountId, { capabilities: [remoteEdit] });
  const kilo = { sold_by_weight: true, base_unit: "kg" };
  for (const one of [
    product("Pechuga", "2201", 20_000, kilo),
    product("Pan", "770011", 5200),
    product(longName, "12", 900),
  ])
    await till.put("product", one);
  for (const name of ["Pasillo 1", "Pasillo 10", "Pasillo 11", "Pasillo 2"])
    await till.put("category", { name }, { id: randomUUID() });
  return accountId;
}

test("what was left without its weight is told until it is weighed, and an unknown code that is past says so", async () => {
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, await shop());
  const { page } = caja;
  await caja.start();
  await scan(page, "2201");
  await page.getByLabel("Peso en kg").waitFor();
  await scan(page, "770011");
  await page.getByText("No se agregó Pechuga: faltó el peso.").waitFor();
  await page.getByRole("button", { name: /^Cobrar \$5\.200/ }).waitFor();
  await page.getByRole("button", { name: "Pesar" }).click();
  await page.getByLabel("Peso en kg").fill("0,5");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: /^Cobrar \$15\.200/ }).waitFor();
  expect(await page.getByText("No se agregó").count()).toBe(0);
  await scan(page, "999");
  const unknown = page.getByText("Ningún producto tiene el código 999");
  await unknown.waitFor();
  expect(await unknown.textContent()).not.toContain("Antes");
  await scan(page, "770011");
  await page.getByText("Antes: Ningún producto tiene el código 999").waitFor();
  await expectTidy(page, "past-code");
});

test("one sale that waits is one sale, sums have their points, and a company's number is a NIT", async () => {
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, await shop());
  const { page } = caja;
  await caja.start();
  await caja.uploaded();
  await page.evaluate("navigator.serviceWorker.ready.then(() => undefined)");
  await context.own.setOffline(true);
  await caja.sell("Pan");
  await page.getByRole("status").getByText("Sin conexión · 1 venta por subir", { exact: true }).waitFor();
  await scan(page, "770011");
  await page.getByLabel("Tiquete").getByRole("button", { name: /Pan/ }).click();
  const price = page.getByLabel("Precio de cada uno");
  expect(await price.inputValue()).toBe("5.200");
  await price.focus();
  expect(await price.inputValue()).toBe("5200");
  await price.fill("12500");
  await page.getByLabel("Descuento en %").focus();
  expect(await price.inputValue()).toBe("12.500");
  await page.getByRole("button", { name: "Guardar" }).click();
  // What reads as thousands of pesos is no decimal percentage.
  await page.keyboard.press("F6");
  await page.getByRole("combobox", { name: "En" }).selectOption("pesos");
  await page.getByLabel("Descuento", { exact: true }).fill("5200");
  await page.getByRole("combobox", { name: "En" }).selectOption("percent");
  await page.getByText("Escriba un número de 0 a 100.").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Cobrar \$12\.500/ }).click();
  await page.getByRole("button", { name: "Factura", exact: true }).click();
  await page.getByLabel("Cliente", { exact: true }).fill("900123456");
  await page.getByRole("button", { name: "Crear «900123456»" }).click();
  const kind = page.getByRole("combobox", { name: "Documento" });
  expect(await kind.inputValue()).toBe("NIT");
  await page.getByLabel("Número", { exact: true }).fill("1020304050");
  expect(await kind.inputValue()).toBe("CC");
});

test("long names use the whole tile, categories count like people, and a split payment stands in one row", async () => {
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, await shop());
  const { page } = caja;
  await caja.start();
  const shownLines = await page.evaluate(`(() => {
    const name = [...document.querySelectorAll(".tiles .name")].find((one) => one.textContent === "${longName}");
    return Math.round(name.clientHeight / parseFloat(getComputedStyle(name).lineHeight));
  })()`);
  expect(shownLines).toBe(3);
  expect(await page.getByLabel("Categorías").getByRole("button").allTextContents()).toEqual([
    "Todo",
    ...["Pasillo 1", "Pasillo 2", "Pasillo 10", "Pasillo 11"],
  ]);
  await page.getByRole("button", { name: "Pan" }).first().click();
  await page.getByRole("button", { name: /^Cobrar \$/ }).click();
  await page.getByRole("button", { name: "Dividir el pago" }).click();
  const topOf = async (field: Locator) => (await field.boundingBox())!.y;
  const top = await topOf(page.getByRole("combobox", { name: "Medio" }));
  expect(Math.abs((await topOf(page.getByLabel("Valor", { exact: true }))) - top)).toBeLessThan(2);
  expect(await page.getByLabel("Referencia (opcional)", { exact: true }).count()).toBe(1);
  await page.getByLabel("Referencia de esta parte (opcional)").waitFor();
});

test.each([320, 375])("at %i px the register's name comes first, and the search says what fits", async (width) => {
  await using context = await tablet(browser, { width, height: 700 });
  const caja = await newCaja(context.own, service, await shop());
  const { page } = caja;
  await caja.start();
  const top = async (selector: string) => (await page.locator(selector).boundingBox())!.y;
  expect(await top(".who span")).toBeLessThan(await top(".who h1"));
  const fits = (node: unknown) =>
    (node as { scrollWidth: number }).scrollWidth <= (node as { clientWidth: number }).clientWidth;
  expect(await page.locator(".who span").evaluate(fits)).toBe(true);
  expect(await page.getByLabel("Buscar o escanear").getAttribute("placeholder")).toBe("Nombre o código");
  await expectTidy(page, "phone-head");
});

test("whoever may not see the expected cash closes the shift, and only the paper tells it", async () => {
  const { accountId } = await supervisedShop(service);
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  const { page } = caja;
  await beginAs(caja, service, "Ana");
  await caja.sell(supervisedNames[0]!);
  await page.getByRole("button", { name: "Turno", exact: true }).click();
  await page.getByRole("button", { name: "Cerrar turno" }).click();
  await page.getByLabel("$20.000").fill("2");
  await page.getByRole("dialog").getByRole("button", { name: "Cerrar turno" }).click();
  await authorize(page);
  await page.getByText("CIERRE DE TURNO (Z)").waitFor();
  const paper = page.locator(".paper");
  const told = ["Efectivo esperado", "Ventas en efectivo", "Falta", "Efectivo (1)"];
  for (const text of told) expect(await paper.getByText(text, { exact: true }).isVisible(), text).toBe(false);
  await paper.getByText("Contado", { exact: true }).waitFor();
  await page.emulateMedia({ media: "print" });
  for (const text of told) expect(await paper.getByText(text, { exact: true }).isVisible(), text).toBe(true);
});
