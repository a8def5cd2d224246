import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { expectTidy, furnishShop, newCaja, tablet } from "../support/caja.ts";
import { fiscalBusiness } from "../support/fiscal.ts";
import { verifiedService } from "../support/fixtures.ts";
import { decideAll } from "../support/issuing.ts";
import { sharedBrowser } from "../support/visitor.ts";

const service = verifiedService();
const browser = sharedBrowser();
const names = ["Café molido 250 g", "Pan tajado", "Leche 1 L"];
const dayMs = 86_400_000;

const dialog = (page: Page) => page.getByRole("dialog");

/** Opens a sale of yesterday, of whichever register. */
async function openYesterdays(page: Page, text: RegExp, from = "Todas las cajas"): Promise<void> {
  await page.getByRole("button", { name: "Ventas", exact: true }).click();
  await page.getByRole("button", { name: from }).click();
  await page.getByRole("button", { name: "Ayer" }).click();
  await page.getByRole("button", { name: text }).click();
}

test("a sale of another register of yesterday is found, printed, mailed, returned and invoiced here", async () => {
  const { accountId, api } = await fiscalBusiness(service);
  await furnishShop(service, accountId, names);
  await using front = await tablet(browser);
  await using back = await tablet(browser);
  const one = await newCaja(front.own, service, accountId);
  const other = await newCaja(back.own, service, accountId);
  const today = new Date();
  await one.page.clock.install({ time: new Date(today.getTime() - dayMs) });
  await one.start("Caja 1");
  await one.sell(names[0]!, names[1]!);
  await one.sell(names[2]!);
  await one.uploaded();
  await decideAll(service);
  await other.start("Caja 2");
  const { page } = other;
  await page.evaluate("globalThis.printed = 0; globalThis.print = () => { globalThis.printed += 1; };");

  // Found by the day, and by the number of its document on any day.
  await openYesterdays(page, /Café molido.*Caja 1.*\$3\.000/);
  await dialog(page).getByRole("heading", { name: "Venta 1 de Caja 1" }).waitFor();
  await dialog(page)
    .getByText(/^EPOS\d+$/)
    .waitFor();
  await dialog(page)
    .getByText(/^CUDE /)
    .waitFor();
  await dialog(page).getByRole("img", { name: "Código QR del documento" }).waitFor();
  await dialog(page).getByRole("button", { name: "Imprimir" }).click();
  expect(await page.evaluate("globalThis.printed")).toBe(1);
  const number = await dialog(page)
    .getByText(/^EPOS\d+$/)
    .textContent();
  await dialog(page).getByRole("button", { name: "Por correo" }).click();
  await page.getByLabel("Correo del cliente").fill("ana@example.com");
  await page.getByRole("button", { name: "Enviar" }).click();
  await page.getByText("En camino: ana@example.com").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Cualquier día" }).click();
  await page.getByLabel("Buscar en las ventas").fill(number!.toLowerCase());
  await expect.poll(() => page.locator("ul.rows > li").count()).toBe(1);
  await page.getByRole("button", { name: /Café molido.*Caja 1/ }).click();

  // Returned from this drawer.
  await dialog(page).getByRole("button", { name: "Devolver" }).click();
  await page.getByLabel(names[1]!).fill("1");
  await page.getByLabel("Motivo").fill("Estaba vencido");
  await dialog(page).getByRole("button", { name: "Devolver", exact: true }).click();
  await page.getByText("DEVOLUCIÓN", { exact: true }).waitFor();
  expect(await dialog(page).getByRole("button", { name: "Pasar a factura" }).count(), "it has a return").toBe(0);
  await page.keyboard.press("Escape");
  await other.uploaded();
  await decideAll(service);
  const [taken] = (await api.get("/returns")).body.data;
  expect(taken).toMatchObject({ total: 2000, payment_method: "CASH", invoice_id: expect.any(String) });
  const sessions = (await api.get("/cash-sessions")).body.data;
  const drawer = sessions.find(({ register_name }: { register_name: string }) => register_name === "Caja 2");
  expect(drawer).toMatchObject({ id: taken.cash_session_id, cash_refunds: 2000, expected_amount: 48_000 });
  await expect.poll(() => page.getByRole("button", { name: /con devolución/ }).count()).toBe(1);

  // The register that sold it sees the return, and takes back only what is left.
  await one.page.clock.setSystemTime(today);
  await openYesterdays(one.page, /Café molido/, "Esta caja");
  await one.page.getByText("DEVOLUCIÓN", { exact: true }).waitFor();
  await dialog(one.page).getByRole("button", { name: "Devolver" }).click();
  await dialog(one.page).getByLabel(names[0]!).waitFor();
  expect(await dialog(one.page).getByLabel(names[1]!).count()).toBe(0);
  await one.page.keyboard.press("Escape");

  // Invoiced to a customer made on the spot.
  await page.getByLabel("Buscar en las ventas").fill("");
  await openYesterdays(page, /Leche.*Caja 1/);
  await dialog(page).getByRole("button", { name: "Pasar a factura" }).click();
  await page.getByRole("button", { name: "Cliente nuevo" }).click();
  await page.getByLabel("Nombre o razón social").fill("Marta Gil");
  await page.getByLabel("Número", { exact: true }).fill("52123456");
  await page.getByRole("button", { name: "Guardar cliente" }).click();
  await dialog(page).getByText("Marta Gil").waitFor();
  await page.keyboard.press("Escape");
  await other.uploaded();
  await decideAll(service);
  await decideAll(service);
  const { data } = (await api.get("/sales?document_kind=invoice")).body;
  expect(data).toMatchObject([{ total: 3000, invoices: [{}, {}, { document_type: "electronic_invoice" }] }]);
  await page.getByRole("button", { name: /Leche|Marta/ }).click();
  await dialog(page)
    .getByText(/^CUFE /)
    .waitFor();

  const { rows } = await service.deps.pool.query(sql`select email from ticket_mails where account_id = ${accountId}`);
  expect(rows).toEqual([{ email: "ana@example.com" }]);
  const { rows: flagged } = await service.deps.pool.query(sql`
    select findings from flagged_records where account_id = ${accountId}`);
  expect(flagged).toEqual([]);
});

test("without a connection, or with an old service, Ventas says so and shows what this register has", async () => {
  const { accountId } = await service.business();
  await furnishShop(service, accountId, names);
  await using context = await tablet(browser, { width: 375, height: 740 });
  const caja = await newCaja(context.own, service, accountId);
  const { page } = caja;
  await caja.start();
  await page.getByRole("button", { name: names[0]! }).first().click();
  await page.getByRole("button", { name: /1 artículo/ }).click();
  await page.getByRole("button", { name: /^Cobrar \$/ }).click();
  await page.getByRole("button", { name: "Exacto" }).click();
  await page.getByRole("button", { name: "Nueva venta" }).click();
  await caja.uploaded();
  await page.getByRole("button", { name: "Ventas", exact: true }).click();
  await page.getByRole("button", { name: "Todas las cajas" }).click();
  await page.getByRole("button", { name: /Café molido.*Caja 1/ }).waitFor();
  await expectTidy(page, "shop-sales");
  await context.own.setOffline(true);
  await page.getByRole("button", { name: "Ayer" }).click();
  await page.getByText("Sin conexión: aquí están solo las de esta caja.").waitFor();
  await page.getByRole("button", { name: "Hoy" }).click();
  await page.getByRole("button", { name: /Café molido/ }).waitFor();
  await context.own.setOffline(false);
  await context.own.route("**/sync/v1/**", async (route) => {
    const response = await route.fetch().catch(() => undefined);
    if (!response) return route.abort().catch(() => {});
    const headers = { ...response.headers(), "register-accepts": "return.1" };
    await route.fulfill({ response, headers }).catch(() => {});
  });
  await page.getByText("no conoce las ventas de las otras cajas").waitFor();
  await page.getByRole("button", { name: /Café molido/ }).waitFor();
  await context.own.unrouteAll({ behavior: "ignoreErrors" });
});
