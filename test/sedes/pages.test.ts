import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { sharedService } from "../support/fixtures.ts";
import { saleBody } from "../support/records.ts";
import { enrol, upload } from "../support/register.ts";
import { openAccount, sharedBrowser, visit } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();
const wide = { width: 1440, height: 900 };
const narrow = { width: 375, height: 800 };

test("nobody with one sede sees the word, and who opens a second one sees each apart", {
  timeout: 120_000,
}, async () => {
  const { accountId, email } = await openAccount(service);
  const owner = await visit(browser, service);
  const { page } = owner;
  await page.setViewportSize(wide);
  await owner.signIn(email);
  const till = await enrol(service, accountId);
  const sale = saleBody(new Date().toISOString());
  await till.push([{ type: "sale", id: sale.id, data: upload(sale) }]);
  for (const path of [
    "/",
    "/ventas",
    "/inventario",
    "/turnos",
    "/documentos",
    "/informes",
    "/cajas",
    "/ajustes/negocio",
  ]) {
    await owner.goto(path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await page.locator("body").innerText(), path).not.toMatch(/sede/i);
  }

  await page.getByRole("link", { name: "Abrir otro local" }).click();
  await page.getByRole("button", { name: "Abrir otro local" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Nombre").fill("Norte");
  await dialog.getByLabel("Dirección").fill("Cra 45 # 12-34");
  await dialog.getByLabel("Código del municipio").fill("5");
  await dialog.getByRole("button", { name: "Guardar" }).click();
  await dialog.getByText("El código del municipio tiene 5 números").first().waitFor();
  await dialog.getByLabel("Código del municipio").fill("05001");
  await dialog.getByRole("button", { name: "Guardar" }).click();
  await page.getByRole("heading", { name: "Sedes" }).waitFor();
  await page.getByRole("row", { name: /Norte/ }).waitFor();
  await look(page, "sedes");

  const { rows: opened } = await service.deps.pool.query<{ id: string }>(
    sql`select id from locations where account_id = ${accountId} and id <> ${accountId}`,
  );
  const norte = opened[0]!.id;
  await owner.goto(`/cajas/${till.deviceId}`);
  await page.getByRole("button", { name: "Pasar a otra sede" }).click();
  await dialog.getByLabel("Sede").click();
  await page.getByRole("option", { name: "Norte" }).click();
  await dialog.getByRole("button", { name: "Pasar" }).click();
  await page.getByText("La caja es de otra sede desde ahora.").waitFor();
  const later = saleBody(new Date().toISOString(), { total: 9_000 });
  await till.push([{ type: "sale", id: randomUUID(), data: upload({ ...later, id: randomUUID() }) }]);

  await owner.goto("/ventas");
  const rows = page.getByRole("table", { name: "Ventas" }).getByRole("row");
  await expect.poll(() => rows.count()).toBeGreaterThan(2);
  await page.getByLabel("Sede").selectOption({ label: "Norte" });
  await expect.poll(() => page.url()).toContain(norte);
  await expect.poll(() => page.getByText("$ 9.000").count()).toBeGreaterThan(0);
  await expect.poll(() => page.getByText("$ 6.400").count()).toBe(0);
  // The browser keeps it.
  await owner.goto("/");
  expect(await page.getByLabel("Sede").inputValue()).toBe(norte);
  await look(page, "hoy-norte");
  await page.getByLabel("Sede").selectOption({ label: "Todas las sedes" });
  await owner.goto("/informes?por=location");
  await page.getByRole("cell", { name: "Norte" }).first().waitFor();
  await look(page, "informes-sedes");
  await page.setViewportSize(narrow);
  await look(page, "informes-sedes-375");
  await owner.goto("/ajustes/sedes");
  await look(page, "sedes-375");
});

/** With SCREENSHOTS a folder, what is shown is kept there. */
async function look(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}
