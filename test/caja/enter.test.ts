import type { Locator, Page } from "playwright-core";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { furnishShop, newCaja, scan, storedSales, tablet, throwAway } from "../support/caja.ts";
import { shared, sharedService } from "../support/fixtures.ts";
import { sharedBrowser } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();
const coffee = "7700000000";

const counter = shared(async () => {
  const { accountId, api } = await service.business();
  await furnishShop(service, accountId, ["Café molido 250 g", "Pan tajado"]);
  for (const name of ["Ana Restrepo", "Ana María Gómez", "Luis Pardo"]) await api.post("/customers", { name });
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

const field = (name: string) => page.getByLabel(name, { exact: true });
const panel = (name: string) => page.getByRole("dialog", { name });
const gone = (one: Locator) => one.waitFor({ state: "detached" });
const total = (pesos: string) => page.getByRole("button", { name: `Cobrar $${pesos}`, exact: true }).waitFor();
const soldHere = () => page.getByRole("heading", { name: /registrada/ }).count();

/** One coffee on the ticket, and nothing open. */
beforeEach(async () => {
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Vender", exact: true }).click();
  await page.keyboard.press("F2");
  await page.getByLabel("Buscar o escanear").fill("");
  if (!(await page.getByText("Escanee o toque").isVisible())) {
    await throwAway(page);
    await page.getByText("Escanee o toque").waitFor();
  }
  await scan(page, coffee);
  await total("1.000");
});

describe("Enter where products are", () => {
  test("in an empty search does nothing, again and again", async () => {
    for (let i = 0; i < 5; i++) await page.getByLabel("Buscar o escanear").press("Enter");
    await total("1.000");
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  test("in a search with one match adds it, with several or none adds nothing", async () => {
    const search = page.getByLabel("Buscar o escanear");
    await search.fill("pan");
    await search.press("Enter");
    await total("3.000");
    await search.fill("a");
    await search.press("Enter");
    await search.fill("nada de esto");
    await search.press("Enter");
    await page.getByText("Nada se llama así").waitFor();
    await total("3.000");
  });

  test("5*code adds five; 5* alone makes the marked line five", async () => {
    const search = page.getByLabel("Buscar o escanear");
    await search.fill("5*7700000001");
    await search.press("Enter");
    await total("11.000");
    await search.fill("2*");
    await search.press("Enter");
    await total("5.000");
  });

  test("in the price check shows the price and sells nothing", async () => {
    await page.keyboard.press("F3");
    await field("Producto").fill("pan");
    await field("Producto").press("Enter");
    await panel("Consultar precio").getByText("$2.000").waitFor();
    await field("Producto").press("Enter");
    await page.keyboard.press("Escape");
    await total("1.000");
  });
});

describe("Enter on the ticket", () => {
  test("in each field of a line saves the line", async () => {
    for (const [name, text, sum] of [
      ["Cantidad", "3", "3.000"],
      ["Descuento en %", "50", "1.500"],
    ] as const) {
      await page.keyboard.press("F5");
      await field(name).fill(text);
      await field(name).press("Enter");
      await gone(page.getByRole("dialog"));
      await total(sum);
    }
  });

  test("a quantity goes up and down by a touch, and a wrong one says what to type", async () => {
    await page.keyboard.press("F5");
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByRole("button", { name: "Uno menos" }).isDisabled()).toBe(true);
    for (const step of ["Uno más", "Uno más", "Uno menos"]) await dialog.getByRole("button", { name: step }).click();
    expect(await field("Cantidad").inputValue()).toBe("2");
    await field("Cantidad").fill("dos");
    await dialog.getByText("Escriba un número sin decimales, por ejemplo 3.").waitFor();
    await field("Cantidad").fill("2");
    await field("Cantidad").press("Enter");
    await total("2.000");
  });

  test("in a quantity of more than a thousand asks first", async () => {
    await page.keyboard.press("F5");
    await field("Cantidad").fill("1001");
    await field("Cantidad").press("Enter");
    await page.getByRole("button", { name: "Sí, son 1.001" }).waitFor();
    await total("1.000");
    await page.keyboard.press("Escape");
    await total("1.000");
  });

  test("in each field of the ticket's own panel saves it; in the notes it is a new line", async () => {
    for (const name of ["Descuento", "Propina voluntaria", "Mesa o nombre"]) {
      await page.keyboard.press("F6");
      await page.getByRole("textbox", { name, exact: true }).press("Enter");
      await gone(page.getByRole("dialog"));
    }
    await page.keyboard.press("F6");
    await page.getByRole("textbox", { name: "Notas" }).press("Enter");
    await panel("Descuento y notas").waitFor();
    await page.keyboard.press("Escape");
    await total("1.000");
  });

  test("in an incomplete free line adds nothing, in a complete one adds it, and a price of nothing asks", async () => {
    await page.getByRole("button", { name: "Línea libre" }).click();
    await field("Qué se vende").fill("Arreglo");
    await field("Qué se vende").press("Enter");
    await panel("Línea libre").waitFor();
    await field("Precio").fill("0");
    await field("Precio").press("Enter");
    await page.getByRole("button", { name: "Sí, no vale nada" }).waitFor();
    await total("1.000");
    await field("Precio").fill("8000");
    await field("Precio").press("Enter");
    await total("9.000");
  });

  test("in the days of a quote makes the quote", async () => {
    await page.keyboard.press("F8");
    await field("Vale por cuántos días").press("Enter");
    await page.getByText("no es una factura", { exact: false }).waitFor();
    await page.getByRole("button", { name: "Listo" }).click();
  });
});

describe("Enter while charging", () => {
  beforeEach(async () => {
    await page.keyboard.press("F9");
    await field("Recibido").waitFor();
  });
  const unpaid = async () => {
    expect(await soldHere()).toBe(0);
    await panel("Cobrar").waitFor();
  };

  test("in the search of a buyer takes the only one, and pays nothing", async () => {
    await panel("Cobrar").getByRole("button", { name: "Consumidor final" }).click();
    for (const text of ["", "nadie", "ana"]) {
      await field("Cliente").fill(text);
      await field("Cliente").press("Enter");
      await unpaid();
    }
    await field("Cliente").fill("pardo");
    await field("Cliente").press("Enter");
    await panel("Cobrar").getByRole("button", { name: "Luis Pardo" }).waitFor();
    await unpaid();
  });

  test("in each field of a new customer saves it once it is complete, and pays nothing", async () => {
    await panel("Cobrar").getByRole("button", { name: "Consumidor final" }).click();
    await page.getByRole("button", { name: "Cliente nuevo" }).click();
    for (const name of ["Nombre o razón social", "Número", "Correo (opcional)"]) {
      await field(name).press("Enter");
      await unpaid();
    }
    await field("Nombre o razón social").fill("Marta Ríos");
    await field("Número").fill("52123456");
    await field("Número").press("Enter");
    await panel("Cobrar").getByRole("button", { name: "Marta Ríos" }).waitFor();
    await unpaid();
  });

  test("a known document is offered instead of made again", async () => {
    await panel("Cobrar").getByRole("button", { name: "Consumidor final" }).click();
    await field("Cliente").fill("52.123.456");
    await page.getByRole("button", { name: "Cliente nuevo" }).click();
    await page.getByText("Ese documento ya es de Marta Ríos").waitFor();
    expect(await page.getByRole("button", { name: "Guardar cliente" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Usarlo" }).click();
    await panel("Cobrar").getByRole("button", { name: "Marta Ríos" }).waitFor();
  });

  test("in the split adds that part, and pays nothing", async () => {
    await page.getByRole("button", { name: "Dividir el pago" }).click();
    await field("Valor").press("Enter");
    await unpaid();
    await field("Valor").fill("400");
    await field("Valor").press("Enter");
    await page.getByRole("button", { name: "Quitar Tarjeta" }).waitFor();
    await unpaid();
    await page.getByText("Efectivo · $600").waitFor();
  });

  test("once more, right after it charged, leaves what was sold in sight; a moment later it begins the next sale", async () => {
    // What a second Enter meets the moment the panel shows: whether it would press the button.
    const second = page.evaluate<boolean>(`new Promise((resolve) => {
      const look = () => {
        const next = [...document.querySelectorAll("button")].find((one) => one.textContent === "Nueva venta");
        if (!next) return requestAnimationFrame(look);
        resolve(!next.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true })));
      };
      look();
    })`);
    await field("Recibido").fill("1000");
    await field("Recibido").press("Enter");
    expect(await second).toBe(true);
    await page.waitForTimeout(500);
    await page.keyboard.press("Enter");
    await page.getByText("Escanee o toque").waitFor();
  });

  test("with less than is due says what is missing", async () => {
    await field("Recibido").fill("900");
    await page.getByText("Faltan $100.").waitFor();
    await field("Recibido").press("Enter");
    await unpaid();
  });

  test.each([
    ["mil", "Escriba un número sin decimales"],
    ["1.5", "Escriba un número sin decimales"],
    ["7700000000123", "Es demasiado grande, y parece un código. Escriba un número de 0 a 999.999.999."],
    ["-1000", "Escriba un número sin decimales"],
    ["1e3", "Escriba un número sin decimales"],
  ])("with %s, which is no sum, waits", async (text, word) => {
    await field("Recibido").fill(text);
    await page.getByText(word).waitFor();
    expect(await page.getByRole("button", { name: "Cobrar en efectivo" }).isDisabled()).toBe(true);
    await field("Recibido").press("Enter");
    await unpaid();
  });

  test("with more than ten times the total asks, and then pays", async () => {
    const before = (await storedSales(service, counter.accountId)).length;
    await field("Recibido").fill("100000");
    await field("Recibido").press("Enter");
    await page.getByRole("button", { name: "Sí, recibí $100.000" }).waitFor();
    await unpaid();
    await field("Recibido").press("Enter");
    await page.getByRole("heading", { name: /registrada/ }).waitFor();
    await page.getByText("$99.000").first().waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("Escanee o toque").waitFor();
    await expect.poll(async () => (await storedSales(service, counter.accountId)).length).toBe(before + 1);
  });

  test("in the amount received pays, once", async () => {
    const before = (await storedSales(service, counter.accountId)).length;
    await field("Recibido").fill("2000");
    await field("Recibido").press("Enter");
    await page.getByRole("heading", { name: /registrada/ }).waitFor();
    await page.getByText("$1.000").first().waitFor();
    await page.getByRole("button", { name: "Nueva venta" }).click();
    await counter.caja.uploaded();
    await expect.poll(async () => (await storedSales(service, counter.accountId)).length).toBe(before + 1);
  });

  test("another ticket that is taken up meanwhile keeps what is its own, and nothing stays covered", async () => {
    await page.keyboard.press("Escape");
    await page.keyboard.press("F7");
    await scan(page, coffee, coffee);
    await total("2.000");
    await page.keyboard.press("F5");
    await field("Cantidad").waitFor();
    await page.getByLabel("Tiquetes abiertos").getByRole("button").first().click();
    await gone(page.getByRole("dialog"));
    await page.getByRole("button", { name: "Pan tajado" }).first().click();
    await total("3.000");
    await page.keyboard.press("F6");
    await page.getByRole("textbox", { name: "Notas" }).fill("para llevar");
    await page.getByLabel("Tiquetes abiertos").getByRole("button").nth(1).click();
    expect(await page.getByRole("textbox", { name: "Notas" }).inputValue()).toBe("");
    await page.getByRole("button", { name: "Botar el tiquete" }).click();
    await page.getByText("Escanee o toque").waitFor();
    await page.getByRole("button", { name: "En espera" }).click();
    await page.getByRole("button", { name: /^De las? \d.* · \$3\.000/ }).click();
    await total("3.000");
  });

  test("a key that is held down acts once", async () => {
    for (let i = 0; i < 10; i++) await page.keyboard.down("F9");
    await page.keyboard.up("F9");
    await unpaid();
  });
});

describe("Enter in the drawer", () => {
  test("in a reason registers the cash, but more than there is asks first", async () => {
    await page.getByRole("button", { name: "Turno", exact: true }).click();
    await page.getByRole("button", { name: "Entrada o salida de efectivo" }).click();
    await field("Valor").fill("90000000");
    await field("Valor").press("Enter");
    await field("Motivo").fill("Proveedor");
    await field("Motivo").press("Enter");
    await page.getByText("Es más de lo que debería haber en el cajón").waitFor();
    await field("Valor").fill("1000");
    await field("Motivo").press("Enter");
    await gone(page.getByRole("dialog"));
  });

  test("in a count goes on to the next note, and never closes the shift", async () => {
    await page.keyboard.press("F2");
    await page.getByRole("button", { name: "Vender", exact: true }).click();
    await throwAway(page);
    await page.getByRole("button", { name: "Turno", exact: true }).click();
    await page.getByRole("button", { name: "Cerrar turno" }).click();
    const dialog = page.getByRole("dialog", { name: "Cerrar turno" });
    await dialog.getByLabel("$100.000").fill("2");
    await dialog.getByLabel("$100.000").press("Enter");
    expect(await page.evaluate("document.activeElement.closest('label').textContent")).toBe("$50.000");
    await dialog.getByLabel("$50", { exact: true }).press("Enter");
    await dialog.waitFor();
    await page.keyboard.press("Escape");
  });
});

describe("Enter in the other sections", () => {
  const go = (place: string) => page.getByRole("button", { name: place, exact: true }).click();
  const sales = () => storedSales(service, counter.accountId);

  test("in the search of sales finds, and opens nothing", async () => {
    await go("Ventas");
    const search = page.getByRole("searchbox");
    await search.first().fill("café");
    await search.first().press("Enter");
    await search.first().fill("nada de esto");
    await search.first().press("Enter");
    expect(await page.getByRole("dialog").count()).toBe(0);
    await search.first().fill("");
  });

  test("in a return goes on only when it is complete, and gives the money back once", async () => {
    await page.keyboard.press("F9");
    await field("Recibido").press("Enter");
    await page.getByRole("heading", { name: /registrada/ }).waitFor();
    await page.getByRole("button", { name: "Nueva venta" }).click();
    await go("Ventas");
    await page
      .getByRole("button", { name: /Café molido/ })
      .first()
      .click();
    await page.getByRole("dialog").getByRole("button", { name: "Devolver" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Café molido 250 g").press("Enter");
    await dialog.getByText("Escriba cuántos se devuelven.").waitFor();
    await dialog.getByRole("button", { name: "Devolver todo" }).click();
    expect(await dialog.getByLabel("Café molido 250 g").inputValue()).toBe("1");
    await dialog.getByText("Escriba el motivo.").waitFor();
    await dialog.getByLabel("Café molido 250 g").press("Enter");
    expect(await dialog.getByRole("button", { name: "Devolver", exact: true }).isDisabled()).toBe(true);
    await dialog.getByLabel("Motivo").fill("Salió vencido");
    await dialog.getByLabel("Motivo").press("Enter");
    await dialog.getByText("DEVOLUCIÓN").waitFor();
    expect(await dialog.getByText("DEVOLUCIÓN").count()).toBe(1);
    await page.keyboard.press("Escape");
  });

  test("in the address of a mail sends it, but not what is no address", async () => {
    await go("Ventas");
    await page
      .getByRole("button", { name: /Café molido/ })
      .first()
      .click();
    await page.getByRole("dialog").getByRole("button", { name: "Por correo" }).click();
    await field("Correo del cliente").fill("ana arroba correo");
    await field("Correo del cliente").press("Enter");
    await page.getByText("Eso no es un correo").waitFor();
    await field("Correo del cliente").fill("ana@correo.co");
    await field("Correo del cliente").press("Enter");
    await page.getByText("ana@correo.co").waitFor();
    await page.keyboard.press("Escape");
  });

  test("in the stock's search opens nothing; in a count and a reception it registers what is complete", async () => {
    const before = (await sales()).length;
    await go("Existencias");
    const search = page.getByPlaceholder(/^Busque por nombre o código/);
    await search.fill("pan");
    await search.press("Enter");
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.getByRole("button", { name: /^Pan tajado/ }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Contar" }).click();
    await dialog.getByLabel(/^Cuánto hay/).press("Enter");
    await dialog.getByLabel(/^Cuánto hay/).fill("12");
    await dialog.getByLabel(/^Cuánto hay/).press("Enter");
    await dialog.getByText(/^Ajustado: sobraban 12/).waitFor();
    await dialog.getByRole("button", { name: "Recibir" }).click();
    await dialog.getByLabel(/^Factura del proveedor/).press("Enter");
    await dialog.getByLabel(/^Cuánto llegó/).fill("3");
    await dialog.getByLabel(/^Costo de cada uno/).press("Enter");
    await dialog.getByText("Entraron 3 und.").waitFor();
    await page.keyboard.press("Escape");
    expect((await sales()).length).toBe(before);
  });

  test("in the search of quotes opens nothing", async () => {
    await go("Cotizaciones");
    const search = page.getByPlaceholder(/^Número, cliente/);
    await search.fill("COT");
    await search.press("Enter");
    expect(await page.getByRole("dialog").count()).toBe(0);
  });
});

test("Enter in the link's code links only with a code that is one, and in the base opens the shift", async () => {
  const { accountId } = await service.business();
  const context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  const code = caja.page.getByLabel("Código del portal");
  await caja.page.goto(`${service.baseUrl}/caja/`);
  await code.press("Enter");
  await code.fill("AAAAA-AAAAA");
  await code.press("Enter");
  await caja.page.getByText("El código no sirve").waitFor();
  await caja.link();
  const base = caja.page.getByLabel("Base en pesos");
  await base.fill("mil");
  await base.press("Enter");
  await base.fill("20000");
  await base.press("Enter");
  await caja.page.getByLabel("Buscar o escanear").waitFor();
  await context.own.close();
});
