import { expect, test } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { runErasures } from "../../src/privacy/erase/run.ts";
import { eventually } from "../support/eventually.ts";
import { sharedService } from "../support/fixtures.ts";
import { newborn } from "../support/newborn.ts";
import { newestCode } from "../support/portal.ts";
import { sharedBrowser, visit } from "../support/visitor.ts";
import { meetZoraida, zoraida } from "../support/zoraida.ts";

const service = sharedService();
const browser = sharedBrowser();

test("an owner finds a person, erases her by the mailed code, asks for an alert and sees how to close", async () => {
  const { accountId, email } = await newborn(service);
  const { customerId } = await meetZoraida(service, { accountId, ...(await service.key(accountId)) });
  const owner = await visit(browser, service, { width: 1440 });
  const { page } = owner;
  await owner.signIn(email);
  await owner.goto(`/clientes/${customerId}`);
  await page.getByRole("link", { name: "Descargar o borrar" }).click();
  await page.getByText("Tiquetes por correo: 1.").waitFor();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Descargar sus datos" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^Datos personales .*\.zip$/);
  await page.getByRole("button", { name: "Borrar sus datos" }).click();
  const code = page.getByLabel("Código de 6 dígitos");
  await code.waitFor();
  await code.fill(await newestCode(service, email));
  await page.getByRole("button", { name: "Confirmar" }).click();
  await page.getByText("En curso").waitFor();
  await eventually(async () => (await runErasures(service.deps, { settleMs: 2_500 })) > 0);
  await page.getByText("Borrado", { exact: true }).waitFor();
  await owner.goto(`/clientes/${customerId}`);
  await page.getByRole("heading", { name: "Cliente borrado" }).waitFor();
  expect(await page.evaluate<string>("document.body.innerText")).not.toContain(zoraida.email);

  await owner.goto("/ajustes/alertas");
  await page.getByLabel("Avisarme por correo: Faltante en un turno").click();
  await page.getByLabel("Desde cuántos pesos").fill("25000");
  await page.getByLabel("Desde cuántos pesos").blur();
  await eventually(async () => {
    const { rows } = await service.deps.pool.query(sql`
      select 1 from alert_choices where account_id = ${accountId} and kind = 'shift_short' and is_active and amount = 25000`);
    return rows.length > 0;
  });

  await owner.goto("/ajustes/negocio");
  await page.getByRole("button", { name: "Cerrar el negocio" }).click();
  await page.getByText("sus datos se borran en 30 días", { exact: false }).waitFor();
  expect(owner.complaints).toEqual([]);
  await owner.context.close();
});
