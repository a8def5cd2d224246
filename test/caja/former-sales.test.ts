import { expect, test } from "vitest";
import { furnishShop, newCaja, storedSales, tablet } from "../support/caja.ts";
import { sharedService } from "../support/fixtures.ts";
import { sharedBrowser } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();
const names = ["Café molido 250 g", "Pan tajado", "Leche 1 L"];

test("a sale of yesterday's shift is found, printed again and returned today, and its Z is shown again", async () => {
  const { accountId } = await service.business();
  await furnishShop(service, accountId, names);
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  const { page } = caja;
  const today = new Date();
  const yesterday = new Date(today.getTime() - 86_400_000);
  await page.clock.install({ time: yesterday });
  await caja.start();
  await caja.sell(names[0]!, names[1]!);
  await page.getByRole("button", { name: "Turno", exact: true }).click();
  await page.getByRole("button", { name: "Cerrar turno" }).click();
  await page.getByRole("dialog").getByLabel("$50.000").fill("1");
  await page.getByRole("dialog").getByRole("button", { name: "Cerrar turno" }).click();
  await page.getByText("CIERRE DE TURNO (Z)").waitFor();
  await page.getByRole("button", { name: "Listo" }).click();

  await page.clock.setSystemTime(today);
  await page.getByRole("button", { name: "Ventas" }).click();
  await page.getByText("Esta caja no tiene ventas de ese día").waitFor();
  await page.getByRole("button", { name: "Ayer" }).click();
  await page.getByRole("button", { name: /Café molido.*\$3\.000/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Imprimir" }).waitFor();
  expect(await page.getByRole("button", { name: "Devolver" }).count(), "no drawer is open").toBe(0);
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Vender" }).click();
  await caja.openShift();
  await caja.sell(names[2]!);
  await page.getByRole("button", { name: "Ventas" }).click();
  await page.getByRole("button", { name: /Leche/ }).waitFor();
  expect(await page.getByRole("button", { name: /Café molido/ }).count()).toBe(0);
  await page.getByRole("button", { name: "Ayer" }).click();
  await page.getByLabel("Buscar en las ventas").fill("tajado");
  await page.getByRole("button", { name: /Café molido/ }).click();
  expect(await page.getByRole("button", { name: "Anular" }).count(), "its shift is closed").toBe(0);
  await page.getByRole("button", { name: "Devolver" }).click();
  await page.getByLabel(names[1]!).fill("1");
  await page.getByLabel("Motivo").fill("Estaba vencido");
  await page.getByRole("button", { name: "Devolver", exact: true }).click();
  await page.getByText("DEVOLUCIÓN", { exact: true }).waitFor();
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Turno", exact: true }).click();
  await page.getByRole("button", { name: /\$3\.000/ }).click();
  await page.getByText("CIERRE DE TURNO (Z)").waitFor();
  await page.getByRole("button", { name: "Listo" }).click();
  await caja.uploaded();
  await expect.poll(async () => (await storedSales(service, accountId)).length).toBe(2);
});
