import { afterAll, expect, test } from "vitest";
import catalog from "../../src/operations/demo/catalog.json" with { type: "json" };
import { launchBrowser } from "../support/browser.ts";
import { scan } from "../support/caja.ts";
import { sharedFolder } from "../support/fixtures.ts";
import { freePort, runMostrador, startMostrador } from "../support/process.ts";

const folder = sharedFolder("mostrador-newcomer-");
const running: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const stop of running.reverse()) await stop();
});

test("a newcomer starts it, opens the register, sells two products by scan, and sees them in Hoy and in a webhook", async () => {
  const env = { DATA_DIR: folder.path };
  const receiver = runMostrador(["receive", "--port", String(await freePort())], env);
  running.push(() => receiver.stop());
  const { url: hook, ...settings } = await receiver.next();
  const service = await startMostrador({ ...env, ...settings });
  running.push(() => service.stop());
  const { email, password, register_url } = service.ready.demo!;
  const browser = await launchBrowser();
  running.push(() => browser.close());
  const owner = await browser.newPage();
  await owner.goto(`${service.url}/`);
  await owner.getByLabel("Correo").fill(email);
  await owner.getByRole("textbox", { name: "Contraseña" }).fill(password);
  await owner.getByRole("button", { name: "Entrar" }).click();
  await owner.getByRole("heading", { name: "Hoy" }).waitFor();
  await addEndpoint();

  const page = await browser.newPage();
  const begun = Date.now();
  await page.goto(register_url);
  await page.getByRole("button", { name: "Probar con «Tienda La Esquina»" }).click();
  await page.getByRole("button", { name: "Abrir turno" }).click();
  await page.getByLabel("Buscar o escanear").waitFor();
  const [cola, zero] = catalog;
  await scan(page, cola!.sku, zero!.sku);
  await page.getByRole("button", { name: /^Cobrar \$/ }).click();
  await page.getByRole("button", { name: "Exacto" }).click();
  await page.getByRole("heading", { name: /^Venta 1 registrada/ }).waitFor();
  expect(Date.now() - begun, "ms from the address to the ticket").toBeLessThan(60_000);

  const { type, verified, event } = await receiver.next();
  expect([type, verified]).toEqual(["sale.completed", null]);
  const sale = event.data.object;
  expect(sale.items.map(({ description }: { description: string }) => description)).toEqual([cola!.name, zero!.name]);
  await owner.goto(`${service.url}/ventas/${sale.id}`);
  for (const { name } of [cola!, zero!]) await owner.getByText(name, { exact: true }).first().waitFor();
  await owner.goto(`${service.url}/`);
  await owner.getByText("Caja de demostración").first().waitFor();

  /** As the quick start tells it: the address, then the code of the mail. */
  async function addEndpoint(): Promise<void> {
    const made = await owner.request.post(`${service.url}/portal/api/webhook-endpoints`, {
      data: { url: hook, event_types: ["sale.completed"] },
      headers: { origin: service.url },
    });
    const { confirmation_id } = await made.json();
    const mails = await owner.request.get(`${service.url}/dev/mail`, { headers: { accept: "application/json" } });
    const code = /^\d{6}$/m.exec((await mails.json())[0].text)![0];
    const confirmed = await owner.request.post(`${service.url}/portal/api/confirmations/${confirmation_id}`, {
      data: { code },
      headers: { origin: service.url },
    });
    expect(confirmed.ok()).toBe(true);
  }
});
