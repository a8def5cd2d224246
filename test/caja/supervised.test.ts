import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { readCounterSettings, setCounterSettings } from "../../src/business/counter/business-info.ts";
import { readActs } from "../../src/business/counter/counter-acts.ts";
import { scaleLabelOf } from "../../src/lib/scale-label.ts";
import { expectTidy, newCaja, scan, tablet } from "../support/caja.ts";
import { authorize, beginAs, supervisedNames, supervisedShop } from "../support/cashiers.ts";
import { sharedService } from "../support/fixtures.ts";
import { enrol, remoteEdit } from "../support/register.ts";
import { sharedBrowser } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();
const dialogName = { name: "Autoriza un supervisor" };

test("a price label of something sold by the piece asks a supervisor, who reads from what price to what", async () => {
  const { accountId } = await supervisedShop(service);
  const settings = await readCounterSettings(service.deps.pool, accountId);
  await setCounterSettings(service.deps, accountId, { ...settings, scale_labels: ["21AAAAAPPPPPC"] });
  const till = await enrol(service, accountId, { capabilities: [remoteEdit] });
  const whisky = {
    ...{ name: "Whisky", sku: "32947", base_price: 250_000, final_price: 250_000, tax_class: "standard" },
    ...{ base_unit: "und", sold_by_weight: false, active: true, sellable: true, variants: [] },
  };
  await till.put("product", whisky);
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  const { page } = caja;
  await beginAs(caja, service, "Ana");
  await scan(page, scaleLabelOf("21AAAAAPPPPPC", "32947", 100));
  const dialog = page.getByRole("dialog", dialogName);
  await dialog.getByText("Ana no puede cambiar precios.", { exact: false }).waitFor();
  await dialog.getByText("1 × Whisky, de $250.000 a $100").waitFor();
  await page.keyboard.press("Escape");
  await page.getByText("Escanee o toque un producto para empezar.").waitFor();
  await scan(page, scaleLabelOf("21AAAAAPPPPPC", "32947", 100));
  await authorize(page);
  await page.getByRole("button", { name: /^Cobrar \$100/ }).waitFor();
});

test("a supervisor reads what she signs: a discount, a cancellation, cash and a close, on a phone too", async () => {
  const { accountId } = await supervisedShop(service);
  await using context = await tablet(browser, { width: 375, height: 700 });
  const caja = await newCaja(context.own, service, accountId);
  const { page } = caja;
  await beginAs(caja, service, "Ana");
  const asked = page.getByRole("dialog", dialogName).getByRole("list", { name: "Lo que se autoriza" });
  const allow = async (...texts: string[]) => {
    expect(await asked.getByRole("listitem").allTextContents()).toEqual(texts);
    await authorize(page);
  };
  await page.getByRole("button", { name: supervisedNames[2]! }).first().click();
  await page.keyboard.press("F6");
  await page.getByLabel("Descuento", { exact: true }).fill("10");
  await page.getByRole("button", { name: "Guardar" }).click();
  await asked.waitFor();
  await expectTidy(page, "autoriza-que");
  await allow("10 % sobre todo el tiquete", "Descuento del tiquete: de $0 a $300", "Total: de $3.000 a $2.700");
  await page.keyboard.press("F9");
  await page.getByRole("button", { name: "Exacto" }).click();
  await page.getByRole("button", { name: "Nueva venta" }).click();
  await page.getByRole("button", { name: "Ventas" }).click();
  await page.getByRole("button", { name: /Leche/ }).click();
  await page.getByRole("button", { name: "Anular" }).click();
  await page.getByRole("button", { name: "Sí, anular" }).click();
  await allow("Venta 1, $2.700", "Se anula completa");
  await page.getByText("VENTA ANULADA").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Turno", exact: true }).click();
  await page.getByRole("button", { name: "Entrada o salida de efectivo" }).click();
  await page.getByLabel("Valor").fill("10000");
  await page.getByLabel("Motivo").fill("Hielo");
  await page.getByRole("button", { name: "Registrar" }).click();
  await allow("Salen $10.000: Hielo");
  await page.getByRole("button", { name: "Cerrar turno" }).click();
  await page.getByLabel("$20.000").fill("2");
  await page.getByRole("dialog").getByRole("button", { name: "Cerrar turno" }).click();
  await allow("Contado: $40.000");
});

test("more than a quote offered, an expired one, and one made of what was on hold ask a supervisor", async () => {
  const { accountId } = await supervisedShop(service);
  const till = await enrol(service, accountId, { capabilities: [remoteEdit] });
  const oil = {
    ...{ name: "Aceite", sku: "88", base_price: 50_000, final_price: 50_000, tax_class: "excluded" },
    ...{ base_unit: "und", sold_by_weight: false, active: true, sellable: true, variants: [] },
  };
  const productId = randomUUID();
  await till.put("product", oil, { id: productId });
  const line = { ...{ product_id: productId, variant_id: null, item_kind: "product" }, description: "Aceite" };
  const priced = { quantity: 1, unit_price: 1000, subtotal: 1000, discount_percent: 0, tax_class: "excluded" };
  const quote = (number: number, expires_at: string) => ({
    ...{ status: "sent", prefix: "Q", number, subtotal: 1000, discount: 0, tax: 0, total: 1000, expires_at },
    ...{ issued_at: "2025-11-01T12:00:00.000Z", items: [{ id: randomUUID(), ...line, ...priced, taxes: [] }] },
  });
  await till.put("quote", quote(1, "2099-01-01T12:00:00.000Z"));
  await till.put("quote", quote(2, "2025-11-18T12:00:00.000Z"));
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  const { page } = caja;
  await beginAs(caja, service, "Ana");
  const dialog = page.getByRole("dialog", dialogName);
  const sell = async (number: string) => {
    await page.getByRole("button", { name: "Cotizaciones" }).click();
    await page.getByRole("button", { name: number }).click();
    await page.getByRole("button", { name: "Vender", exact: true }).last().click();
  };
  await sell("Q1");
  const oilLine = page.getByLabel("Tiquete").getByRole("button", { name: /Aceite/ });
  await oilLine.click();
  await page.getByLabel("Cantidad", { exact: true }).fill("50");
  await page.getByRole("button", { name: "Guardar" }).click();
  await dialog.getByText("50 × Aceite, de $50.000 a $1.000").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Aceite" }).getByRole("button", { name: "Cerrar" }).click();
  await page.getByRole("button", { name: /^Cobrar \$1\.000/ }).click();
  await page.getByRole("button", { name: "Exacto" }).click();
  await page.getByRole("button", { name: "Nueva venta" }).click();

  await sell("Q2");
  await dialog.getByText("Vender la cotización Q2, vencida, por $1.000").waitFor();
  await authorize(page);
  await page.getByRole("button", { name: /^Cobrar \$1\.000/ }).waitFor();
  // It waits, comes back, and becomes another quote.
  await page.keyboard.press("F7");
  await page.getByRole("button", { name: /^De las? \d/ }).click();
  await page.keyboard.press("F8");
  await page.getByRole("button", { name: "Guardar cotización" }).click();
  await dialog.getByText("Quitar 1 × Aceite, $1.000").waitFor();
  await authorize(page);
  await page.getByRole("dialog", { name: /^Cotización/ }).waitFor();
  await caja.uploaded();
  const acts = await readActs(service.deps.pool, accountId, {}, 10);
  const byLuz = { cashier: "Ana", authorized_by: "Luz", is_allowed: true };
  expect(acts.toSorted((a, b) => (a.kind < b.kind ? -1 : 1))).toMatchObject([
    { kind: "price", ...byLuz },
    { kind: "ticket_dropped", ...byLuz },
  ]);
});
