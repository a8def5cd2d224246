import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { afterScan, newCaja, scan, tablet } from "../support/caja.ts";
import { sharedService } from "../support/fixtures.ts";
import { enrol, remoteEdit } from "../support/register.ts";
import { openAccount, sharedBrowser } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();

async function shop() {
  const { accountId } = await openAccount(service);
  const till = await enrol(service, accountId, { capabilities: [remoteEdit] });
  for (const [name, sku, price, given] of [
    ["Pan", "770011", 500],
    ["Pan tajado", "770012", 5200],
    ["Pandebono", "770013", 1800],
    ["Queso", "2201", 20_000, { sold_by_weight: true, base_unit: "kg" }],
  ] as const)
    await till.put("product", {
      ...{ name, sku, base_price: price, final_price: price, tax_class: "excluded", base_unit: "und" },
      ...{ sold_by_weight: false, active: true, sellable: true, variants: [], ...given },
    });
  return accountId;
}

test("an exact name and Enter is that product; of several the arrow and Enter take one, and that is said", async () => {
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, await shop());
  const { page } = caja;
  await caja.start();
  const total = (pesos: string) => page.getByRole("button", { name: `Cobrar $${pesos}`, exact: true }).waitFor();
  const box = page.getByLabel("Buscar o escanear");
  const isInBox = () => box.evaluate((field) => field.matches(":focus"));
  await box.fill("PAN");
  await box.press("Enter");
  await total("500");
  expect(await box.inputValue()).toBe("");
  await box.fill("pand");
  await box.press("Enter");
  await total("2.300");
  await box.fill("pa");
  await box.press("Enter");
  await page.getByText("Hay varios así: escriba más, o elija uno con ↓ y Enter.").waitFor();
  await total("2.300");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowUp");
  expect(await isInBox()).toBe(true);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await total("7.500");
  expect(await box.inputValue()).toBe("");
  expect(await isInBox()).toBe(true);
  await page.keyboard.press("F3");
  const panel = page.getByRole("dialog", { name: "Consultar precio" });
  await panel.getByLabel("Producto").fill("pan");
  await panel.getByLabel("Producto").press("Enter");
  await panel.getByText("$500").waitFor();
});

test("what is weighed is edited by the kilo and with a comma, its quantity stands in one line, and 0 says what to do", async () => {
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, await shop());
  const { page } = caja;
  await caja.start();
  const ticket = page.getByLabel("Tiquete", { exact: true });
  await scan(page, "2201");
  await page.getByLabel("Peso en kg").fill("3,75");
  await page.keyboard.press("Enter");
  await ticket.getByRole("button", { name: /Queso/ }).click();
  const panel = page.getByRole("dialog", { name: "Queso" });
  expect(await panel.getByLabel("Peso").inputValue()).toBe("3,75");
  await panel.getByText("$20.000 por kg").waitFor();
  await panel.getByLabel("Precio por kg").waitFor();
  expect(await panel.getByText("cada uno").count()).toBe(0);
  await panel.getByLabel("Peso").fill("0");
  await page.keyboard.press("Enter");
  await panel.getByText("Para quitar la línea, toque «Quitar».").waitFor();
  await page.keyboard.press("Escape");
  const isOneLine = `(() => {
    const range = document.createRange();
    range.selectNodeContents(document.querySelector(".lines b"));
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
  })()`;
  await page.evaluate(`document.querySelector(".lines b").textContent = "0,28777"`);
  expect(await page.evaluate(isOneLine)).toBe(1);
});

test("what could not be added is told on its own ticket and on no later one", async () => {
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, await shop());
  const { page } = caja;
  await caja.start();
  await page.getByRole("button", { name: "Pandebono" }).first().click();
  for (const [code, word] of [
    ["999999", "Ningún producto tiene el código 999999"],
    ["5000*770011", "¿5.000 unidades?"],
  ] as const) {
    await page.getByLabel("Buscar o escanear").fill(code);
    await page.getByLabel("Buscar o escanear").press("Enter");
    await page.getByText(word).waitFor();
    await page.getByLabel("Buscar o escanear").fill("");
    await page.keyboard.press("F7");
    await page.getByText("Escanee o toque").waitFor();
    await page.getByText(word).waitFor({ state: "detached" });
    await page.keyboard.press("F7");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }
});

test("on a phone a scan over the open ticket leaves the keys in the box, and over a dialog it is told in sight", async () => {
  await using context = await tablet(browser, { width: 375, height: 740 });
  const caja = await newCaja(context.own, service, await shop());
  const { page } = caja;
  await caja.start();
  await page.getByRole("button", { name: "Pandebono" }).first().click();
  await page.getByRole("button", { name: "Ver el tiquete" }).click();
  await page.getByRole("button", { name: "‹ Productos" }).focus();
  await scan(page, "770011");
  await page.getByRole("button", { name: /2 artículos/ }).waitFor();
  const box = page.getByLabel("Buscar o escanear");
  await expect.poll(() => box.evaluate((field) => field.matches(":focus"))).toBe(true);
  await afterScan();
  await page.getByRole("button", { name: "Turno", exact: true }).click();
  await page.getByRole("button", { name: "Entrada o salida de efectivo" }).click();
  await page.getByLabel("Valor").fill("5000");
  const code = `77${randomUUID().replaceAll(/\D/g, "").slice(0, 8)}`;
  await scan(page, code);
  const word = page.getByRole("dialog").getByText(`Se leyó ${code}, y no se usó.`);
  await word.waitFor();
  const isInSight = `(() => {
    const one = document.querySelector("dialog .over");
    const { left, top, width, height, bottom } = one.getBoundingClientRect();
    return bottom <= innerHeight && one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  })()`;
  expect(await page.evaluate(isInSight)).toBe(true);
});
