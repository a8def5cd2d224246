import type { Locator, Page } from "playwright-core";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { theOperator } from "../../src/access/accounts/record-audit.ts";
import { createCashier } from "../../src/business/counter/cashiers.ts";
import { afterScan, expectTidy, furnishShop, newCaja, scan, tablet, throwAway } from "../support/caja.ts";
import { shared, sharedService } from "../support/fixtures.ts";
import { sharedBrowser } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();
const names = ["Café molido 250 g", "Pan tajado"];
const coffee = "7700000000";

const counter = shared(async () => {
  const { accountId } = await service.business();
  await furnishShop(service, accountId, names);
  const context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  return { caja, page: caja.page, [Symbol.asyncDispose]: () => context.own.close() };
});
let page: Page;
beforeAll(async () => {
  page = counter.page;
  await counter.caja.start();
  await counter.caja.uploaded();
});

const field = (name: string) => page.getByLabel(name, { exact: true });
const button = (name: string | RegExp) => page.getByRole("button", { name });
const search = () => page.getByLabel("Buscar o escanear");
const gone = (one: Locator) => one.waitFor({ state: "detached" });
const isFocused = (one: Locator) => one.evaluate((element) => element === element.ownerDocument.activeElement);
const expectFocus = (one: Locator) => expect.poll(() => isFocused(one), { timeout: 30_000 }).toBe(true);
const unused = () => page.getByText("Lo que escaneó no se usó", { exact: false });

/** One coffee on the ticket, and nothing open. */
beforeEach(async () => {
  await afterScan();
  for (let i = 0; i < 3; i++) await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Vender", exact: true }).click();
  await page.keyboard.press("F2");
  await search().fill("");
  if (!(await page.getByText("Escanee o toque").isVisible())) {
    await throwAway(page);
    await page.getByText("Escanee o toque").waitFor();
  }
  await button(names[0]!).first().click();
  await page.getByRole("button", { name: "Cobrar $1.000", exact: true }).waitFor();
});

async function newCustomer(): Promise<void> {
  await page.keyboard.press("F4");
  await button("Cliente nuevo").click();
}

describe("a customer who is half typed", () => {
  test("is still there after a scan, on that ticket alone, until saved", async () => {
    await newCustomer();
    await field("Nombre o razón social").fill("Rosa Díaz");
    await field("Número").fill("41999");
    await scan(page, coffee);
    await page.getByRole("button", { name: "Cobrar $2.000", exact: true }).waitFor();
    await afterScan();
    await newCustomer();
    expect(await field("Nombre o razón social").inputValue()).toBe("Rosa Díaz");
    expect(await field("Número").inputValue()).toBe("41999");
    // While charging it is the same customer.
    await page.keyboard.press("Escape");
    await page.keyboard.press("F9");
    await button("Consumidor final").first().click();
    await button("Cliente nuevo").click();
    expect(await field("Número").inputValue()).toBe("41999");
    await page.keyboard.press("Escape");
    // The next customer is nobody yet.
    await page.keyboard.press("F7");
    await button(names[1]!).first().click();
    await newCustomer();
    expect(await field("Nombre o razón social").inputValue()).toBe("");
    await page.keyboard.press("Escape");
    await throwAway(page);
    await page.getByRole("group", { name: "Tiquetes abiertos" }).getByRole("button").first().click();
    await newCustomer();
    await field("Número").fill("41999000");
    await button("Guardar cliente").click();
    await button(/Rosa Díaz/).waitFor();
    await newCustomer();
    expect(await field("Nombre o razón social").inputValue()).toBe("");
  });
});

describe("what a scan cannot be used for", () => {
  test("is told where notes are counted, until the next key", async () => {
    await throwAway(page);
    await page.getByRole("button", { name: "Turno", exact: true }).click();
    await button("Cerrar turno").click();
    await scan(page, coffee);
    await unused().waitFor();
    await expectTidy(page, "unused-count");
    expect(await field("$100.000").inputValue()).toBe("");
    await afterScan();
    await page.keyboard.press("2");
    await gone(unused());
    await page.keyboard.press("Escape");
  });

  test("is told where somebody signs in and at her PIN, until the next key", async () => {
    const { accountId } = await service.business();
    await furnishShop(service, accountId, names);
    for (const name of ["Ana", "Luz"])
      await createCashier(service.deps, accountId, { name, pin: "2468", permissions: [] }, theOperator);
    await using context = await tablet(browser);
    const caja = await newCaja(context.own, service, accountId);
    const other = caja.page;
    const told = other.getByText("Lo que escaneó no se usó", { exact: false });
    await other.goto(`${service.baseUrl}/caja/`);
    await caja.link();
    await other.getByRole("button", { name: "Ana", exact: true }).waitFor();
    await scan(other, coffee);
    await told.waitFor();
    await afterScan();
    await other.keyboard.press("ArrowDown");
    await gone(told);
    await other.getByRole("button", { name: "Ana", exact: true }).click();
    await scan(other, coffee);
    await told.waitFor();
    await expectTidy(other, "unused-pin");
    await afterScan();
    expect(await other.getByLabel("PIN").inputValue()).toBe("");
    await other.keyboard.press("2");
    await gone(told);
  });

  test("is told on a screen that does not sell, until the cashier leaves it", async () => {
    await page.getByRole("button", { name: "Turno", exact: true }).click();
    await scan(page, coffee);
    await page.getByText(`Se leyó ${coffee}`).waitFor();
    await page.getByRole("button", { name: "Existencias" }).click();
    await gone(page.getByText(`Se leyó ${coffee}`));
  });
});

describe("the keys", () => {
  test("? in an empty search shows them, and in a search it is typed", async () => {
    await page.keyboard.press("F2");
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Teclas" }).waitFor();
    await page.keyboard.press("Escape");
    await gone(page.getByRole("dialog", { name: "Teclas" }));
    expect(await search().inputValue()).toBe("");
    await search().fill("pan");
    await page.keyboard.press("?");
    expect(await search().inputValue()).toBe("pan?");
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  test("F10 without a printer says why nothing opens, until the next key", async () => {
    await page.keyboard.press("F10");
    const word = page.getByText("No hay impresora conectada", { exact: false });
    await word.waitFor();
    await expectTidy(page, "no-printer");
    await page.keyboard.press("ArrowUp");
    await gone(word);
  });

  test("Ctrl+P prints the last sale that the selling screen shows", async () => {
    await page.evaluate(`globalThis.printed = []; globalThis.print = () => {
      globalThis.printed.push([...document.querySelectorAll(".paper")].map((one) => one.textContent).join("|"));
    };`);
    await page.keyboard.press("Control+Enter");
    await page.keyboard.press("F9");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("heading", { name: /registrada/ }).waitFor();
    await button("Nueva venta").click();
    await button(/^Venta \d+ ·/).waitFor();
    await page.keyboard.press("Control+p");
    await expect.poll(() => page.evaluate("globalThis.printed.length")).toBe(1);
    expect(await page.evaluate("globalThis.printed[0]")).toContain(names[0]);
    expect(await page.evaluate("globalThis.printed[0]")).not.toContain("COPIA");
    await page.keyboard.press("Control+p");
    await expect.poll(() => page.evaluate("globalThis.printed.length")).toBe(2);
    const isPaperShown = () => page.evaluate("document.querySelector('.ticket .paper').checkVisibility()");
    expect(await page.evaluate("globalThis.printed[1]")).toContain("COPIA");
    expect(await isPaperShown()).toBe(false);
    await page.emulateMedia({ media: "print" });
    expect(await isPaperShown()).toBe(true);
    expect(await page.evaluate("document.querySelector('.ticket .last').checkVisibility()")).toBe(false);
    await page.emulateMedia({ media: "screen" });
    // Days later too it is known that there is one already.
    await page.reload();
    await button("Ventas").click();
    await page.locator("ul.rows button").first().click();
    await page.getByRole("dialog").getByText("COPIA", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await button("Vender").click();
    await search().waitFor();
  });
});

describe("the first key goes", () => {
  test("to the name of a new customer, and then back to the search or to what is received", async () => {
    await newCustomer();
    await expectFocus(field("Nombre o razón social"));
    await page.keyboard.type("Elsa Ruiz", { delay: 90 });
    await field("Número").fill("52000111");
    await page.keyboard.press("Enter");
    await button(/Elsa Ruiz/).waitFor();
    await expectFocus(search());
    await page.keyboard.press("F9");
    await button(/Elsa Ruiz/)
      .first()
      .click();
    await button("Cliente nuevo").click();
    await expectFocus(field("Nombre o razón social"));
    await field("Nombre o razón social").fill("Iván Paz");
    await field("Número").fill("52000222");
    await page.keyboard.press("Enter");
    await button(/Iván Paz/)
      .first()
      .waitFor();
    await expectFocus(field("Recibido"));
  });

  test("to what is received once a part was added, and to the end once nothing is due; held down, Enter charges nothing", async () => {
    await page.keyboard.press("F9");
    await button("Dividir el pago").click();
    await expect.poll(() => field("Valor").count()).toBe(1);
    await field("Valor").fill("400");
    await page.keyboard.press("Enter");
    await page.getByText("Efectivo · $600").waitFor();
    await expectFocus(field("Recibido"));
    await button("Dividir el pago").click();
    await field("Valor").fill("600");
    await page.keyboard.down("Enter");
    await expectFocus(button("Terminar la venta"));
    for (let i = 0; i < 3; i++) await page.keyboard.down("Enter");
    await page.keyboard.up("Enter");
    await button("Terminar la venta").waitFor();
    expect(await page.getByRole("heading", { name: /registrada/ }).count()).toBe(0);
    await page.keyboard.press("Escape");
  });

  test("to the first quantity of a return", async () => {
    await page.keyboard.press("F9");
    await page.keyboard.press("Control+Enter");
    await button("Nueva venta").click();
    await page.getByRole("button", { name: "Ventas", exact: true }).click();
    await button(/Café molido/)
      .first()
      .click();
    await button("Devolver").click();
    await expectFocus(page.getByRole("dialog").getByLabel(names[0]!));
    await page.keyboard.press("Escape");
  });

  test("to the first note of the count, so that Enter closes nothing; and to the base of the next shift", async () => {
    await throwAway(page);
    await page.getByRole("button", { name: "Turno", exact: true }).click();
    await button("Cerrar turno").click();
    await expectFocus(field("$100.000"));
    await page.keyboard.press("Enter");
    await expectFocus(field("$50.000"));
    await page.keyboard.type("1");
    await page.getByRole("dialog").getByRole("button", { name: "Cerrar turno" }).click();
    await page.getByRole("dialog", { name: /Informe|Cierre/ }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Vender", exact: true }).click();
    await expectFocus(field("Base en pesos"));
    await page.keyboard.type("20000", { delay: 90 });
    await page.keyboard.press("Enter");
    await expectFocus(search());
  });
});

describe("a word says", () => {
  test("that an invoice stays a comprobante until the owner has completed the tax data", async () => {
    const word = page.getByText("se imprime solo un comprobante", { exact: false });
    await page.keyboard.press("F4");
    expect(await word.count()).toBe(0);
    await button("Factura").click();
    await word.waitFor();
    await expectTidy(page, "no-tax-data");
    await button("Tiquete POS").click();
    await gone(word);
  });

  test.each(["7700000000123", "1234567890"])("that %s is too large, and looks like a code", async (code) => {
    await page.keyboard.press("F9");
    await field("Recibido").fill(code);
    await page.getByText("Es demasiado grande, y parece un código", { exact: false }).waitFor();
    await field("Recibido").fill("1.5");
    await page.getByText("Escriba un número sin decimales", { exact: false }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("F5");
    await field("Cantidad").fill(code);
    await page.getByText("Es demasiado grande, y parece un código", { exact: false }).waitFor();
    await page.keyboard.press("Escape");
  });
});
