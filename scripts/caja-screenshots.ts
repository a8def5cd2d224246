import { join } from "node:path";
import type { Browser, Page } from "playwright-core";

interface Camera {
  browser: Browser;
  url: string;
  folder: string;
  write: (png: Buffer, path: string) => Promise<void>;
  /** Whether a picture of this name is wanted. */
  wants: (name: string) => boolean;
}

const screens = [
  { width: 1366, height: 800, scheme: "light" },
  { width: 375, height: 812, scheme: "dark" },
] as const;

/** Photographs every screen of Caja on the demo shop, which a new register is offered. */
export async function photographCaja(camera: Camera): Promise<void> {
  const { browser, url, folder, write, wants } = camera;
  for (const { width, height, scheme } of screens) {
    const context = await browser.newContext({
      ...{ locale: "es-CO", timezoneId: "America/Bogota", colorScheme: scheme, reducedMotion: "reduce" },
      viewport: { width, height },
    });
    const page = await context.newPage();
    await walk(page, url, async (name) => {
      if (!wants(name)) return;
      // What was under the pointer is marked as such.
      await page.mouse.move(0, 0);
      await page.waitForTimeout(400);
      await write(await page.screenshot(), join(folder, `${name}-${width}-${scheme}.webp`));
    });
    await context.close();
  }
}

async function walk(page: Page, url: string, shoot: (name: string) => Promise<void>): Promise<void> {
  const button = (name: string | RegExp) => page.getByRole("button", { name }).first();
  const go = (place: string) => page.getByRole("button", { name: place, exact: true }).click();
  await page.goto(`${url}/caja/`);
  await button(/^Probar con/).waitFor();
  await shoot("caja-vincular");
  await button(/^Probar con/).click();
  await page.getByLabel("Base en pesos").fill("100.000");
  await shoot("caja-abrir-turno");
  await button("Abrir turno").click();
  await page.locator(".tiles li").nth(5).waitFor();
  for (const i of [0, 3, 5, 0]) await page.locator(".tiles button").nth(i).click();
  await shoot("caja-vender");
  // On a phone the ticket covers the products.
  const ticket = button("Ver el tiquete");
  if (await ticket.isVisible()) {
    await ticket.click();
    await shoot("caja-tiquete");
  }
  for (const [key, name] of [
    ["F4", "caja-cliente"],
    ["F5", "caja-linea"],
    ["F6", "caja-descuento"],
    ["F8", "caja-cotizar"],
    ["Control+l", "caja-linea-libre"],
  ] as const) {
    await page.keyboard.press(key);
    await shoot(name);
    await page.keyboard.press("Escape");
  }
  await page.keyboard.press("F9");
  await page.getByLabel("Recibido").fill("50000");
  await shoot("caja-cobrar");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: /registrada/ }).waitFor();
  await shoot("caja-vendida");
  await button("Nueva venta").click();
  await page.keyboard.press("F3");
  await page.getByLabel("Producto", { exact: true }).fill("arroz");
  await shoot("caja-precio");
  await page.keyboard.press("Escape");
  await go("Ventas");
  await shoot("caja-ventas");
  await page.locator("main li button, main .rows button").first().click();
  await page.getByRole("dialog").waitFor();
  await shoot("caja-venta");
  await button("Devolver").click();
  await shoot("caja-devolver");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+o");
  await shoot("caja-pedidos");
  await go("Cotizaciones");
  await shoot("caja-cotizaciones");
  await go("Existencias");
  await shoot("caja-existencias");
  await go("Turno");
  await shoot("caja-turno");
  await button("Cerrar turno").click();
  await shoot("caja-cierre");
  await page.keyboard.press("Escape");
  await page.keyboard.press("F1");
  await shoot("caja-teclas");
}
