import { expect, test } from "vitest";
import { afterScan, furnishShop, newCaja, scan, tablet } from "../support/caja.ts";
import { fiscalBusiness } from "../support/fiscal.ts";
import { verifiedService } from "../support/fixtures.ts";
import { decideAll } from "../support/issuing.ts";
import { sharedBrowser } from "../support/visitor.ts";

const service = verifiedService();
const browser = sharedBrowser();
const names = ["Café molido 250 g", "Pan 1.000 g", "Leche 1 L"];
const [coffee, bread, milk] = ["7700000000", "7700000001", "7700000002"] as const;

test("a scan in Ventas finds the sales of a product, or the sale of a number or of a ticket's QR", async () => {
  const { accountId } = await fiscalBusiness(service);
  await furnishShop(service, accountId, names);
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  const { page } = caja;
  await caja.start();
  await caja.sell(names[0]!, names[1]!);
  await caja.sell(names[2]!);
  await caja.uploaded();
  await decideAll(service);
  await page.getByRole("button", { name: "Ventas", exact: true }).click();
  const rows = page.locator("ul.rows > li");
  const dialog = page.getByRole("dialog");
  const box = page.getByLabel("Buscar en las ventas");
  await expect.poll(() => rows.count()).toBe(2);
  await page
    .getByText(/EPOS\d+/)
    .first()
    .waitFor();

  await scan(page, bread);
  await expect.poll(() => box.inputValue()).toBe(names[1]);
  await expect.poll(() => rows.count()).toBe(1);
  await page.getByRole("button", { name: /Café molido/ }).waitFor();

  // A document's number opens its sale, and what its ticket's QR says does too, over what is open.
  await box.fill("leche");
  await expect.poll(() => rows.count()).toBe(1);
  const number = /EPOS\d+/.exec((await rows.first().textContent())!)![0];
  await scan(page, number);
  await dialog.getByText(/^CUDE /).waitFor();
  await dialog.getByText("Leche 1 L").waitFor();
  const cude = (await dialog.getByText(/^CUDE /).textContent())!.replace(/^CUDE\s*/, "").trim();
  await scan(page, coffee);
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("button", { name: /Café molido/ }).waitFor();
  await scan(page, `https://catalogo-vpfe-hab.dian.gov.co/document/searchqr?documentkey=${cude}`);
  await dialog.getByText("Leche 1 L").waitFor();

  // What comes back is scanned, as often as the sale has it.
  await afterScan();
  await page.keyboard.press("Escape");
  await box.fill("");
  await page.getByRole("button", { name: /Café molido/ }).click();
  await dialog.getByRole("button", { name: "Devolver" }).click();
  await page.getByLabel("Motivo").fill("Estaba vencido");
  await scan(page, bread);
  await dialog.getByText("A devolver").waitFor();
  expect(await page.getByLabel(names[1]!).inputValue()).toBe("1");
  expect(await page.getByLabel("Motivo").inputValue()).toBe("Estaba vencido");
  await scan(page, bread);
  await dialog.getByText("no hay más que devolver en esta venta").waitFor();
  expect(await page.getByLabel(names[1]!).inputValue()).toBe("1");
  await scan(page, milk);
  await dialog.getByText(`${names[2]} no está en esta venta`).waitFor();

  // What nobody knows is looked for in all registers, on any day.
  await afterScan();
  await page.keyboard.press("Escape");
  await scan(page, "7719999999");
  await page.getByText("Ninguna caja tiene ventas así.").waitFor();
  expect(await page.getByRole("button", { name: "Cualquier día" }).getAttribute("aria-pressed")).toBe("true");
  expect(await box.inputValue()).toBe("7719999999");
});

test("a scan where nothing takes it is told, and one touch from the ticket", async () => {
  const { accountId } = await service.business();
  await furnishShop(service, accountId, names);
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  const { page } = caja;
  await caja.start();
  await page.getByRole("button", { name: "Turno", exact: true }).click();
  await scan(page, coffee);
  await page.getByText(`Se leyó ${coffee}`).waitFor();
  await page.getByRole("button", { name: "Venderlo" }).click();
  await page.getByRole("button", { name: "Cobrar $1.000", exact: true }).waitFor();
  expect(await page.getByText(`Se leyó ${coffee}`).count()).toBe(0);
  await page.getByRole("button", { name: "Cotizaciones" }).click();
  await scan(page, bread);
  await expect.poll(() => page.getByLabel("Buscar en las cotizaciones").inputValue()).toBe(names[1]);
});
