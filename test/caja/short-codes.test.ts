import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { setCounterSettings } from "../../src/business/counter/business-info.ts";
import { afterScan, newCaja, reloadForScans, scanAs, storedSales, tablet, throwAway } from "../support/caja.ts";
import { shared, sharedService, sharedShop } from "../support/fixtures.ts";
import { newProduct } from "../support/product.ts";
import { sharedBrowser } from "../support/visitor.ts";

const service = sharedService();
const shop = sharedShop(service);
const browser = sharedBrowser();
const settings = {
  ...{ ticket_header: null, ticket_footer: null, color: null, cash_rounding: 0, tip_percent: 10, blind_count: false },
  scale_labels: [],
};

const counter = shared(async () => {
  for (const [name, sku] of [
    ["Café", "7700000001"],
    ["Arepa", "20000"],
    ["Pan", "5350"],
    ["Bolsa", "123"],
  ])
    await newProduct(shop.api, { name, sku, base_price: 1000, tax_class: "excluded" });
  await setCounterSettings(service.deps, shop.accountId, settings);
  const context = await tablet(browser);
  const caja = await newCaja(context.own, service, shop.accountId);
  return { caja, page: caja.page, [Symbol.asyncDispose]: () => context.own.close() };
});
beforeAll(async () => {
  await counter.caja.start();
  await counter.caja.uploaded();
});

const box = () => counter.page.getByLabel("Buscar o escanear");
const received = () => counter.page.getByLabel("Recibido");
const question = () => counter.page.getByRole("dialog", { name: "¿Es un código o plata?" });
const total = (pesos: string) =>
  counter.page.getByRole("button", { name: `Cobrar $${pesos}`, exact: true }).waitFor({ timeout: 15_000 });
const sold = async () => (await storedSales(service, shop.accountId)).length;

/** One coffee on the ticket, and nothing open. */
beforeEach(async () => {
  const { page } = counter;
  await reloadForScans(page);
  if (!(await page.getByText("Escanee o toque").isVisible())) await throwAway(page);
  await page.getByRole("button", { name: "Café" }).first().click();
  await total("1.000");
});

describe.each([
  { gapMs: 80, ending: "Enter" },
  { gapMs: 120, ending: "Enter" },
  { gapMs: 120, ending: "Tab" },
  { gapMs: 120, ending: "nothing" },
] as const)("a short code that comes into Recibido with a key every $gapMs ms and $ending", (kind) => {
  test("is asked about, pays nothing, and is a product when that is the answer", async () => {
    const { page } = counter;
    const before = await sold();
    await page.keyboard.press("F9");
    await received().waitFor();
    await scanAs(page, "5350", kind);
    await question().getByText("5350").first().waitFor({ timeout: 15_000 });
    expect(await page.getByRole("heading", { name: /registrada/ }).count()).toBe(0);
    await afterScan();
    // The Enter that was on its way answers nothing.
    await page.waitForTimeout(700);
    await page.keyboard.press("Enter");
    await total("2.000");
    await received().waitFor({ state: "detached" });
    await counter.caja.uploaded();
    expect(await sold()).toBe(before);
  });
});

test("a sum that is a code too is money when that is the answer, and is not asked about at a hand's pace", async () => {
  const { page } = counter;
  await page.keyboard.press("F9");
  await received().waitFor();
  await scanAs(page, "20000", { gapMs: 100, ending: "Enter" });
  await question().getByRole("button", { name: "Es plata" }).click();
  await page.getByText("$19.000").waitFor();
  expect(await received().inputValue()).toBe("20000");
  await expect.poll(() => received().evaluate((field) => field.matches(":focus"))).toBe(true);
  // Escape answers nothing, and leaves the field as it was before.
  await received().fill("");
  await scanAs(page, "20000", { gapMs: 100, ending: "Enter" });
  await question().waitFor();
  await afterScan();
  await page.keyboard.press("Escape");
  await question().waitFor({ state: "detached" });
  expect(await received().inputValue()).toBe("");
  await scanAs(page, "20000", { gapMs: 160, ending: "Enter" });
  // It is money, of which the only question is whether it is not too much.
  await page.getByRole("button", { name: "Sí, recibí $20.000" }).click();
  await page.getByRole("heading", { name: /registrada/ }).waitFor();
  expect(await question().count()).toBe(0);
});

describe.each([
  { field: "Cantidad", code: "123", kind: "una cantidad", gapMs: 40, before: "1" },
  { field: "Cantidad", code: "123", kind: "una cantidad", gapMs: 75, before: "1" },
  { field: "Cantidad", code: "123", kind: "una cantidad", gapMs: [30, 80], before: "1" },
  { field: "Precio de cada uno", code: "5350", kind: "un precio", gapMs: 75, before: "1000" },
  { field: "Precio de cada uno", code: "5350", kind: "un precio", gapMs: 110, before: "1000" },
] as const)("$code with a key every $gapMs ms in $field", ({ field, code, kind, gapMs, before }) => {
  test("is asked about, and is a product when that is the answer, or the number that was typed", async () => {
    const { page } = counter;
    const asked = page.getByRole("dialog", { name: `¿Es un código o ${kind}?` });
    await page.keyboard.press("F5");
    await page.getByLabel(field, { exact: true }).focus();
    await scanAs(page, code, { gapMs, ending: "Enter" });
    await asked.waitFor({ timeout: 15_000 });
    expect((await page.getByLabel(field, { exact: true }).inputValue()).replace(".", "")).toBe(before);
    await afterScan();
    await asked.getByRole("button", { name: `Es ${kind}` }).click();
    expect(await page.getByLabel(field, { exact: true }).inputValue()).toBe(code);
    await page.getByLabel(field, { exact: true }).fill(before);
    await page.getByLabel(field, { exact: true }).focus();
    await scanAs(page, code, { gapMs, ending: "Enter" });
    await asked.waitFor();
    await afterScan();
    await asked.getByRole("button", { name: "Es un código" }).click();
    await total("2.000");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });
});

test("how many of something is not asked about at a hand's pace, nor what is no code", async () => {
  const { page } = counter;
  for (const [typed, gapMs, sum] of [
    ["123", 120, "123.000"],
    ["124", 60, "124.000"],
  ] as const) {
    await page.keyboard.press("F5");
    await page.getByLabel("Cantidad").focus();
    await scanAs(page, typed, { gapMs, ending: "Enter" });
    await total(sum);
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await afterScan();
  }
});

test("the price of a free line and what leaves the drawer are asked about too", async () => {
  const { page } = counter;
  await page.keyboard.press("Control+l");
  await page.getByLabel("Qué se vende").fill("Flete");
  await page.getByLabel("Precio", { exact: true }).focus();
  await scanAs(page, "5350", { gapMs: 90, ending: "Enter" });
  await page
    .getByRole("dialog", { name: "¿Es un código o un precio?" })
    .getByRole("button", { name: "$5.350" })
    .click();
  await afterScan();
  await page.keyboard.press("Enter");
  await total("6.350");
  await page.getByRole("button", { name: "Turno", exact: true }).click();
  await page.getByRole("button", { name: "Entrada o salida de efectivo" }).click();
  await page.getByLabel("Motivo").fill("Gaseosas");
  await page.getByLabel("Valor").focus();
  await scanAs(page, "5350", { gapMs: 90, ending: "Enter" });
  await question().getByRole("button", { name: "Es un código" }).click();
  await page.getByText("Se leyó 5350, y no se usó.").waitFor();
  expect(await page.getByLabel("Valor").inputValue()).toBe("");
  await afterScan();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Vender", exact: true }).click();
});

test("a number that is a code too is asked about as days where a quote asks for how many", async () => {
  const { page } = counter;
  const days = page.getByLabel("Vale por cuántos días");
  const asked = page.getByRole("dialog", { name: "¿Es un código o una cantidad de días?" });
  await page.keyboard.press("F8");
  await days.focus();
  await scanAs(page, "123", { gapMs: 90, ending: "Enter" });
  await asked.getByRole("button", { name: "Es una cantidad de días: 123 días" }).click();
  expect(await days.inputValue()).toBe("123");
  for (const wrong of ["0", "99999"]) {
    await days.fill(wrong);
    await page.getByText("Escriba un número de 1 a 365.").waitFor();
    expect(await page.getByRole("button", { name: "Guardar cotización" }).isDisabled()).toBe(true);
  }
  await days.fill("15");
  await scanAs(page, "5350", { gapMs: 90, ending: "Enter" });
  await asked.getByRole("button", { name: "Es un código" }).click();
  await total("2.000");
  await days.waitFor({ state: "detached" });
});

describe.each([
  { gapMs: 2, ending: "Enter" },
  { gapMs: 20, ending: "Tab" },
] as const)("a code of three keys, one every $gapMs ms, with $ending", (kind) => {
  test("is a scan wherever the focus is, and never pays", async () => {
    const { page } = counter;
    const before = await sold();
    await page.keyboard.press("F9");
    await received().waitFor();
    await scanAs(page, "123", kind);
    await total("2.000");
    await received().waitFor({ state: "detached" });
    await afterScan();
    await page.keyboard.press("F5");
    await page.getByLabel("Cantidad").fill("4");
    await scanAs(page, "123", kind);
    await total("6.000");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await afterScan();
    await page.keyboard.press("F4");
    await page.getByLabel("Cliente", { exact: true }).waitFor();
    await scanAs(page, "123", kind);
    await total("7.000");
    await scanAs(page, "123", kind);
    await total("8.000");
    expect(await box().inputValue()).toBe("");
    await afterScan();
    await page.keyboard.press("F7");
    await page.getByText("Escanee o toque").waitFor();
    await page.keyboard.press("F7");
    await page.getByRole("dialog", { name: "En espera" }).waitFor();
    await scanAs(page, "123", kind);
    await total("1.000");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await sold()).toBe(before);
    await page.keyboard.press("F9");
    await page.getByRole("button", { name: "Exacto" }).click();
    await page.getByRole("heading", { name: /registrada/ }).waitFor();
    await scanAs(page, "123", kind);
    await total("1.000");
    await page.getByRole("heading", { name: /registrada/ }).waitFor({ state: "detached" });
  });
});

test("after an answer about tip or document the next digits are for Recibido", async () => {
  const { page } = counter;
  await page.keyboard.press("F9");
  const isFocused = () => received().evaluate((field) => field.matches(":focus"));
  for (const name of ["Sin propina", /^10 %/, "Tiquete POS"]) {
    await page.getByRole("dialog").getByRole("button", { name, exact: true }).click();
    await expect.poll(isFocused, { message: `${name}` }).toBe(true);
  }
  await page.keyboard.type("5000", { delay: 160 });
  expect(await received().inputValue()).toBe("5000");
  // An invoice needs a buyer first.
  await page.getByRole("dialog").getByRole("button", { name: "Factura", exact: true }).click();
  await expect
    .poll(() => page.getByLabel("Cliente", { exact: true }).evaluate((field) => field.matches(":focus")))
    .toBe(true);
  await page.getByRole("dialog").getByRole("button", { name: "Tiquete POS", exact: true }).click();
  await page.getByRole("button", { name: "Otro valor" }).click();
  await page.getByLabel("Propina", { exact: true }).fill("200");
  await page.keyboard.press("Enter");
  await expect.poll(isFocused).toBe(true);
  await page.getByText("$1.200").first().waitFor();
});
