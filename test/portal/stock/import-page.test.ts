import { beforeAll, expect, test } from "vitest";
import { faults, settled } from "../../support/axe.ts";
import { shared, sharedService } from "../../support/fixtures.ts";
import type { Business } from "../../support/service.ts";
import { openAccount, sharedBrowser, visit } from "../../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();
const owner = shared(() => visit(browser, service));
let shop: Business;

beforeAll(async () => {
  const account = await openAccount(service);
  shop = { accountId: account.accountId, ...(await service.key(account.accountId)) };
  await owner.signIn(account.email);
});

const choose = (text: string) =>
  owner.page
    .locator("input[type=file]")
    .setInputFiles({ name: "lista.csv", mimeType: "text/csv", buffer: Buffer.from(text) });

async function say(column: string, field: string): Promise<void> {
  await owner.page.getByRole("combobox", { name: `Qué es ${column}`, exact: true }).click();
  await owner.page.getByRole("option", { name: field, exact: true }).click();
}

const preview = () => owner.page.getByRole("table", { name: "Qué va a cambiar" });

async function expectSound(): Promise<void> {
  for (const width of [375, 1440]) {
    await owner.page.setViewportSize({ width, height: 900 });
    await settled(owner.page);
    await expect.poll(() => owner.page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    if (process.env.SHOTS)
      await owner.page.screenshot({ path: `${process.env.SHOTS}/${Date.now()}-${width}.png`, fullPage: true });
    expect(await faults(owner.page, "light")).toEqual([]);
  }
}

test("a missing name is asked for with the columns open, and the answer is remembered for these headings", async () => {
  await owner.goto("/productos/importar");
  await choose("Código;Barra 1;Barra 2;Rótulo;Precio;Color\nA-1;7701;7702;Arroz;1000;rojo");
  await owner.sees(/La fila 2 es un producto nuevo, y ninguna columna es «Nombre»/);
  expect(await owner.page.getByText(/Corrija/).count()).toBe(0);
  await expectSound();
  await say("Rótulo", "Nombre");
  await say("Barra 1", "Otros códigos");
  await say("Barra 2", "Otros códigos");
  await owner.button("Leer con estas columnas").click();
  await preview().getByText("7701, 7702").waitFor();
  await owner.sees(/Rótulo: Nombre · Precio: Precio. No se usa: «Color»/);
  await expectSound();
  await owner.button("Aplicar 1 cambio").click();
  await owner.sees(/1 producto creado/);
  expect((await shop.api.get("/products?barcode=7702")).body.data).toMatchObject([{ sku: "A-1", name: "Arroz" }]);

  await owner.page.reload();
  await choose("Código;Barra 1;Barra 2;Rótulo;Precio;Color\nA-2;7703;;Avena;2000;");
  await preview().getByText("Avena").waitFor();
  await owner.sees(/la última vez para un archivo con estos títulos/);
  await choose("Código;Nombre;Precio\nA-3;Azúcar;2000");
  await preview().getByText("Azúcar").waitFor();
  expect(await owner.page.getByText(/la última vez/).count()).toBe(0);
  expect(owner.complaints).toEqual([]);
});

test("an IVA of 0 is chosen once for all rows, and a cost is shown with its decimals", async () => {
  await owner.goto("/productos/importar");
  await choose("Código;Nombre;Precio;IVA %;Costo\nI-1;Leche;5000;0;10.200,50\nI-2;Huevos;9000;0%;7000");
  await owner.sees("IVA 0 en 2 filas: ¿Excluido o Exento?");
  expect(await preview().count()).toBe(0);
  await expectSound();
  await owner.button("Son exentos").click();
  await preview().getByText("$ 10.200,5", { exact: true }).waitFor();
  expect(await owner.button("Son exentos").getAttribute("aria-pressed")).toBe("true");
  await expectSound();
  await owner.button("Aplicar 2 cambios").click();
  await owner.sees(/2 productos creados/);
  const { data } = (await shop.api.get("/products?sku=I-1")).body;
  expect(data).toMatchObject([{ tax_class: "exempt", unit_cost: 10_200.5 }]);
  expect(owner.complaints).toEqual([]);
});
