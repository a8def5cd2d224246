import { writeFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { readActs } from "../../src/business/counter/counter-acts.ts";
import { furnishShop, newCaja, scan, storedSales, tablet } from "../support/caja.ts";
import { readEscPos } from "../support/esc-pos-reader.ts";
import { sharedService } from "../support/fixtures.ts";
import { readPdf } from "../support/pdf.ts";
import { deploySecondVersion } from "../support/second-version.ts";
import { sharedBrowser } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();
const names = ["Café molido 250 g", "Pan tajado", "Leche 1 L"];

async function shop(): Promise<string> {
  const { accountId } = await service.business();
  await furnishShop(service, accountId, names);
  return accountId;
}

/** Devices of our own making, put in the place of the browser's; `printed` gets their bytes. */
const printers = `
  window.printed = [];
  const take = (bytes) => window.printed.push(...new Uint8Array(bytes.buffer ?? bytes));
  const usbDevice = {
    configuration: { interfaces: [{ interfaceNumber: 0, alternate: { interfaceClass: 7, endpoints: [{ direction: "out", type: "bulk", endpointNumber: 1 }] } }] },
    open: async () => {}, selectConfiguration: async () => {}, claimInterface: async () => {},
    transferOut: async (endpoint, bytes) => take(bytes),
  };
  const port = { open: async () => {}, writable: new WritableStream({ write: take }) };
  Object.defineProperty(navigator, "usb", { value: { requestDevice: async () => usbDevice, getDevices: async () => [] } });
  Object.defineProperty(navigator, "serial", { value: { requestPort: async () => port, getPorts: async () => [] } });`;

test.each([
  ["USB", "Conectar por USB", "58", 32],
  ["a serial port", "Conectar por puerto serial", "80", 48],
])("a printer on %s gets the ticket that the screen shows, and opens the drawer", async (_, button, width, columns) => {
  const accountId = await shop();
  await using context = await tablet(browser);
  await context.own.addInitScript(printers);
  const caja = await newCaja(context.own, service, accountId);
  const { page } = caja;
  await caja.start();
  await page.getByRole("button", { name: "Turno", exact: true }).click();
  await page.getByRole("button", { name: button }).click();
  await page.getByText("Conectada:", { exact: false }).waitFor();
  await page.getByLabel("Ancho del papel").selectOption(width);
  await page.getByRole("button", { name: "Vender" }).click();
  await page.getByRole("button", { name: names[0]! }).first().click();
  await page.getByRole("button", { name: /^Cobrar \$/ }).click();
  await page.getByRole("button", { name: "Exacto" }).click();
  await page.getByRole("button", { name: "Imprimir" }).click();
  const printed = async () => readEscPos(Uint8Array.from(await page.evaluate<number[]>("window.printed")));
  await expect.poll(async () => (await printed()).cuts).toBe(1);
  const { lines, drawerKicks } = await printed();
  expect(drawerKicks).toBe(1);
  expect(Math.max(...lines.map((line) => line.length))).toBe(columns);
  const squeezed = (text: string) => text.replace(/[\s-]+/g, "");
  const shown = squeezed((await page.locator(".paper").textContent())!);
  for (const line of ["Tienda de prueba", "Café molido 250 g", "TOTAL$1.000"]) {
    expect(squeezed(lines.join(""))).toContain(squeezed(line));
    expect(shown).toContain(squeezed(line));
  }
  // Without a sale it opens by its key, and the owner sees that.
  await page.keyboard.press("F10");
  await expect.poll(async () => (await printed()).drawerKicks).toBe(2);
  const acts = () => readActs(service.deps.pool, accountId, {}, 10);
  await expect.poll(async () => (await acts()).map(({ kind }) => kind)).toEqual(["drawer_opened"]);
});

test.each([80, 58])("printed by the browser on %i mm, nothing of the ticket is cut off", async (mm) => {
  const accountId = await shop();
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  const { page } = caja;
  await caja.start();
  await page.getByRole("button", { name: names[0]! }).first().click();
  await page.getByRole("button", { name: /^Cobrar \$/ }).click();
  await page.getByRole("button", { name: "Exacto" }).click();
  await page.locator(".paper").waitFor();
  const pdf = await readPdf(await page.pdf({ width: `${mm}mm`, height: "200mm", printBackground: true }));
  expect(pdf.pages).toBe(1);
  expect(pdf.text).toContain("Café molido 250 g");
  expect(pdf.text).toMatch(/TOTAL\s+\$1\.000/);
  for (const other of ["Nueva venta", "Pan tajado", "Productos", "registrada"]) expect(pdf.text).not.toContain(other);
  const folder = process.env.CAJA_PICTURES;
  if (folder) writeFileSync(`${folder}/print-${mm}.png`, (await pdf.picture(1, 2)).png);
});

/** Presses Tab until the element in focus is called so. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press("Tab");
    if (name.test(await page.evaluate<string>("document.activeElement.textContent"))) return;
  }
  throw new Error(`the keyboard does not reach ${String(name)}`);
}

test("the keyboard alone sells: search, charge, change, next", async () => {
  const accountId = await shop();
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  const { page } = caja;
  await caja.start();
  await page.keyboard.type("pan");
  await page.keyboard.press("Enter");
  await page.getByLabel("Tiquete").getByText("Pan tajado").waitFor();
  await tabTo(page, /^Cobrar \$2\.000/);
  await page.keyboard.press("Enter");
  await page.getByLabel("Recibido").waitFor();
  await page.keyboard.type("5000", { delay: 90 });
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Venta 1 registrada" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("Escanee o toque un producto").waitFor();
  await expect.poll(() => storedSales(service, accountId)).toMatchObject([{ total: 2000 }]);
});

test("a scanner's bursts all count, one after the other, and an unknown code is told", async () => {
  const accountId = await shop();
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  const { page } = caja;
  await caja.start();
  await page.getByLabel("Buscar o escanear").blur();
  await scan(page, ...Array.from({ length: 40 }, (_, i) => `770000000${i % 3}`));
  // 14 × $1.000, 13 × $2.000 and 13 × $3.000
  await page.getByRole("button", { name: "Cobrar $79.000" }).waitFor();
  await scan(page, "999999999");
  await page.getByText("Ningún producto tiene el código 999999999").waitFor();
});

test("a new version waits while somebody sells, takes over when the counter is idle, and what was sold goes on", async () => {
  const accountId = await shop();
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  const { page } = caja;
  await caja.start();
  expect(await caja.sell(names[1]!)).toBe(1);
  await page.evaluate("navigator.serviceWorker.ready.then(() => undefined)");
  await page.clock.install();
  await page.reload();
  await page.getByRole("button", { name: names[0]! }).first().click();
  const script = () => page.evaluate("new URL(document.querySelector('script[src]').src).pathname");
  const first = await script();
  using second = deploySecondVersion();
  const registration = "navigator.serviceWorker.getRegistration()";
  await page.evaluate(`${registration}.then((one) => one.update()).then(() => undefined)`);
  await expect.poll(() => page.evaluate(`${registration}.then((one) => one.waiting !== null)`)).toBe(true);
  await page.clock.fastForward("05:00");
  await page.clock.runFor(11_000);
  expect(await script(), "a ticket is open").toBe(first);
  await page.keyboard.press("F5");
  await page.getByRole("button", { name: "Quitar" }).click();
  await page.clock.runFor(30_000);
  expect(await script(), "somebody was there half a minute ago").toBe(first);
  // A browser ends a worker that has had nothing to do for a while; no time has passed for this one.
  const workers = await context.own.newCDPSession(page);
  await workers.send("ServiceWorker.enable");
  await workers.send("ServiceWorker.stopAllWorkers");
  // The page may be loaded anew before the time has run.
  await page.clock.runFor(60_000).catch(() => {});
  await expect.poll(() => script().catch(() => undefined)).toBe(second.script);
  await context.own.setOffline(true);
  await page.reload();
  expect(await script()).toBe(second.script);
  expect(await caja.sell(names[1]!)).toBe(2);
  await context.own.setOffline(false);
  await expect.poll(() => storedSales(service, accountId)).toHaveLength(2);
});

test("the camera reads a code where the browser can, and says what to do where it cannot", async () => {
  const accountId = await shop();
  await using context = await tablet(browser);
  await context.own.addInitScript(`
    navigator.mediaDevices.getUserMedia = async () => {
      const canvas = document.createElement("canvas");
      canvas.getContext("2d").fillRect(0, 0, 10, 10);
      return canvas.captureStream();
    };`);
  const caja = await newCaja(context.own, service, accountId);
  const { page } = caja;
  await caja.start();
  await page.evaluate("delete window.BarcodeDetector");
  await page.getByRole("button", { name: "Leer con la cámara" }).click();
  await page.getByText("Este navegador no lee códigos con la cámara", { exact: false }).waitFor();
  await page.keyboard.press("Escape");
  await page.evaluate(`window.BarcodeDetector = class { detect = async () => [{ rawValue: "7700000001" }]; }`);
  await page.getByRole("button", { name: "Leer con la cámara" }).click();
  await page.getByLabel("Tiquete").getByText("Pan tajado").waitFor();
  await page.evaluate(
    `navigator.mediaDevices.getUserMedia = async () => { throw new DOMException("no", "NotAllowedError"); }`,
  );
  await page.getByRole("button", { name: "Leer con la cámara" }).click();
  await page.getByText("no tiene permiso para usar la cámara", { exact: false }).waitFor();
});
