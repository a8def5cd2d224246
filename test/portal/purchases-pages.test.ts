import { beforeAll, expect, test } from "vitest";
import { faults } from "../support/axe.ts";
import { shared, sharedService } from "../support/fixtures.ts";
import { newProduct } from "../support/product.ts";
import { attached, invoiceXml, zipped } from "../support/received.ts";
import type { Business } from "../support/service.ts";
import { openAccount, sharedBrowser, visit } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();
const owner = shared(() => visit(browser, service));
let shop: Business;
let soda: { id: string };

beforeAll(async () => {
  const { email, accountId } = await openAccount(service);
  shop = { accountId, ...(await service.key(accountId)) };
  soda = await newProduct(shop.api, { name: "Gaseosa", sku: "7701", base_price: 3_200 });
  await newProduct(shop.api, { name: "Arroz", sku: "7702", base_price: 4_200 });
  await owner.signIn(email);
  owner.page.setDefaultTimeout(10_000);
});

const stockOf = async (id: string): Promise<number> => (await shop.api.get(`/products/${id}`)).body.stock;

test("a supplier is made, and what came is bought from him with a scanner, received, returned and paid", async () => {
  const { page } = owner;
  await owner.goto("/compras");
  await owner.sees("Todavía no hay compras");
  await owner.goto("/proveedores/nuevo");
  await owner.field("Nombre o razón social").fill("La Sabana");
  await owner.field(/^Número de documento/).fill("900373923");
  await owner.sees("Dígito de verificación: 8.");
  await owner.button("Crear proveedor").click();
  await page.getByRole("heading", { name: "La Sabana" }).waitFor();
  await owner.link("Comprarle").click();

  const finder = page.getByRole("combobox", { name: "Agregar un producto" });
  for (const code of ["7701", "7702", "7701"]) {
    await finder.fill(code);
    await finder.press("Enter");
    await expect.poll(() => finder.inputValue()).toBe("");
  }
  const lines = page.getByRole("table", { name: "Lo que se compra" });
  expect(await lines.getByLabel("Cantidad de Gaseosa").inputValue()).toBe("2");
  await lines.getByLabel("En qué viene Gaseosa").fill("Caja x24");
  await lines.getByLabel("Cuántas und de Gaseosa trae cada una").fill("24");
  await lines.getByLabel("Costo de Gaseosa, sin IVA").fill("48000");
  await lines.getByLabel("Costo de Arroz, sin IVA").fill("3000");
  await finder.fill("nada-de-esto");
  await finder.press("Enter");
  await owner.sees("Ningún producto tiene «nada-de-esto». Créelo en Productos.");
  await finder.fill("");
  await owner.sees(/Total \$\s?117\.810/);
  expect(await faults(page, "light", "main")).toEqual([]);
  await owner.button("Recibir todo").click();
  await page.getByRole("heading", { name: "Compra 1", exact: true }).waitFor();
  expect(await stockOf(soda.id)).toBe(48);

  await owner.button("Devolver…").click();
  await owner.field("Gaseosa").fill("1");
  await owner.button("Devolver").click();
  await expect.poll(() => stockOf(soda.id)).toBe(24);
  await owner.button("Pagar…").click();
  await owner.button("Pagar").click();
  await page.getByRole("table", { name: "Pagos" }).waitFor();
  const [purchase] = (await shop.api.get("/purchases")).body.data;
  expect([purchase.owed, purchase.paid]).toEqual([60_690, 60_690]);
  await owner.button("Corregir la recepción 1").waitFor();
  expect(await faults(page, "light", "main")).toEqual([]);
});

test("the supplier's zip is dropped in; what it calls Gaseosa x24 is asked once", async () => {
  const { page } = owner;
  await owner.goto("/compras");
  const choose = async (name: string, buffer: Buffer) => {
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), owner.button("Subir factura").click()]);
    await chooser.setFiles({ name, mimeType: "application/zip", buffer });
  };
  await choose("dañada.xml", Buffer.from("<Invoice>"));
  await owner.sees(/El XML está incompleto o dañado/);
  await choose("ad.zip", await zipped({ "ad.xml": attached(invoiceXml()) }));
  await owner.sees("De 1 línea de la factura falta decir qué producto es. Se pregunta una sola vez.");
  await owner.button("Decir qué son…").click();
  const finder = page.getByRole("dialog").getByRole("combobox", { name: "Es" });
  await finder.fill("7701");
  await finder.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Viene en").fill("Caja x24");
  await dialog.getByLabel("Cuántas und trae cada una").fill("24");
  expect(await faults(page, "light", "[role=dialog]")).toEqual([]);
  await owner.button("Guardar").click();
  await owner.button("Recibir…").click();
  await owner.button("Recibir").click();
  await expect.poll(() => stockOf(soda.id)).toBe(24 + 240);
  await owner.goto("/compras/por-pagar");
  await page.getByText("FV1029").waitFor();
});
