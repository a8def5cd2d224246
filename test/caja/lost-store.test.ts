import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { furnishShop, newCaja, storedSales, tablet } from "../support/caja.ts";
import { sharedService } from "../support/fixtures.ts";
import { openAccount, sharedBrowser, visit } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();

test("sales whose store the browser took away are saved as a file, and the portal takes each in once", async () => {
  const account = await openAccount(service);
  const { accountId } = account;
  await furnishShop(service, accountId, ["Pan tajado", "Leche 1 L"]);
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  const { page } = caja;
  await caja.start("Caja del fondo");
  await caja.sell("Pan tajado");
  await caja.uploaded();
  await context.own.setOffline(true);
  await caja.sell("Leche 1 L");
  await caja.sell("Pan tajado", "Leche 1 L");
  const devtools = await context.own.newCDPSession(page);
  await devtools.send("Storage.clearDataForOrigin", { origin: service.baseUrl, storageTypes: "indexeddb" });
  await page.getByRole("heading", { name: "El navegador borró los datos de esta caja" }).waitFor();
  await page.getByText(/registros que no alcanzaron a subir y solo están en esta ventana/).waitFor();
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Guardar el archivo" }).click();
  const file = await (await saving).path();
  expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ register: "Caja del fondo" });
  await page.getByText("Súbalo en el portal, en Cajas → Subir archivo de una caja").waitFor();

  const owner = await visit(browser, service);
  await owner.signIn(account.email);
  await owner.link("Cajas").click();
  await handIn({ name: "notas.json", mimeType: "application/json", buffer: Buffer.from("{}") });
  await owner.sees("Este archivo no es el de una caja");
  await owner.button("Cancelar").click();
  await handIn(file);
  await owner.sees(/^Se guardaron \d+ registros\.$/);
  await owner.button("Listo").click();
  const sales = await storedSales(service, accountId);
  expect(sales).toHaveLength(3);
  await handIn(file);
  await owner.sees(/^No faltaba ninguno\. \d+ ya estaban aquí\.$/);
  expect(await storedSales(service, accountId)).toEqual(sales);

  // A file of another register says nothing about this one.
  const { device_id, records } = JSON.parse(await readFile(file, "utf8"));
  const changed = records.map((record: { data: object }) => ({ ...record, data: { ...record.data, total: 1 } }));
  const refused = await owner.page.request.post(`${service.baseUrl}/portal/api/devices/${device_id}/unsent`, {
    data: { records: changed },
    headers: { origin: service.baseUrl },
  });
  expect([refused.status(), (await refused.json()).error.message]).toEqual([
    400,
    expect.stringContaining("Este archivo no continúa lo que esta caja ya subió"),
  ]);
  const { rows } = await service.deps.pool.query("select forked_at from device_progress where device_id = $1", [
    device_id,
  ]);
  expect(rows).toEqual([{ forked_at: null }]);

  async function handIn(chosen: Parameters<ReturnType<typeof owner.page.locator>["setInputFiles"]>[0]): Promise<void> {
    await owner.button("Subir archivo de una caja").click();
    const choosing = owner.page.waitForEvent("filechooser");
    await owner.page.getByRole("dialog").getByRole("button", { name: "Archivo" }).click();
    await (await choosing).setFiles(chosen as string);
    await owner.button(/^Subir$/).click();
  }
});
