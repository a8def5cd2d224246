import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { theOperator } from "../../src/access/accounts/record-audit.ts";
import { createCashier } from "../../src/business/counter/cashiers.ts";
import { allRights } from "../../src/business/counter/rights.ts";
import { afterScan, newCaja, scan, tablet, throwAway } from "../support/caja.ts";
import { shared, sharedService } from "../support/fixtures.ts";
import { enrol, remoteEdit } from "../support/register.ts";
import { sharedBrowser } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();
const [bread, cheese] = ["7700000001", "7700000002"];

/** A shop with Ana, who may only sell, and Luz, who may everything; a small tablet with a keyboard. */
const counter = shared(async () => {
  const { accountId } = await service.business();
  const till = await enrol(service, accountId, { capabilities: [remoteEdit] });
  const product = (name: string, price: number, more: object) => ({
    type: "product",
    id: randomUUID(),
    data: {
      ...{ name, base_price: price, final_price: price, tax_class: "exempt", base_unit: "und", sold_by_weight: false },
      ...{ active: true, sellable: true, variants: [], ...more },
    },
  });
  const answer = await till.push([
    { type: "warehouse", id: randomUUID(), data: { name: "Principal", is_default: true, active: true } },
    product("Pan", 10_000, { sku: bread }),
    product("Queso", 20_000, { sku: cheese }),
    product("Helado", 0, {}),
  ]);
  expect(answer.status).toBe(200);
  const person = (name: string, permissions: typeof allRights, pin: string) =>
    createCashier(service.deps, accountId, { name, pin, permissions }, theOperator);
  await person("Ana", ["free_line"], "2468");
  await person("Luz", allRights, "975310");
  const context = await tablet(browser, { width: 1024, height: 600 });
  context.own.setDefaultTimeout(15_000);
  const caja = await newCaja(context.own, service, accountId);
  return { caja, page: caja.page, [Symbol.asyncDispose]: () => context.own.close() };
});
let page: Page;
beforeAll(async () => {
  page = counter.page;
  await page.goto(`${service.baseUrl}/caja/`);
  await counter.caja.link();
  await signIn();
  await counter.caja.openShift();
});

async function signIn(): Promise<void> {
  await page.getByRole("button", { name: "Ana", exact: true }).click();
  await page.getByLabel("PIN").fill("2468");
  await page.getByRole("button", { name: "Entrar" }).click();
}
const ticket = () => page.getByLabel("Tiquete", { exact: true });
const total = (sum: string) => page.getByRole("button", { name: `Cobrar $${sum}`, exact: true }).waitFor();
const tile = (name: string) => page.locator(".tiles").getByRole("button", { name }).first().click();
async function discard(): Promise<void> {
  await afterScan();
  await throwAway(page);
  await ticket().getByText("Escanee o toque").waitFor();
}
async function authorize(): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Autoriza un supervisor" });
  await dialog.getByLabel("PIN").pressSequentially("975310", { delay: 90 });
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
}

test("a part that was paid is still there after a scan, an Escape and a reload: the terminal has taken it", async () => {
  await tile("Queso");
  await page.keyboard.press("F9");
  await page.getByRole("button", { name: "Dividir el pago" }).click();
  await page.getByLabel("Valor").fill("15.000");
  await page.getByRole("button", { name: "Agregar", exact: true }).click();
  const part = page.locator(".parts").getByText("$15.000");
  await part.waitFor();
  await scan(page, bread!);
  // Of 30.000 half is left to charge.
  await ticket().getByText("-$15.000").waitFor();
  await total("15.000");
  await afterScan();
  await page.keyboard.press("F9");
  await part.waitFor();
  await page.keyboard.press("Escape");
  await page.reload();
  await signIn();
  await page.getByRole("button", { name: /^Cobrar \$15\.000/ }).click();
  await part.waitFor();
  await page.getByText("Efectivo · $15.000").waitFor();
  await page.getByRole("button", { name: "Exacto" }).click();
  await page.getByRole("button", { name: "Nueva venta" }).click();
  // The next customer begins without them.
  await tile("Pan");
  await page.keyboard.press("F9");
  await page.getByText("Efectivo · $10.000").waitFor();
  await page.keyboard.press("Escape");
  await discard();
});

test("a share that a supervisor allowed is of what was there, and what comes later costs its price", async () => {
  await tile("Queso");
  await page.keyboard.press("F6");
  await page.getByLabel("Descuento", { exact: true }).fill("10");
  await page.getByRole("button", { name: "Guardar" }).click();
  await authorize();
  await total("18.000");
  await scan(page, bread!, bread!, bread!);
  await total("48.000");
  await discard();
});

test("nothing and less than nothing of a product are told how they are taken off", async () => {
  for (const typed of [`0*${bread}`, `-3*${bread}`]) {
    await page.getByLabel("Buscar o escanear").fill(typed);
    await page.keyboard.press("Enter");
    await page.getByText("Para quitar, toque la línea en el tiquete", { exact: false }).waitFor();
    await page.getByLabel("Buscar o escanear").fill("");
  }
  expect(await page.getByText("Ningún producto").count()).toBe(0);
});

test("what has no price is asked for it, and is not given away", async () => {
  await tile("Helado");
  await page.getByLabel("Precio de cada uno").fill("3500");
  await page.keyboard.press("Enter");
  await total("3.500");
  await tile("Helado");
  await page.getByLabel("Precio de cada uno").fill("0");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Sí, no vale nada" }).waitFor();
  await page.keyboard.press("Escape");
  await total("3.500");
  await discard();
});

test("on a small tablet every key stands on its button, and a free line has one", async () => {
  await tile("Pan");
  for (const [name, key] of [
    ["Descuento y notas", "F6"],
    ["En espera", "F7"],
    ["Cotizar", "F8"],
  ] as const)
    expect(await ticket().getByRole("button", { name }).locator("kbd").isVisible(), key).toBe(true);
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  await page.keyboard.press("Control+l");
  await page.getByRole("heading", { name: "Línea libre" }).waitFor();
  await page.keyboard.press("Escape");
  await discard();
});

test("'3*' typed after a tile was touched is three of the next scan", async () => {
  await tile("Queso");
  await total("20.000");
  await page.keyboard.type("3*", { delay: 150 });
  await scan(page, bread!);
  await total("50.000");
  await tile("Queso");
  await page.keyboard.type(`2*${bread}`, { delay: 180 });
  await page.keyboard.press("Enter");
  await total("90.000");
  await tile("Queso");
  await page.keyboard.type("pan", { delay: 150 });
  await page.keyboard.press("Enter");
  await total("120.000");
  await discard();
});

test("the first ticket after a reload is in front again after the next one", async () => {
  await page.reload();
  await signIn();
  await tile("Queso");
  await total("20.000");
  await page.reload();
  await signIn();
  await total("20.000");
  await discard();
});
