import { beforeAll, expect, test } from "vitest";
import { faults } from "../support/axe.ts";
import { shared, sharedService } from "../support/fixtures.ts";
import { newProduct } from "../support/product.ts";
import type { Business } from "../support/service.ts";
import { openAccount, sharedBrowser, visit } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();
const owner = shared(() => visit(browser, service));
let shop: Business;
beforeAll(async () => {
  const account = await openAccount(service);
  shop = { accountId: account.accountId, ...(await service.key(account.accountId)) };
  await owner.signIn(account.email);
});

test("a number that cannot be meant stays as it was typed, is told, and is not sent", async () => {
  await owner.goto("/productos/nuevo");
  await owner.field(/^Nombre/).fill("Café");
  const price = owner.field(/^Precio de lista/);
  const discount = owner.field(/^Descuento/);
  const create = owner.button("Crear producto");
  for (const [typed, problem] of [
    ["-5", "Escriba 0 o más."],
    ["12,5", "Escriba un número sin decimales."],
    ["12.50", "Escriba un número sin decimales."],
    ["mil", "No es un número. Escriba por ejemplo 20.000."],
    ["1000000000000", "Escriba 999.999.999.999 o menos."],
  ] as const) {
    await price.fill(typed);
    await price.blur();
    await owner.sees(problem);
    expect(await price.inputValue()).toBe(typed);
    expect(await create.isDisabled()).toBe(true);
  }
  await price.fill("18.500");
  await discount.fill("150");
  await discount.blur();
  await owner.sees("Escriba 100 o menos.");
  expect([await discount.inputValue(), await create.isDisabled()]).toEqual(["150", true]);
  expect(await faults(owner.page, "light")).toEqual([]);
  await discount.fill("12,5");
  await discount.blur();
  expect([await price.inputValue(), await discount.inputValue()]).toEqual(["$ 18.500", "12,5"]);
  await create.click();
  await owner.page.getByRole("heading", { name: "Café", level: 1 }).waitFor();
  const { data } = (await shop.api.get("/products?q=cafe")).body;
  expect(data).toMatchObject([{ base_price: 18_500, percent_discount: 12.5 }]);
});

test("a count that is no number is told and does not count", async () => {
  const rice = await newProduct(shop.api, { name: "Arroz", base_unit: "kg", base_price: 1 });
  await owner.goto(`/productos/${rice.id}`);
  await owner.button("Ajustar existencias").click();
  await owner.field(/^Cantidad, en kg/).fill("-5");
  await owner.sees("Escriba 0 o más.");
  expect(await owner.button("Registrar").isDisabled()).toBe(true);
  await owner.field(/^Cantidad, en kg/).fill("1,2345");
  await owner.sees("Escriba hasta 3 decimales.");
});

test("an owner says what the columns of another program's file are", async () => {
  await owner.goto("/productos/importar");
  const text = "COD_ART;DESC_ART;PVP\nX-1;Avena;3900";
  await owner.page
    .locator("input[type=file]")
    .setInputFiles({ name: "lista.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
  await owner.sees(/Diga qué es cada columna/);
  const read = owner.button("Leer con estas columnas");
  expect(await read.isDisabled()).toBe(true);
  expect(await faults(owner.page, "light")).toEqual([]);
  const choose = async (column: string, field: string) => {
    await owner.page.getByRole("combobox", { name: `Qué es ${column}` }).click();
    await owner.page.getByRole("option", { name: field, exact: true }).click();
  };
  await choose("COD_ART", "SKU");
  await choose("DESC_ART", "SKU");
  await owner.sees(/«SKU» está dos veces/);
  await choose("DESC_ART", "Nombre");
  await read.click();
  await owner.page.getByRole("table", { name: "Qué va a cambiar" }).getByText("Avena").waitFor();
  await owner.button("Aplicar 1 cambio").click();
  await owner.sees(/1 producto creado/);
  expect((await shop.api.get("/products?sku=X-1")).body.data).toMatchObject([{ name: "Avena", base_price: 3_900 }]);
});

test("a new customer with the document of another is offered that one", async () => {
  const { body: known } = await shop.api.post("/customers", { name: "Panadería", document_number: "900373923-8" });
  await owner.goto("/clientes/nuevo");
  await owner.field(/^Nombre/).fill("La misma");
  await owner.field(/^Número de documento/).fill("900.373.923");
  await owner.sees("Ese documento ya es de Panadería");
  await owner.button("Usar ese cliente").click();
  await owner.page.waitForURL(`**/clientes/${known.id}`);
  await owner.page.getByRole("heading", { name: "Panadería", level: 1 }).waitFor();
  expect((await shop.api.get("/customers")).body.data).toHaveLength(1);
  // However it was written, and before the offer could be seen.
  const { body: dotted } = await shop.api.post("/customers", { name: "Rosa", document_number: "43.123.456" });
  for (const typed of ["43123456", "43 123 456", "43.123.456"]) {
    await owner.goto("/clientes/nuevo");
    await owner.field(/^Nombre/).fill("Otra Rosa");
    await owner.field(/^Número de documento/).fill(typed);
    await owner.page.keyboard.press("Enter");
    await owner.sees("Ese documento ya es de Rosa");
    await expect.poll(() => owner.button("Crear cliente").isDisabled()).toBe(true);
  }
  await owner.button("Usar ese cliente").click();
  await owner.page.waitForURL(`**/clientes/${dotted.id}`);
  expect((await shop.api.get("/customers")).body.data).toHaveLength(2);
  expect(owner.complaints).toEqual([]);
});
