import { beforeAll, describe, expect, test } from "vitest";
import { customers } from "../../src/business/customers/resource.ts";
import { quotes } from "../../src/business/quotes/resource.ts";
import { setProfile } from "../../src/fiscal/profile/set-profile.ts";
import { setRange } from "../../src/fiscal/profile/set-range.ts";
import { faults, settled } from "../support/axe.ts";
import { documentsOf, plainSale, ringUp, softwarePin, technicalKey } from "../support/fiscal.ts";
import { shared, sharedService } from "../support/fixtures.ts";
import { decideAll } from "../support/issuing.ts";
import { chooseWithKeys } from "../support/keys.ts";
import { change, customerBody, quoteBody, saleBody, saleItemBody, store } from "../support/records.ts";
import { enrol, upload } from "../support/register.ts";
import { openAccount, sharedBrowser, visit } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();
const owner = shared(() => visit(browser, service));
/** `LONG=1` looks at every width in both modes. */
const isLong = process.env.LONG !== undefined;
const widths = [375, 768, 1024, 1440];
let accountId = "";
const ids = { sale: "", rejected: "", document: "", customer: "", quote: "", odd: "", plain: "" };

/** A shop whose register sold this morning: one sale with two lines, one that was rejected, one that does not add up. */
beforeAll(async () => {
  const account = await openAccount(service);
  ({ accountId } = account);
  const { deps } = service;
  await setProfile(deps, accountId, { nit: "900373923-8", regime: "iva", softwarePin });
  const range = { first: 1, last: 5000, validUntil: "2099-12-31" };
  await setRange(deps, accountId, { ...range, kind: "pos", prefix: "EPOS" });
  await setRange(deps, accountId, { ...range, kind: "invoice", prefix: "SETP", technicalKey });
  const [customer] = await store(deps, accountId, customers, (at) => [
    {
      body: customerBody(at, {
        name: "Panadería La Espiga S.A.S.",
        person_type: "company",
        document_type: "NIT",
        document_number: "901234567-7",
        email: "compras@laespiga.example.com",
      }),
    },
  ]);
  ids.customer = customer!.id;
  const till = await enrol(service, accountId, { name: "Caja 1" });
  const now = deps.clock.now().toISOString();
  const items = [
    saleItemBody({ description: "Gaseosa cola 400 ml", quantity: 2, unit_price: 3_200, subtotal: 6_400 }),
    saleItemBody({
      description: "Pan tajado",
      quantity: 1,
      unit_price: 6_800,
      subtotal: 6_800,
      tax_class: "excluded",
      taxes: [],
    }),
  ];
  const sale = saleBody(now, { items, subtotal: 13_200, total: 13_200, customer_id: ids.customer });
  await till.put("sale", upload(sale));
  ids.sale = sale.id;
  const odd = saleBody(now, { total: 99_999 });
  await till.put("sale", upload(odd));
  ids.odd = odd.id;
  const [rejected, plain] = await ringUp(service, accountId, (at) => [plainSale(at, 48_013), plainSale(at, 12_000)]);
  ids.plain = plain!.id;
  await decideAll(service);
  [ids.document] = (await documentsOf(service, accountId, ids.sale)).map(({ id }) => id) as [string];
  [ids.rejected] = (await documentsOf(service, accountId, rejected!.id)).map(({ id }) => id) as [string];
  const [quote] = await store(deps, accountId, quotes, (at) => [
    { body: quoteBody(at, { customer_id: ids.customer, customer_name: "Panadería La Espiga S.A.S." }) },
  ]);
  ids.quote = quote!.id;
  await owner.signIn(account.email);
});

const places = (): Record<string, string> => ({
  Ventas: "/ventas",
  Venta: `/ventas/${ids.sale}`,
  "Venta que no cuadra": `/ventas/${ids.odd}`,
  Documentos: "/documentos",
  "Documentos por atender": "/documentos?estado=por-atender",
  Documento: `/documentos/${ids.document}`,
  "Documento rechazado": `/documentos/${ids.rejected}`,
  Clientes: "/clientes",
  Cliente: `/clientes/${ids.customer}`,
  "Crear cliente": "/clientes/nuevo",
  Cotizaciones: "/cotizaciones",
  Cotización: `/cotizaciones/${ids.quote}`,
});

describe("axe finds no serious fault, and nothing is wider than the screen", () => {
  test.each(Object.keys(places()))("%s", async (name) => {
    await owner.goto(places()[name]!);
    await settled(owner.page);
    for (const width of widths) {
      await owner.page.setViewportSize({ width, height: 900 });
      await expect.poll(() => owner.page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      // The everyday suite looks at the narrowest in light and the widest in dark.
      if (isLong || width === 375) expect(await faults(owner.page, "light")).toEqual([]);
      if (isLong || width === 1440) expect(await faults(owner.page, "dark")).toEqual([]);
    }
  });
});

const totals = () => owner.page.getByRole("region", { name: "Totales de lo filtrado" });
const focused = () =>
  owner.page.evaluate("document.activeElement.labels?.[0]?.textContent || document.activeElement.textContent");

test("the list of sales is filtered, adds up what it shows, and keeps its filters in the address", async () => {
  await owner.page.setViewportSize({ width: 1280, height: 900 });
  await owner.goto("/ventas");
  await owner.sees("Panadería La Espiga S.A.S.");
  await owner.field("Total desde").fill("40.000");
  await owner.page.keyboard.press("Enter");
  await expect.poll(() => owner.page.url()).toContain("minimo=40000");
  await expect.poll(() => totals().textContent()).toContain("148.012");
  await owner.page.reload();
  await expect.poll(() => totals().textContent()).toContain("148.012");
  await owner.button("Quitar los filtros").click();
  await expect.poll(() => totals().textContent()).toContain("173.212");
});

test("a sale is found by its document's number and shows its lines, its document and its customer", async () => {
  await owner.goto("/ventas");
  await owner.field("Número de documento").fill("epos-1");
  await owner.page.keyboard.press("Enter");
  await expect.poll(() => totals().textContent()).toContain("13.200");
  const row = owner.page.getByRole("table", { name: "Ventas" }).getByRole("row");
  // The totals and the rows come each by their own answer.
  await expect.poll(() => row.count(), { message: "its head and the sale" }).toBe(2);
  await row.getByRole("link").first().focus();
  await owner.page.keyboard.press("Enter");
  await owner.page.getByRole("heading", { name: "Venta EPOS 1", level: 1 }).waitFor();
  for (const text of ["Gaseosa cola 400 ml", "Pan tajado", "IVA 19 %", "Caja 1"]) await owner.sees(text);
  await owner.link("Panadería La Espiga S.A.S.").click();
  await owner.page.getByRole("heading", { name: "Panadería La Espiga S.A.S.", level: 1 }).waitFor();
  await owner.sees("NIT 901234567-7");
});

test("a sale that does not add up says so", async () => {
  await owner.goto(`/ventas/${ids.odd}`);
  await owner.sees(/no cuadra/);
});

test("the table on screen is downloaded with its filters", async () => {
  await owner.goto("/ventas?minimo=40000");
  await owner.button("Descargar").click();
  const [download] = await Promise.all([
    owner.page.waitForEvent("download"),
    owner.page.getByRole("menuitem", { name: "CSV" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^Ventas \d{4}-\d\d-\d\d\.csv$/);
  const text = await (await download.createReadStream()).toArray();
  expect(Buffer.concat(text).toString("utf8").trimEnd().split("\r\n")).toHaveLength(3);
});

test("a rejected document says in plain words why, what to do, and is resent", async () => {
  await owner.goto("/documentos?estado=rejected");
  await owner.page.getByRole("table", { name: "Documentos" }).getByRole("link").first().click();
  await owner.sees(/no es el que la DIAN calcula/);
  await owner.sees(/Revise el PIN del software/);
  await owner.button("Reenviar a la DIAN").click();
  await owner.sees("Va en camino a la DIAN.");
  await decideAll(service);
});

test("documents that need attention are one click away", async () => {
  await owner.goto("/documentos");
  await owner.page.getByText("Por atender").click();
  await expect.poll(() => owner.page.url()).toContain("estado=por-atender");
  await owner.sees(/Corrija la causa y reenvíe|No hay documentos por atender/);
});

test("with the keyboard alone a customer is made, with its check digit told while typing", async () => {
  await owner.goto("/clientes");
  await owner.link("Crear cliente").focus();
  await owner.page.keyboard.press("Enter");
  await owner.field("Nombre").focus();
  await owner.page.keyboard.type("Ferretería El Tornillo");
  await chooseWithKeys(owner.page, "Tipo de documento", "NIT");
  const kind = owner.page.getByRole("combobox", { name: "Tipo de documento" });
  await expect.poll(() => kind.inputValue()).toBe("NIT");
  await owner.field("Número de documento (opcional)").focus();
  await owner.page.keyboard.type("830112233-4");
  await owner.sees("El dígito de verificación de 830112233 es 1, no 4. Revise el número.");
  await owner.button("Usar 830112233-1").focus();
  await owner.page.keyboard.press("Enter");
  await owner.sees("Dígito de verificación: 1.");
  await owner.field("Correo (opcional)").focus();
  await owner.page.keyboard.type("no es un correo");
  await owner.page.keyboard.press("Enter");
  await owner.sees("Escriba un correo como nombre@dominio.co.");
  await owner.field("Correo (opcional)").fill("");
  await owner.page.keyboard.press("Enter");
  await owner.page.getByRole("heading", { name: "Ferretería El Tornillo", level: 1 }).waitFor();
  await owner.sees("NIT 830112233-1");
});

test("an edit that would overwrite a register's is not saved, and says so", async () => {
  await owner.goto(`/clientes/${ids.customer}`);
  await owner.button("Editar").click();
  await owner.field("Teléfono (opcional)").fill("300 123 4567");
  await change(service.deps, accountId, customers, ids.customer, () => ({ phone: "311 000 0000" }));
  await owner.button("Guardar").click();
  await owner.sees("Este cliente cambió mientras usted lo editaba");
  await owner.button("Ver los datos nuevos").click();
  await owner.sees("311 000 0000");
  await expect.poll(focused).toBe("Editar");
  await owner.button("Editar").click();
  await owner.field("Teléfono (opcional)").fill("300 123 4567");
  await owner.button("Guardar").click();
  await owner.sees(/Se guardaron los cambios/);
  await owner.link("300 123 4567").waitFor();
});

test("a quote is found by its customer and leads to it", async () => {
  await owner.goto("/cotizaciones");
  await owner.field("Buscar").fill("panaderia");
  await owner.page.keyboard.press("Enter");
  await owner.link("COT 7").click();
  await owner.page.getByRole("heading", { name: "Cotización COT 7", level: 1 }).waitFor();
  await owner.link("Panadería La Espiga S.A.S.").waitFor();
});

test("with the keyboard alone part of a sale is returned, and what goes back is told before", async () => {
  await owner.goto(`/ventas/${ids.sale}`);
  await owner.button("Devolver").focus();
  await owner.page.keyboard.press("Enter");
  await owner.field("Cantidad que vuelve de Gaseosa cola 400 ml").focus();
  await owner.page.keyboard.press("ArrowUp");
  await owner.sees(/Se devuelven/);
  await expect.poll(() => owner.page.getByRole("dialog").textContent()).toMatch(/Se devuelven \$\s3\.200/);
  expect(await faults(owner.page, "light")).toEqual([]);
  await owner.field("Motivo (opcional)").focus();
  await owner.page.keyboard.type("Venía golpeada");
  await owner.page.keyboard.press("Enter");
  await owner.sees(/Se devolvieron/);
  await owner.page.getByRole("table", { name: "Devoluciones" }).waitFor();
  await owner.sees("Venía golpeada");
  await decideAll(service);
});

test("a POS document becomes an invoice to the chosen buyer, and the note leads to its original", async () => {
  await owner.goto(`/ventas/${ids.plain}`);
  await owner.button("Pasar a factura").click();
  await owner.page.getByRole("combobox", { name: "Comprador" }).fill("espiga");
  await owner.page.getByRole("option", { name: /La Espiga/ }).click();
  expect(await faults(owner.page, "light")).toEqual([]);
  await owner.button("Emitir la factura").click();
  await owner.sees("La nota y la factura van en camino a la DIAN.");
  await decideAll(service);
  const documents = owner.page.getByRole("table", { name: "Documentos de la venta" });
  await documents.getByText("Factura electrónica").waitFor();
  await documents
    .getByRole("row", { name: /Nota de ajuste/ })
    .getByRole("link")
    .click();
  await owner.page.getByRole("heading", { name: /^Nota de ajuste/, level: 1 }).waitFor();
  await owner.link(/^Documento POS EPOS/).click();
  await owner.page.getByRole("heading", { name: /^Documento POS EPOS/, level: 1 }).waitFor();
  await owner.link(/^Nota de ajuste/).waitFor();
});

test("no page violated the content policy or threw an error", () => {
  expect(owner.complaints).toEqual([]);
});
