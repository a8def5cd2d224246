import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import {
  furnishShop,
  newCaja,
  reloadForScans,
  scanAs,
  scannerKinds,
  storedSales,
  tablet,
  throwAway,
} from "../support/caja.ts";
import { shared, sharedService } from "../support/fixtures.ts";
import { sharedBrowser } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();
const names = ["Café molido 250 g", "Pan tajado", "Leche 1 L"];
const [coffee, bread, milk] = ["7700000000", "7700000001", "7700000002"] as const;

const counter = shared(async () => {
  const { accountId } = await service.business();
  await furnishShop(service, accountId, names);
  const context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  return { accountId, caja, page: caja.page, [Symbol.asyncDispose]: () => context.own.close() };
});
let page: Page;
beforeAll(async () => {
  page = counter.page;
  await counter.caja.start();
  await counter.caja.uploaded();
});

const ticket = () => page.getByLabel("Tiquete", { exact: true });
const box = () => page.getByLabel("Buscar o escanear");
const total = (pesos: string) => page.getByRole("button", { name: `Cobrar $${pesos}`, exact: true }).waitFor();
const sold = async () => (await storedSales(service, counter.accountId)).length;

/** Throws away what is on the ticket, whatever is open. */
async function startOver(): Promise<void> {
  await page.keyboard.press("Escape");
  await page.keyboard.press("F2");
  await box().fill("");
  if (await ticket().getByText("Escanee o toque").isVisible()) return;
  await throwAway(page);
  await ticket().getByText("Escanee o toque").waitFor();
}

describe.each(scannerKinds)("a scanner with a key every $gapMs ms that ends with $ending", (kind) => {
  beforeAll(() => reloadForScans(page));

  test("adds one wherever the focus is, and the box stays empty", async () => {
    await startOver();
    await scanAs(page, coffee, kind);
    await total("1.000");
    for (const place of [
      page.getByRole("button", { name: names[2]! }).first(),
      page.getByRole("button", { name: /^Cobrar \$/ }),
      page.getByRole("button", { name: "En espera" }),
      page.getByRole("button", { name: "Vender" }),
    ]) {
      await place.focus();
      await scanAs(page, bread, kind);
      await expect.poll(() => box().inputValue()).toBe("");
    }
    await total("9.000");
    await page.evaluate("document.activeElement.blur()");
    await scanAs(page, milk, kind);
    await total("12.000");
    expect(await ticket().locator("[data-marked]").textContent()).toContain(names[2]);
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  test("while a line is edited keeps what was typed, closes and adds", async () => {
    await startOver();
    await scanAs(page, coffee, kind);
    await total("1.000");
    await page.keyboard.press("F5");
    await page.getByLabel("Cantidad").fill("7");
    await scanAs(page, bread, kind);
    await total("9.000");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  test("while a note is written keeps it, closes and adds", async () => {
    await startOver();
    await scanAs(page, coffee, kind);
    await total("1.000");
    await page.keyboard.press("F6");
    await page.getByRole("textbox", { name: "Notas" }).fill("sin azúcar");
    await scanAs(page, bread, kind);
    await total("3.000");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("F6");
    expect(await page.getByRole("textbox", { name: "Notas" }).inputValue()).toBe("sin azúcar");
    await page.keyboard.press("Escape");
  });

  test("while charging returns to the ticket with the new total, and never pays", async () => {
    await startOver();
    const before = await sold();
    const places = {
      recibido: () => page.getByLabel("Recibido"),
      exacto: () => page.getByRole("button", { name: "Exacto" }),
      tarjeta: () => page.getByRole("button", { name: "Tarjeta" }),
      cobrar: () => page.getByRole("button", { name: "Cobrar en efectivo" }),
    };
    await scanAs(page, coffee, kind);
    let sum = 1;
    for (const place of Object.values(places)) {
      await total(`${sum}.000`);
      await page.keyboard.press("F9");
      await page.getByLabel("Recibido").fill("50000");
      await place().focus();
      await scanAs(page, bread, kind);
      sum += 2;
      await total(`${sum}.000`);
      await page.getByLabel("Recibido").waitFor({ state: "detached" });
    }
    await counter.caja.uploaded();
    expect(await sold()).toBe(before);
    expect(await page.getByRole("heading", { name: /registrada/ }).count()).toBe(0);
  });

  test("on the registered sale begins the next ticket with it", async () => {
    await startOver();
    await scanAs(page, coffee, kind);
    await total("1.000");
    await page.keyboard.press("F9");
    await page.getByRole("button", { name: "Exacto" }).click();
    await page.getByRole("heading", { name: /registrada/ }).waitFor();
    await scanAs(page, milk, kind);
    await total("3.000");
    expect(await page.getByRole("heading", { name: /registrada/ }).count()).toBe(0);
  });

  test("of a code that nobody knows is told, leaves the box empty, and the next one works", async () => {
    await startOver();
    await page.evaluate("addEventListener('caja:sound', ({ detail }) => { window.lastSound = detail; })");
    await scanAs(page, "770999999999", kind);
    await page.getByText("Ningún producto tiene el código 770999999999").waitFor();
    expect(await page.evaluate("window.lastSound")).toBe("unknown");
    expect(await box().inputValue()).toBe("");
    await scanAs(page, coffee, kind);
    await total("1.000");
    expect(await page.evaluate("window.lastSound")).toBe("added");
    // It lies on the counter still, unpaid: the word stays until somebody has read it.
    await page.getByText("Ningún producto tiene el código 770999999999").waitFor();
    await page.getByRole("button", { name: "Entendido" }).click();
    await page.getByText("Ningún producto tiene el código").waitFor({ state: "detached" });
  });

  test.each(["5*", "5"])("after %s adds that many", async (typed) => {
    await startOver();
    await box().fill(typed);
    await scanAs(page, bread, kind);
    await total("10.000");
    expect(await box().inputValue()).toBe("");
  });

  test("while a price is asked shows it and the stock, and sells nothing", async () => {
    await startOver();
    await page.keyboard.press("F3");
    await scanAs(page, milk, kind);
    const panel = page.getByRole("dialog", { name: "Consultar precio" });
    await panel.getByText("$3.000").waitFor();
    await ticket().getByText("Escanee o toque").waitFor();
    await scanAs(page, coffee, kind);
    await panel.getByText(names[0]!).waitFor();
    await page.keyboard.press("Escape");
    await ticket().getByText("Escanee o toque").waitFor();
  });

  test("gives a field back what it had", async () => {
    await startOver();
    await scanAs(page, coffee, kind);
    await total("1.000");
    await page.keyboard.press("F4");
    await page.getByLabel("Cliente", { exact: true }).fill("Ana Restrepo");
    await scanAs(page, coffee, kind);
    await total("2.000");
  });
});

describe("a scanner whose radio is uneven", () => {
  test.each([[[30, 60]], [[60, 49, 79, 57, 49, 41, 45, 29, 29, 30, 63, 37, 48]], [[40, 190, 80, 150, 60]]])(
    "never pays, whichever button has the focus, with %j ms between its keys",
    async (gapMs) => {
      await startOver();
      const before = await sold();
      await scanAs(page, coffee, { gapMs: 10, ending: "Enter" });
      let sum = 1;
      for (const place of ["Exacto", "Tarjeta", "Cobrar en efectivo"]) {
        await total(`${sum}.000`);
        await page.keyboard.press("F9");
        await page.getByLabel("Recibido").fill("50000");
        await page.getByRole("button", { name: place }).focus();
        await scanAs(page, bread, { gapMs, ending: "Enter" });
        sum += 2;
        await total(`${sum}.000`);
        await page.getByLabel("Recibido").waitFor({ state: "detached" });
      }
      await counter.caja.uploaded();
      expect(await sold()).toBe(before);
    },
  );

  test("which pauses inside a code never sells what the rest of it is the code of", async () => {
    await startOver();
    // Behind the pause comes the code of the coffee.
    for (const gapMs of [
      [8, 150, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8],
      [30, 70, 30, 30],
    ]) {
      await scanAs(page, `99${coffee}`, { gapMs, ending: "Enter" });
      await page.getByText(`Ningún producto tiene el código 99${coffee}`).waitFor();
      await page.getByRole("button", { name: "Entendido" }).click();
    }
    await ticket().getByText("Escanee o toque").waitFor();
  });
});

test("a code with a pause of 300 ms is one code where no field takes its keys: its rest is never sold", async () => {
  await startOver();
  await scanAs(page, bread, { gapMs: 10, ending: "Enter" });
  await total("2.000");
  await page.keyboard.press("F9");
  await page.getByRole("button", { name: "Exacto" }).focus();
  // Behind the pause comes the code of the coffee.
  await scanAs(page, `99${coffee}`, { gapMs: [8, 300, ...Array<number>(10).fill(8)], ending: "Enter" });
  await page.getByText(`Ningún producto tiene el código 99${coffee}`).waitFor();
  await total("2.000");
});

describe("a scan in the very moment a screen changes", () => {
  /** The keys come right after the click, before the browser draws or any effect that waits for it runs. */
  const clickAndScan = (name: string, code: string) => `(async () => {
    const named = (one) => one.textContent.includes(${JSON.stringify(name)});
    [...document.querySelectorAll("button")].find(named).click();
    await null;
    for (const key of [...${JSON.stringify(code)}, "Enter"])
      (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  })()`;

  test("is not lost: with 'Nueva venta' it begins the next ticket, once", async () => {
    await startOver();
    await scanAs(page, coffee, { gapMs: 10, ending: "Enter" });
    await total("1.000");
    await page.keyboard.press("F9");
    await page.getByRole("button", { name: "Exacto" }).click();
    await page.getByRole("button", { name: "Nueva venta" }).waitFor();
    await page.evaluate(clickAndScan("Nueva venta", milk));
    await total("3.000");
    await page.getByRole("heading", { name: /registrada/ }).waitFor({ state: "detached" });
    await expect.poll(() => box().inputValue()).toBe("");
  });

  test("is not lost: with 'Vender' it is sold, and no other screen takes it", async () => {
    await startOver();
    await page.getByRole("button", { name: "Turno", exact: true }).click();
    await page.getByRole("heading", { name: "Turno" }).waitFor();
    await page.evaluate(clickAndScan("Vender", bread));
    await total("2.000");
    expect(await page.getByText("aquí no se vende").count()).toBe(0);
  });
});

describe("a person who types", () => {
  beforeAll(() => reloadForScans(page));

  test("a customer's document, steadily, stays in its field", async () => {
    await startOver();
    await scanAs(page, coffee, { gapMs: 10, ending: "Enter" });
    await page.keyboard.press("F4");
    await page.getByLabel("Cliente", { exact: true }).focus();
    await scanAs(page, "1020304050", { gapMs: 130, ending: "nothing" });
    await expect.poll(() => page.getByLabel("Cliente", { exact: true }).inputValue()).toBe("1020304050");
    await page.waitForTimeout(600);
    expect(await page.getByLabel("Cliente", { exact: true }).inputValue()).toBe("1020304050");
    await page.keyboard.press("Escape");
    await total("1.000");
  });

  test("a sum of money, however steadily, is a sum of money", async () => {
    await startOver();
    await scanAs(page, coffee, { gapMs: 10, ending: "Enter" });
    await page.keyboard.press("F9");
    await page.getByLabel("Recibido").focus();
    await scanAs(page, "5000", { gapMs: 120, ending: "nothing" });
    await page.getByText("Cambio").waitFor();
    expect(await page.getByLabel("Recibido").inputValue()).toBe("5000");
    await page.keyboard.press("Escape");
  });
});
