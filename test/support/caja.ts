import { randomUUID } from "node:crypto";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { expect } from "vitest";
import { createEnrolmentCode } from "../../src/access/devices/create-enrolment-code.ts";
import { sql } from "../../src/db/sql.ts";
import { faults } from "./axe.ts";
import { enrol, remoteEdit } from "./register.ts";
import type { Service } from "./service.ts";

/** A register in a browser, as a cashier uses it. */
export interface Caja {
  page: Page;
  /** Types a code of the portal, waits for the first load and opens the shift. */
  start(name?: string): Promise<void>;
  link(name?: string): Promise<void>;
  openShift(): Promise<void>;
  /** Adds products by their name and pays the exact sum in cash; returns the number on the ticket. */
  sell(...names: string[]): Promise<number>;
  /** Waits until the header says that everything is uploaded. */
  uploaded(): Promise<void>;
}

export function cajaOn(page: Page, service: Service, accountId: string): Caja {
  const caja: Caja = {
    page,
    async start(name) {
      await page.goto(`${service.baseUrl}/caja/`);
      await caja.link(name);
      await caja.openShift();
    },
    async link(name = "Caja 1") {
      const { code } = await createEnrolmentCode(service.deps, { accountId, name });
      await page.getByLabel("Código del portal").fill(code);
      await page.getByRole("button", { name: "Vincular" }).click();
    },
    async openShift() {
      await page.getByLabel("Base en pesos").fill("50.000");
      await page.getByRole("button", { name: "Abrir turno" }).click();
      await page.getByLabel("Buscar o escanear").waitFor();
    },
    async sell(...names) {
      for (const name of names) await page.getByRole("button", { name }).first().click();
      await page.getByRole("button", { name: /^Cobrar \$/ }).click();
      await page.getByRole("button", { name: "Exacto" }).click();
      const title = await page.getByRole("heading", { name: /^Venta \d+ registrada/ }).textContent();
      await page.getByRole("button", { name: "Nueva venta" }).click();
      return Number(/\d+/.exec(title!)![0]);
    },
    uploaded: () => page.getByText("Al día").waitFor(),
  };
  return caja;
}

export async function newCaja(context: BrowserContext, service: Service, accountId: string): Promise<Caja> {
  return cajaOn(await context.newPage(), service, accountId);
}

/** Codes from a fast scanner that ends them with Enter. */
export async function scan(page: Page, ...codes: string[]): Promise<void> {
  for (const code of codes) await scanAs(page, code, { gapMs: 10, ending: "Enter" });
}

export interface ScannerKind {
  /** Several are those before each key in turn, over and over. */
  gapMs: number | readonly number[];
  ending: "Enter" | "Tab" | "nothing";
}

/** Every day each speed and each ending once; `LONG=1` has each with each. */
export const scannerKinds: ScannerKind[] = process.env.LONG
  ? [2, 20, 120].flatMap((gapMs) => (["Enter", "Tab", "nothing"] as const).map((ending) => ({ gapMs, ending })))
  : [
      { gapMs: 2, ending: "Enter" },
      { gapMs: 20, ending: "Tab" },
      { gapMs: 120, ending: "nothing" },
      { gapMs: 120, ending: "Enter" },
    ];

const namedKeys = {
  Enter: { key: "Enter", code: "Enter", windowsVirtualKeyCode: 13, text: "\r" },
  Tab: { key: "Tab", code: "Tab", windowsVirtualKeyCode: 9 },
};

/** A code from a scanner that types like a keyboard, by the events' own clock, however busy the machine is. */
export async function scanAs(page: Page, code: string, { gapMs, ending }: ScannerKind): Promise<void> {
  const keyboard = await page.context().newCDPSession(page);
  // Only time tells that such a scan is over: what the scans before it are ahead of the clock would be waited for too.
  if (ending === "nothing") await afterScan();
  // A pause after whatever was typed before, and never behind the scan before it.
  const begin = Math.max(Date.now(), latestKeyMs) + 300;
  const keys = [...code].map((key) => ({ key, text: key }));
  const all = ending === "nothing" ? keys : [...keys, namedKeys[ending]];
  const gaps = [gapMs].flat();
  let at = begin;
  const sent = all.flatMap((key, i) => {
    if (i > 0) at += gaps[(i - 1) % gaps.length]!;
    const timestamp = at / 1000;
    return [
      keyboard.send("Input.dispatchKeyEvent", { type: "keyDown", ...key, timestamp }),
      keyboard.send("Input.dispatchKeyEvent", { type: "keyUp", key: key.key, timestamp }),
    ];
  });
  latestKeyMs = at;
  await Promise.all(sent);
  await keyboard.detach();
}

let latestKeyMs = 0;

/** A page that was just loaded has seen no key, so nobody need wait for the times that earlier scans were given. */
export async function reloadForScans(page: Page): Promise<void> {
  await page.reload();
  await page.getByLabel("Buscar o escanear").waitFor();
  latestKeyMs = 0;
}

/** A scan's keys have times that are yet to come: a key that a person presses next must not seem to come before them. */
export async function afterScan(pauseMs = 300): Promise<void> {
  const leftMs = latestKeyMs + pauseMs - Date.now();
  if (leftMs > 0) await new Promise((resolve) => setTimeout(resolve, leftMs));
}

/** A browser of its own, as a tablet is. */
export async function tablet(browser: Browser, viewport = { width: 1366, height: 800 }) {
  const own = await browser.newContext({ viewport, locale: "es-CO" });
  own.setDefaultTimeout(60_000);
  return { own, [Symbol.asyncDispose]: () => own.close() };
}

/** Throws away what is on the ticket, and says so where that is asked. */
export async function throwAway(page: Page): Promise<void> {
  await page.keyboard.press("F6");
  await page.getByRole("button", { name: "Botar el tiquete" }).click();
  const sure = page.getByRole("button", { name: /^Sí, botar/ });
  const next = sure.or(page.getByText("Escanee o toque")).or(page.getByText("Autoriza un supervisor"));
  await next.first().waitFor();
  if (await sure.isVisible()) await sure.click();
}

/** Nothing is cut off at this width and, on a phone, axe finds no fault. With CAJA_PICTURES it leaves a picture there. */
export async function expectTidy(page: Page, place: string): Promise<void> {
  const { width } = page.viewportSize()!;
  for (const scheme of width === 375 ? (["light", "dark"] as const) : [])
    expect(await faults(page, scheme, "html"), `${place}, ${scheme}`).toEqual([]);
  await page.emulateMedia({ colorScheme: "light" });
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), place).toBe(true);
  const folder = process.env.CAJA_PICTURES;
  if (folder) await page.screenshot({ path: `${folder}/${place}-${width}.png` });
}

/** A shop with a warehouse and a few products, made at another register. */
export async function furnishShop(service: Service, accountId: string, names: readonly string[]): Promise<void> {
  const till = await enrol(service, accountId, { capabilities: [remoteEdit] });
  const product = (name: string, i: number) => ({
    type: "product",
    id: randomUUID(),
    data: {
      name,
      sku: `770000000${i}`,
      base_price: 1000 * (i + 1),
      final_price: 1000 * (i + 1),
      tax_class: "standard",
      base_unit: "und",
      sold_by_weight: false,
      active: true,
      sellable: true,
      variants: [],
    },
  });
  const warehouse = {
    type: "warehouse",
    id: randomUUID(),
    data: { name: "Principal", is_default: true, active: true },
  };
  const answer = await till.push([warehouse, ...names.map(product)]);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
}

/** The shop's sales on the server: how many times each id, and its total. */
export async function storedSales(service: Service, accountId: string): Promise<{ id: string; total: number }[]> {
  const { rows } = await service.deps.pool.query(sql`select id, body from sales where account_id = ${accountId}`);
  return rows.map(({ id, body }) => ({ id, total: JSON.parse(body).total }));
}
