import { beforeAll, expect, test } from "vitest";
import { warehouses } from "../../../src/business/inventory/resource.ts";
import { sql } from "../../../src/db/sql.ts";
import { faults, settled } from "../../support/axe.ts";
import { shared, sharedService } from "../../support/fixtures.ts";
import { newProduct } from "../../support/product.ts";
import { store, warehouseBody } from "../../support/records.ts";
import { enrol } from "../../support/register.ts";
import type { Business } from "../../support/service.ts";
import { openAccount, sharedBrowser, visit } from "../../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();
const owner = shared(() => visit(browser, service));
let shop: Business;
let email: string;
let soap: { id: string };

beforeAll(async () => {
  const account = await openAccount(service);
  email = account.email;
  shop = { accountId: account.accountId, ...(await service.key(account.accountId)) };
  await store(service.deps, shop.accountId, warehouses, (at) => [
    { body: warehouseBody(at, { name: "Local" }) },
    { body: warehouseBody(at, { name: "Bodega", is_default: false }) },
  ]);
  const category = (await shop.api.post("/categories", { name: "Aseo" })).body;
  soap = await newProduct(shop.api, {
    name: "Jabón azul",
    sku: "JAB-1",
    base_price: 4_500,
    initial_stock: 3,
    unit_cost: 2_000,
    category_id: category.id,
  });
  await newProduct(shop.api, { name: "Arroz", sku: "ARR-1", base_unit: "kg", initial_stock: 40, unit_cost: 3_100 });
  await newProduct(shop.api, {
    name: "Camisa",
    variants: [
      { label: "M", sku: "CAM-M" },
      { label: "L", sku: "CAM-L" },
    ],
  });
  await owner.signIn(email);
});

const widths = [375, 768, 1024, 1440];
/** Axe takes a second for each; `LONG=1` runs it at every width, light and dark. */
const examined = process.env.LONG
  ? widths.flatMap((width) => [`${width} light`, `${width} dark`])
  : ["375 light", "1440 dark"];

/** No serious accessibility fault, and nothing wider than a phone, a tablet or a desk. */
async function expectSound(): Promise<void> {
  const { page } = owner;
  await settled(page);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    for (const scheme of ["light", "dark"] as const)
      if (examined.includes(`${width} ${scheme}`)) expect(await faults(page, scheme)).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1280, height: 900 });
}

test("an owner finds, makes and edits a product", async () => {
  await owner.goto("/productos");
  await owner.sees("Jabón azul");
  await owner.sees("Por agotarse");
  await expectSound();
  await owner.field("Buscar").fill("jabon");
  await owner.page.keyboard.press("Enter");
  await owner.page.getByText("Arroz").waitFor({ state: "detached" });
  expect(new URL(owner.page.url()).searchParams.get("q")).toBe("jabon");
  await owner.field("Buscar").fill("no hay");
  await owner.page.keyboard.press("Enter");
  await owner.sees("Ningún producto coincide");

  await owner.goto("/productos/nuevo");
  await expectSound();
  await owner.field(/^Nombre/).fill("Café molido");
  await owner.field(/^SKU/).fill("JAB-1");
  await owner.field(/^Precio de lista/).fill("18500");
  await owner.field(/^Descuento/).fill("10");
  await owner.sees("La caja vende a $ 16.650.");
  await owner.button("Crear producto").click();
  await owner.sees(/El SKU "JAB-1" ya lo usa otro producto/);
  await owner.field(/^SKU/).fill("CAF-1");
  await owner.button("Crear producto").click();
  await owner.page.getByRole("heading", { name: "Café molido", level: 1 }).waitFor();
  await owner.sees(/lista .*18\.500, descuento 10/);
  await owner.link("Editar").click();
  await owner.field(/^Precio de lista/).fill("19000");
  await owner.button("Guardar").click();
  await owner.sees("$ 17.100");
  await owner.page.getByRole("table", { name: "Historial de precios" }).getByText("$ 16.650").waitFor();
  await expectSound();
  expect(owner.complaints).toEqual([]);
});

test("a product that is weighed is made by clicks, with its first kilos", async () => {
  await owner.goto("/productos/nuevo");
  await owner.field(/^Nombre/).fill("Queso campesino");
  await owner.field(/^Precio de lista/).fill("28000");
  const byWeight = owner.page.getByRole("checkbox", { name: "Se vende por peso" });
  expect(await byWeight.count()).toBe(0);
  await owner.page.getByRole("combobox", { name: "Unidad" }).click();
  await owner.page.getByRole("option", { name: "kilogramo (kg)" }).click();
  expect(await byWeight.isChecked()).toBe(true);
  await owner.field(/^Existencias iniciales/).fill("12,5");
  await owner.button("Crear producto").click();
  await owner.page.getByRole("heading", { name: "Queso campesino", level: 1 }).waitFor();
  await owner.sees("12,5 kg");
  await owner.sees(/kilogramo, se vende por peso/);
  const pieces = { name: "Pan", base_price: 500, initial_stock: 2.5 };
  const refused = await owner.page.evaluate(`fetch("/portal/api/products", { method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": crypto.randomUUID() },
    body: ${JSON.stringify(JSON.stringify(pieces))} }).then((answer) => answer.json())`);
  expect(refused).toMatchObject({ error: { param: "initial_stock" } });
  expect(owner.complaints).toEqual([]);
});

test("a plastic bag's price says what the tax adds, while it is typed and on its page", async () => {
  const { per_bag } = await owner.page.evaluate<{ per_bag: number }>(
    "fetch('/portal/api/bag-tax').then((answer) => answer.json())",
  );
  expect(per_bag).toBeGreaterThan(0);
  const words = `más $ ${per_bag} de impuesto a las bolsas`;
  const bag = await newProduct(shop.api, { name: "Bolsa mediana", base_price: 80, tax_class: "bag" });
  await owner.goto(`/productos/${bag.id}`);
  await owner.sees(words);
  await owner.goto(`/productos/${bag.id}/editar`);
  await owner.sees(words);
  await owner.goto(`/productos/${soap.id}`);
  await owner.page.getByText("Valor al costo").waitFor();
  expect(await owner.page.getByText("impuesto a las bolsas").count()).toBe(0);
});

test("variants are shown, and a register that is out of date is explained", async () => {
  const { body } = await shop.api.get("/products?sku=CAM-M");
  await owner.goto(`/productos/${body.data[0].id}`);
  await owner.sees("Los productos con variantes no llevan existencias.");
  await owner.page.getByRole("table", { name: "Variantes" }).getByText("CAM-L").waitFor();
  const till = await enrol(service, shop.accountId, { name: "Caja vieja", capabilities: [] });
  await owner.goto(`/productos/${soap.id}/editar`);
  await owner.field(/^Precio de lista/).fill("4600");
  await owner.button("Guardar").click();
  await owner.sees("Primero actualice las cajas");
  await owner.sees(/«Caja vieja» tiene una versión que no sabe recibir cambios/);
  await expectSound();
  await service.deps.pool.query(sql`update devices set revoked_at = now() where id = ${till.deviceId}`);
  await owner.button("Guardar").click();
  await owner.page.getByRole("heading", { name: "Jabón azul", level: 1 }).waitFor();
});

test("an import shows its errors by row, then what will change, and applies it", async () => {
  await owner.goto("/productos/importar");
  await expectSound();
  const choose = (text: string) =>
    owner.page
      .locator("input[type=file]")
      .setInputFiles({ name: "lista.csv", mimeType: "text/csv", buffer: Buffer.from(text, "latin1") });
  await choose("SKU;Nombre;Precio\nJAB-1;;mil\nJAB-1;;5000");
  await owner.sees("Corrija 2 celdas y suba el archivo otra vez");
  await owner.sees(/«mil» no es un número/);
  await expectSound();
  await choose("SKU;Nombre;Precio;Categoría;Existencias\nJAB-1;Jabón verde;5.000;Aseo;9\nPAN-1;Pan;500;Panadería;10");
  await owner.sees("Se crea la categoría «Panadería».");
  await owner.page.getByRole("table", { name: "Qué va a cambiar" }).getByText("$ 5.000").waitFor();
  await expectSound();
  await owner.button("Aplicar 2 cambios").click();
  await owner.sees(/1 producto creado y 1 actualizado/);
  await expectSound();
  await owner.link("Ver los productos").click();
  await owner.sees("Jabón verde");
  expect(owner.complaints).toEqual([]);
});

test("the stock can be seen, adjusted with a reason and counted", async () => {
  await owner.goto("/inventario");
  await owner.sees("Valor al costo");
  await expectSound();
  await owner.link("Arroz").click();
  await owner.button("Ajustar existencias").click();
  await owner.page.getByText("Salida", { exact: true }).click();
  await owner.field(/^Cantidad, en kg/).fill("1,5");
  await owner.field("Motivo").fill("Bolsa rota");
  await owner.sees("De 40 pasa a 38,5 kg (-1,5).");
  expect(await faults(owner.page, "light")).toEqual([]);
  await owner.button("Registrar").click();
  await owner.sees("Existencias ajustadas.");
  await owner.link("Ver sus movimientos").click();
  await owner.sees("Bolsa rota");
  await expectSound();

  await owner.goto("/inventario/conteo");
  await owner.field("Contado de Arroz, en kg").fill("38");
  await owner.page.reload();
  await owner.button("Revisar 1 conteo").click();
  await owner.sees("1 producto contado, 1 con diferencia");
  expect(await faults(owner.page, "light")).toEqual([]);
  await owner.button("Registrar 1 ajuste").click();
  await owner.sees("1 ajuste registrado.");
  await expectSound();
  expect((await shop.api.get("/products?sku=ARR-1")).body.data[0].stock).toBe(38);
  expect(owner.complaints).toEqual([]);
});

test("with the keyboard alone the search over everything opens a product, and a page", async () => {
  await owner.goto("/inventario");
  await settled(owner.page);
  await owner.page.keyboard.press("Control+k");
  await owner.page.keyboard.type("jabon");
  await owner.page.getByRole("option", { name: /Jabón verde/ }).waitFor();
  expect(await faults(owner.page, "light")).toEqual([]);
  expect(await faults(owner.page, "dark")).toEqual([]);
  await owner.page.keyboard.press("Enter");
  await owner.page.getByRole("heading", { name: "Jabón verde", level: 1 }).waitFor();
  await owner.page.keyboard.press("Control+k");
  await owner.page.keyboard.type("cajas");
  expect(await owner.page.getByRole("combobox", { name: "Buscar en todo" }).inputValue()).toBe("cajas");
  await owner.page.keyboard.press("ArrowDown");
  await owner.page.keyboard.press("ArrowUp");
  await owner.page.getByRole("option", { name: "Cajas", selected: true }).waitFor();
  await owner.page.keyboard.press("Enter");
  await owner.page.getByRole("heading", { name: "Cajas", level: 1 }).waitFor();
  await owner.page.setViewportSize({ width: 375, height: 812 });
  await owner.button("Buscar en todo").click();
  await owner.page.keyboard.type("zzzz");
  await owner.sees(/No se encontró nada/);
  await expect.poll(() => owner.page.evaluate("document.documentElement.scrollWidth")).toBe(375);
  await owner.page.keyboard.press("Escape");
  await owner.page.setViewportSize({ width: 1280, height: 900 });
  expect(owner.complaints).toEqual([]);
});

test("the search over everything takes keys from the moment it opens", async () => {
  await owner.goto("/inventario");
  await settled(owner.page);
  // The timer is set before the key is pressed, so it fires before any that opening sets.
  const focused = await owner.page.evaluate(`new Promise((resolve) => {
    setTimeout(() => resolve(document.activeElement?.getAttribute("role")));
    document.documentElement.dispatchEvent(
      new KeyboardEvent("keydown", { key: "k", code: "KeyK", ctrlKey: true, bubbles: true }),
    );
  })`);
  expect(focused).toBe("combobox");
  await owner.page.keyboard.press("Escape");
});

test("a new business starts with its first steps, and a register that connects is seen at once", async () => {
  const account = await openAccount(service, { isNew: true });
  await owner.context.clearCookies();
  await owner.goto("/ingreso");
  await owner.field("Correo").fill(account.email);
  await owner.page.getByLabel("Contraseña", { exact: true }).fill("una clave larga");
  await owner.button("Entrar").click();
  await owner.page.getByRole("heading", { name: "Empezar", level: 1 }).waitFor();
  await owner.sees(/0 pasos listos de 6/);
  await expectSound();
  await owner.button("Vincular una caja").click();
  await owner.field(/Nombre de la caja/).fill("Caja 1");
  await owner.button("Continuar").click();
  await owner.confirm(account.email);
  await owner.page.getByRole("img", { name: "Código QR que abre y vincula la caja" }).waitFor();
  expect(await faults(owner.page, "light")).toEqual([]);
  const code = (await owner.page.getByTestId("secret").textContent())!.trim();
  const enrolled = await fetch(`${service.baseUrl}/sync/v1/enrol`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code, name: "Caja 1", app_version: "4.0.0", capabilities: ["product.remote_edit.1"] }),
  });
  expect(enrolled.status).toBe(201);
  await owner.sees(/«Caja 1» está conectada/);
  await owner.button("Listo").click();
  await owner.button("Ahora no").click();
  await owner.page.getByRole("heading", { name: "Empezar", level: 1 }).waitFor({ state: "detached" });
  await owner.page.reload();
  await settled(owner.page);
  expect(await owner.page.getByRole("heading", { level: 1 }).textContent()).not.toBe("Empezar");
  expect(owner.complaints).toEqual([]);
});
