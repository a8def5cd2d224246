import { expect, test } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { expectTidy, furnishShop, newCaja, storedSales, tablet } from "../support/caja.ts";
import { sharedService } from "../support/fixtures.ts";
import { enrol } from "../support/register.ts";
import { sharedBrowser } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();
const names = ["Café molido 250 g", "Pan tajado", "Leche 1 L"];

/** A register at a new shop, in a browser of its own. */
async function counterAt(width: number, addTo: (accountId: string) => Promise<unknown> = async () => {}) {
  const { accountId } = await service.business();
  await furnishShop(service, accountId, names);
  await addTo(accountId);
  const { own } = await tablet(browser, { width, height: 800 });
  const caja = await newCaja(own, service, accountId);
  await caja.start();
  await caja.uploaded();
  return { accountId, own, caja, page: caja.page, [Symbol.asyncDispose]: () => own.close() };
}

const widths = process.env.LONG || process.env.CAJA_PICTURES ? [375, 768, 1024, 1366] : [375];

test.each(widths)(
  "at %i px a ticket becomes a quote without a connection, and the quote is found, shared and sold",
  async (width) => {
    await using counter = await counterAt(width);
    const { accountId, caja, own, page } = counter;
    await own.setOffline(true);
    await page.getByRole("button", { name: names[0]! }).first().click();
    await page.getByRole("button", { name: names[2]! }).first().click();
    if (width < 720) await page.getByRole("button", { name: "Ver el tiquete" }).click();
    await page.getByRole("button", { name: "Cotizar" }).click();
    await page.getByLabel("Vale por cuántos días").fill("8");
    await page.getByLabel("Notas").fill("Precios para pago de contado");
    await expectTidy(page, "make-quote");
    await page.getByRole("button", { name: "Guardar cotización" }).click();
    await page.getByText("no es una factura", { exact: false }).waitFor();
    await expectTidy(page, "quote");
    await page.evaluate("navigator.share = async ({ text }) => { window.shared = text; }");
    await page.getByRole("button", { name: "Compartir" }).click();
    await expect.poll(() => page.evaluate("window.shared")).toContain("TOTAL: $4.000");
    await page.getByRole("button", { name: "Listo" }).click();
    await page.getByRole("button", { name: "Cotizaciones" }).click();
    await expectTidy(page, "quotes");
    await page.getByLabel("Buscar en las cotizaciones").fill("leche");
    await page.getByRole("button", { name: /vigente/ }).click();
    await page.getByRole("button", { name: "Vender", exact: true }).last().click();
    if (width < 720) await page.getByRole("button", { name: "Ver el tiquete" }).click();
    await page.getByText("De la cotización").waitFor();
    await page.getByRole("button", { name: "Cobrar $4.000" }).click();
    await page.getByRole("button", { name: "Exacto" }).click();
    await page.getByRole("button", { name: "Nueva venta" }).click();
    await own.setOffline(false);
    await caja.uploaded();
    const [sale] = await storedSales(service, accountId);
    const { rows } = await service.deps.pool.query(sql`select body from quotes where account_id = ${accountId}`);
    expect(rows.map(({ body }) => JSON.parse(body))).toMatchObject([{ status: "converted", sale_id: sale!.id }]);
    await page.getByRole("button", { name: "Cotizaciones" }).click();
    await page.getByRole("button", { name: /vendida/ }).waitFor();
  },
);

test.each(widths)("at %i px stock is looked up, received, moved to another warehouse and counted", async (width) => {
  await using counter = await counterAt(width, async (shop) => {
    const till = await enrol(service, shop);
    await till.put("warehouse", { name: "Bodega de atrás", is_default: false, active: true });
  });
  const { accountId, caja, own, page } = counter;
  await page.getByRole("button", { name: "Existencias" }).click();
  await page.getByText("Datos del", { exact: false }).waitFor();
  await expectTidy(page, "stock");
  await page.getByLabel("Buscar en las existencias").fill("cafe");
  await page.getByRole("button", { name: /Café molido/ }).click();
  await page.getByRole("button", { name: "Recibir" }).click();
  await page.getByLabel("Cuánto llegó").fill("24");
  await page.getByLabel("Costo de cada uno").fill("700");
  await expectTidy(page, "stock-receive");
  await page.getByRole("button", { name: "Registrar la entrada" }).click();
  await page.getByText("Entraron 24 und").waitFor();
  await own.setOffline(true);
  await page.getByRole("button", { name: "Trasladar" }).click();
  await page.getByLabel("Cuánto se lleva").fill("10");
  await expectTidy(page, "stock-transfer");
  await page.getByRole("button", { name: "Registrar el traslado" }).click();
  await page.getByText("Trasladados 10 und").waitFor();
  await page.getByRole("button", { name: "Contar" }).click();
  await page.getByText("La caja cree que hay 14").waitFor();
  await page.getByLabel("Cuánto hay").fill("13");
  await expectTidy(page, "stock-count");
  await page.getByRole("button", { name: "Registrar el conteo" }).click();
  await page.getByText("Ajustado: faltaban 1.").waitFor();
  await expectTidy(page, "stock-product");
  await page.getByRole("button", { name: "Cerrar" }).click();
  await page.getByRole("button", { name: /Café molido.*13 und/ }).waitFor();
  await own.setOffline(false);
  await caja.uploaded();
  const { rows } = await service.deps.pool.query(sql`
    select body ->> 'type' as type, (body ->> 'quantity')::float as quantity from stock_movements
    where account_id = ${accountId} order by created_at, seq, type`);
  expect(rows.map(({ type, quantity }) => [type, quantity])).toEqual(
    expect.arrayContaining([
      ["purchase", 24],
      ["transfer_out", 10],
      ["transfer_in", 10],
      ["adjustment", -1],
    ]),
  );
});

test.each(widths)(
  "at %i px a ticket is sent by mail, also without a connection; an old service is told",
  async (width) => {
    await using counter = await counterAt(width);
    const { accountId, caja, own, page } = counter;
    await own.setOffline(true);
    await page.getByRole("button", { name: names[0]! }).first().click();
    if (width < 720) await page.getByRole("button", { name: "Ver el tiquete" }).click();
    await page.getByRole("button", { name: /^Cobrar \$/ }).click();
    await page.getByRole("button", { name: "Exacto" }).click();
    await page.getByRole("button", { name: "Por correo" }).click();
    await page.getByLabel("Correo del cliente").fill("ana");
    await page.getByRole("button", { name: "Enviar", exact: true }).click();
    await page.getByText("Eso no es un correo", { exact: false }).waitFor();
    await page.getByLabel("Correo del cliente").fill("ana@example.com");
    await expectTidy(page, "mail");
    await page.getByRole("button", { name: "Enviar", exact: true }).click();
    await page.getByText("Saldrá cuando haya conexión: ana@example.com").waitFor();
    await page.getByRole("button", { name: "Nueva venta" }).click();
    await own.setOffline(false);
    await caja.uploaded();
    const [sale] = await storedSales(service, accountId);
    const { rows } = await service.deps.pool.query(sql`
    select sale_id, email from ticket_mails where account_id = ${accountId}`);
    expect(rows).toEqual([{ sale_id: sale!.id, email: "ana@example.com" }]);
    // A service of an earlier version names no capabilities; one of a later version no longer understands this app.
    await own.route("**/sync/v1/**", async (route) => {
      const answer = await route.fetch().catch(() => undefined);
      if (!answer) return route.abort();
      const headers = { ...answer.headers(), "register-accepts": "", "caja-oldest": "99.0.0" };
      await route.fulfill({ response: answer, headers }).catch(() => {});
    });
    await page.getByRole("button", { name: "Existencias" }).click();
    await page.getByText("El servicio es de una versión anterior", { exact: false }).waitFor();
    await page.getByText("una versión que el servicio ya no entiende", { exact: false }).waitFor();
    await expectTidy(page, "old");
    await own.unrouteAll({ behavior: "ignoreErrors" });
  },
);
