import { expect, test } from "vitest";
import { readActs } from "../../src/business/counter/counter-acts.ts";
import { newCaja, tablet } from "../support/caja.ts";
import { authorize, beginAs, supervisedNames, supervisedShop } from "../support/cashiers.ts";
import { sharedService } from "../support/fixtures.ts";
import { sharedBrowser } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();
const milk = supervisedNames[2]!;

test("keys do nothing behind a dialog, and a permission counts for the ticket that was shown", async () => {
  const { accountId } = await supervisedShop(service);
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  const { page } = caja;
  const press = (key: string) => page.keyboard.press(key);
  const total = (pesos: string) => page.getByRole("button", { name: `Cobrar $${pesos}`, exact: true }).waitFor();
  await beginAs(caja, service, "Ana");
  await page.getByRole("button", { name: milk }).first().click();
  await total("3.000");
  await press("F6");
  await page.getByLabel("Descuento", { exact: true }).fill("50");
  await page.getByRole("button", { name: "Guardar" }).click();
  const dialog = page.getByRole("dialog", { name: "Autoriza un supervisor" });
  await dialog.waitFor();
  for (const key of ["F9", "Control+Enter", "F7", "Control+Delete", "F4", "F10"]) await press(key);
  expect(await dialog.isVisible()).toBe(true);
  await authorize(page);
  await total("1.500");
  await press("F1");
  await page.getByRole("dialog", { name: "Teclas" }).waitFor();
  for (const key of ["F9", "Control+Enter", "F7", "Control+Delete"]) await press(key);
  await press("Escape");
  await total("1.500");
  await press("F9");
  await press("Control+Enter");
  await page.getByText("Venta 1 registrada").first().waitFor();
  await caja.uploaded();
  const acts = await readActs(service.deps.pool, accountId, {}, 10);
  expect(acts.map(({ kind, cashier, authorized_by }) => [kind, cashier, authorized_by])).toEqual([
    ["discount", "Ana", "Luz"],
  ]);
});

test("a second Enter does not charge what the first one has split, and a tip beyond reason is asked about", async () => {
  const { accountId } = await supervisedShop(service);
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  const { page } = caja;
  await beginAs(caja, service, "Luz");
  await page.getByRole("button", { name: milk }).first().click();
  await page.keyboard.press("F6");
  await page.getByLabel("Propina voluntaria").fill("99999");
  await page.keyboard.press("Enter");
  await page.getByText("$99.999 de propina es más de la mitad de lo vendido.", { exact: false }).waitFor();
  await page.getByLabel("Propina voluntaria").fill("0");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Cobrar $3.000", exact: true }).waitFor();
  await page.keyboard.press("F9");
  await page.getByRole("button", { name: "Dividir el pago" }).click();
  await page.getByLabel("Valor", { exact: true }).fill("1000");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.getByText("Efectivo · $2.000").waitFor();
  expect(await page.getByText("Venta 1 registrada").count()).toBe(0);
  await page.waitForTimeout(700);
  await page.keyboard.press("Enter");
  await page.getByText("Venta 1 registrada").first().waitFor();
});
