import { beforeAll, expect, test } from "vitest";
import { productCodes } from "../../../src/business/products/barcodes.ts";
import { faults } from "../../support/axe.ts";
import { shared, sharedService } from "../../support/fixtures.ts";
import { newProduct } from "../../support/product.ts";
import { productBody } from "../../support/records.ts";
import { enrol, remoteEdit, upload } from "../../support/register.ts";
import type { Business } from "../../support/service.ts";
import { openAccount, sharedBrowser, visit } from "../../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();
const owner = shared(() => visit(browser, service));
let shop: Business;

beforeAll(async () => {
  const { email, accountId } = await openAccount(service);
  shop = { accountId, ...(await service.key(accountId)) };
  await owner.signIn(email);
});

test("codes and packs are added by a scanner without sending the form, changed and taken out", async () => {
  const beer = await newProduct(shop.api, { name: "Cerveza", sku: "7701", base_price: 2_500 });
  await owner.goto(`/productos/${beer.id}/editar`);
  const add = owner.field(/^Agregar un código/);
  for (const code of ["17701", "7702"]) {
    await add.fill(code);
    await add.press("Enter");
    await owner.page.getByRole("group", { name: `Código ${code}` }).waitFor();
  }
  await add.fill("7701");
  await add.press("Enter");
  await owner.sees("Este producto ya tiene ese código.");
  await add.fill("");
  const pack = owner.page.getByRole("group", { name: "Código 17701" });
  await pack.getByLabel("Unidades").fill("24");
  await pack.getByLabel("Precio propio").fill("50000");
  await pack.getByLabel("Precio propio").press("Enter");
  expect(new URL(owner.page.url()).pathname).toContain("/editar");
  expect((await shop.api.get(`/products/${beer.id}`)).body.barcodes).toEqual([]);
  expect(await faults(owner.page, "light", "main")).toEqual([]);
  await owner.button("Guardar").click();
  const shown = owner.page.getByRole("table", { name: "Otros códigos" });
  await shown.getByText("Caja x24").waitFor();
  expect((await shop.api.get(`/products/${beer.id}`)).body.barcodes).toEqual([
    { code: "17701", units: 24, name: null, price: 50_000, variant_id: null },
    { code: "7702", units: 1, name: null, price: null, variant_id: null },
  ]);
  await owner.link("Editar").click();
  await owner.button("Quitar el código 7702").click();
  await owner.button("Guardar").click();
  await shown.getByText("17701").waitFor();
  expect((await shop.api.get(`/products/${beer.id}`)).body.barcodes).toHaveLength(1);
});

test("a code that two products have is told on both", async () => {
  const till = await enrol(service, shop.accountId, { capabilities: [remoteEdit, productCodes] });
  const at = new Date().toISOString();
  const [one, two] = ["Malta", "Pony"].map((name) => upload(productBody(at, { name, sku: "SAME" })));
  await till.put("product", one!);
  await till.put("product", two!);
  for (const [product, other] of [
    [one!, "Pony"],
    [two!, "Malta"],
  ] as const) {
    await owner.goto(`/productos/${product.id}`);
    await owner.sees("Un código está en dos productos");
    await owner.link(other).waitFor();
  }
});

test("the formats of a scale's labels are typed with an example, and what no scale prints is told", async () => {
  await owner.goto("/ajustes/mostrador");
  const labels = owner.page.getByRole("group", { name: "Etiquetas de balanza" });
  await labels.getByRole("button", { name: "Agregar un formato" }).click();
  await labels.getByText("Por ejemplo 2000123007359: artículo 00123, 0,735 kg.").waitFor();
  await labels.getByLabel("Formato de la etiqueta").fill("30AAAAAGGGGGC");
  await labels.getByText(/Escriba las 13 posiciones/).waitFor();
  await labels.getByLabel("Formato de la etiqueta").fill("21aaaaapppppc");
  await labels.getByText(/artículo 00123, \$\s735/).waitFor();
  await owner.button("Guardar").first().click();
  await owner.sees("Guardado. Las cajas ya lo están recibiendo.");
  await owner.page.reload();
  expect(await labels.getByLabel("Formato de la etiqueta").inputValue()).toBe("21AAAAAPPPPPC");
  expect(owner.complaints).toEqual([]);
});
