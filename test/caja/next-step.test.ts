import { expect, test } from "vitest";
import { afterScan, furnishShop, newCaja, scan, tablet } from "../support/caja.ts";
import { verifiedService } from "../support/fixtures.ts";
import { sharedBrowser } from "../support/visitor.ts";

const service = verifiedService();
const browser = sharedBrowser();
const names = ["Café molido 250 g", "Pan 1.000 g"];

test("a scan over the cash dialog is told in it, and a return leaves the cashier where she goes on", async () => {
  const { accountId } = await service.business();
  await furnishShop(service, accountId, names);
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  const { page } = caja;
  await caja.start();
  await caja.sell(names[0]!);

  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Turno", exact: true }).click();
  await page.getByRole("button", { name: "Entrada o salida de efectivo" }).click();
  await dialog.getByLabel("Valor").fill("5000");
  await scan(page, "7700000000");
  await dialog.getByText("Se leyó 7700000000, y no se usó.").waitFor();
  expect(await dialog.getByLabel("Valor").inputValue()).toBe("5000");
  expect(await page.getByText("Se leyó").count()).toBe(1);
  await afterScan();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(await page.getByText("Se leyó").count()).toBe(0);

  await page.getByRole("button", { name: "Ventas", exact: true }).click();
  await page.getByRole("button", { name: /Café molido/ }).click();
  await dialog.getByRole("button", { name: "Devolver" }).click();
  await dialog.getByRole("button", { name: "Devolver todo" }).click();
  await dialog.getByLabel("Motivo").fill("Estaba vencido");
  await dialog.getByRole("button", { name: "Devolver", exact: true }).click();
  await dialog.getByRole("button", { name: /^Imprimir/ }).waitFor();
  const focused = () => page.evaluate("document.activeElement.textContent || document.activeElement.ariaLabel");
  await expect.poll(focused).toMatch(/^Imprimir/);
  await page.keyboard.press("Escape");
  await expect.poll(focused).toBe("Buscar en las ventas");
});

test("a buyer whom nobody knows is made from what was typed", async () => {
  const { accountId } = await service.business();
  await furnishShop(service, accountId, names);
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  const { page } = caja;
  await caja.start();
  await page.getByRole("button", { name: names[0]! }).first().click();
  await page.keyboard.press("F4");
  const panel = page.getByRole("dialog", { name: "Cliente y documento" });
  await panel.getByPlaceholder("Nombre o documento").fill("1020456789");
  await panel.getByRole("button", { name: "Crear «1020456789»" }).click();
  expect(await panel.getByLabel("Número").inputValue()).toBe("1020456789");
  await page.keyboard.press("Escape");
  await page.keyboard.press("F4");
  await panel.getByPlaceholder("Nombre o documento").fill("Zoraida Pérez");
  await panel.getByText("Ningún cliente tiene ese nombre ni ese documento.").waitFor();
  // Enter belongs to the search, and finds nobody.
  await page.keyboard.press("Enter");
  await panel.getByRole("button", { name: "Crear «Zoraida Pérez»" }).click();
  expect(await panel.getByLabel("Nombre o razón social").inputValue()).toBe("Zoraida Pérez");
});

test("whoever opens Caja while the demo is being built is told, and offered it when it is there", async () => {
  // A service worker would ask past the answers of this test.
  await using context = await browser.newContext({ locale: "es-CO", serviceWorkers: "block" });
  const page = await context.newPage();
  let isBuilt = false;
  await page.route("**/caja/demo", (route) =>
    route.fulfill({ json: isBuilt ? { name: "Tienda La Esquina" } : { name: null, is_coming: true } }),
  );
  await page.goto(`${service.baseUrl}/caja/`);
  await page.getByText("Se está preparando una tienda de ejemplo.").waitFor();
  expect(await page.getByText("null").count()).toBe(0);
  isBuilt = true;
  await page.getByRole("button", { name: "Probar con «Tienda La Esquina»" }).waitFor();
});
