import { beforeAll, beforeEach, expect, test } from "vitest";
import { afterScan, furnishShop, newCaja, scan, tablet, throwAway } from "../support/caja.ts";
import { shared, sharedService } from "../support/fixtures.ts";
import { sharedBrowser } from "../support/visitor.ts";

const names = ["Café molido 250 g", "Pan tajado", "Leche 1 L"];
const service = sharedService();
const browser = sharedBrowser();
const counter = shared(async () => {
  const { accountId } = await service.business();
  await furnishShop(service, accountId, names);
  const context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  return { caja, page: caja.page, [Symbol.asyncDispose]: () => context.own.close() };
});
beforeAll(async () => {
  await counter.caja.start();
  await counter.caja.uploaded();
});

const button = (name: string | RegExp) => counter.page.getByRole("button", { name });
const question = () => counter.page.getByRole("dialog", { name: "¿Botar el tiquete?" });
const total = (pesos: string) => counter.page.getByRole("button", { name: `Cobrar $${pesos}`, exact: true }).waitFor();
const press = (key: string) => counter.page.keyboard.press(key);
const isEmpty = () => counter.page.getByText("Escanee o toque").waitFor();
const gone = () => question().waitFor({ state: "detached" });
async function ring(...some: string[]): Promise<void> {
  for (const name of some) await button(name).first().click();
}

beforeEach(async () => {
  await afterScan();
  for (let i = 0; i < 2; i++) await press("Escape");
  await press("F2");
  if (!(await counter.page.getByText("Escanee o toque").isVisible())) await throwAway(counter.page);
});

test("several lines ask first, by touch: two quick taps, Escape and a scan keep them", async () => {
  await ring(...names);
  await press("F6");
  // Whoever taps twice has not answered the question.
  await button("Botar el tiquete").dblclick();
  await question().getByText("3 líneas por $6.000", { exact: false }).waitFor();
  await total("6.000");
  await press("Escape");
  await gone();
  await total("6.000");
  await press("F6");
  await button("Botar el tiquete").click();
  await scan(counter.page, "7700000000");
  await gone();
  await total("7.000");
  await afterScan();
  await press("F6");
  await button("Botar el tiquete").click();
  await button("Sí, botar").click();
  await isEmpty();
});

test("several lines ask first, by key: Enter keeps them, Tab and Enter do not", async () => {
  await ring(...names);
  await press("Control+Delete");
  await question().waitFor();
  // Pressed again it is no answer either.
  await press("Control+Delete");
  await press("Enter");
  await gone();
  await total("6.000");
  await press("Control+Delete");
  await question().waitFor();
  await press("Tab");
  await press("Enter");
  await isEmpty();
});

test("one line goes without a question, unless the key is for what is being typed", async () => {
  await ring(names[0]!);
  await counter.page.getByLabel("Buscar o escanear").fill("pan");
  await press("Control+Delete");
  await total("1.000");
  await counter.page.getByLabel("Buscar o escanear").fill("");
  await press("F4");
  await press("Control+Delete");
  await total("1.000");
  await press("Escape");
  await press("Control+Delete");
  await isEmpty();
});

test("a stray Escape loses no ticket, whatever is open", async () => {
  await ring(...names);
  for (const key of ["", "F1", "F2", "F3", "F4", "F5", "F6", "F8", "F9", "Control+l", "Control+Delete"]) {
    if (key !== "") await press(key);
    for (let i = 0; i < 3; i++) await press("Escape");
    await total("6.000");
    expect(await counter.page.locator(".ticket .lines li").count(), key).toBe(3);
  }
});

test("what a terminal has taken money for asks too, of one line", async () => {
  await ring(names[2]!);
  await press("F9");
  await button("Dividir el pago").click();
  await counter.page.getByLabel("Valor", { exact: true }).fill("1000");
  await button("Agregar").click();
  await button("Quitar Tarjeta").first().waitFor();
  await press("Escape");
  await press("Control+Delete");
  await question().getByText("Ya se recibieron $1.000 por otro medio", { exact: false }).waitFor();
  await button("No, seguir con el tiquete").click();
  await total("2.000");
});
