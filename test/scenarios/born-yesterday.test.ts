import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { verify } from "../../src/operations/verify/verify.ts";
import { settled } from "../support/axe.ts";
import { type Caja, newCaja, tablet } from "../support/caja.ts";
import type { ApiClient } from "../support/client.ts";
import { softwarePin } from "../support/fiscal.ts";
import { shared } from "../support/fixtures.ts";
import { decideAll } from "../support/issuing.ts";
import { newborn, type Presser, presser, type Watched, watch } from "../support/newborn.ts";
import { portalPaths } from "../support/portal-paths.ts";
import { receiverHost } from "../support/receiver.ts";
import { sharedBrowser, visit } from "../support/visitor.ts";
import { sharedHooks } from "../support/webhooks.ts";

// Everything on one account that nobody furnished. The tests are the days of its first week: each goes on where the last
// one ended.
const hooks = sharedHooks();
const browser = sharedBrowser();
const account = shared(() => newborn(hooks.service));
const owner = shared(() => visit(browser, hooks.service));
const paths = portalPaths();
const hook = "/recien-abierta";
let watched: Watched;
let press: Presser;
let caja: Caja;
let counter: Watched;
let api: ApiClient;

const dialog = () => owner.page.getByRole("dialog");
const heading = (name: string | RegExp) => owner.page.getByRole("heading", { name, level: 1 }).waitFor();

test("the owner signs in; every page, and what each of its buttons does, can be read while there is nothing to show", async () => {
  // Printing would wait for somebody to close its window.
  await owner.page.addInitScript("window.print = () => {}");
  watched = watch(owner.page);
  press = presser(watched);
  await owner.signIn(account.email);
  for (const path of paths.filter((one) => !one.includes(":id"))) {
    await watched.open(path);
    await watched.expectWhole(path);
    await press(path, path);
  }
});

test("a page of a record that is not there says so, and where to go", async () => {
  for (const path of paths.filter((one) => one.includes(":id"))) {
    const id = path.startsWith("/solicitudes") ? `req_${randomUUID().replaceAll("-", "")}` : randomUUID();
    await watched.open(path.replace(":id", id));
    await watched.expectReadable(path);
    expect(await owner.page.evaluate("document.body.innerText"), path).toMatch(
      /no existe|no está|no se encontr|ya no|no hay/i,
    );
  }
});

test("a register is linked, and each of its screens can be read while there is nothing to sell", async () => {
  await watched.open("/cajas");
  await owner.button("Vincular caja").click();
  await owner.field(/Nombre de la caja/).fill("Caja 1");
  await owner.button("Continuar").click();
  await owner.confirm(account.email);
  const code = (await owner.page.getByTestId("secret").textContent())!.trim();
  const { own } = await tablet(browser);
  caja = await newCaja(own, hooks.service, account.accountId);
  const { page } = caja;
  counter = watch(page);
  await page.goto(`${hooks.service.baseUrl}/caja/`);
  await page.getByLabel("Código del portal").fill(code);
  await page.getByRole("button", { name: "Vincular" }).click();
  await caja.openShift();
  const places = await page.getByRole("navigation", { name: "Secciones" }).getByRole("button").all();
  for (const place of [...places, places[0]!]) {
    await place.click();
    await counter.expectReadable(`Caja: ${await place.textContent()}`);
  }
  await owner.sees(/«Caja 1» está conectada/);
  await owner.button("Listo").click();
});

test("the first product has its stock from the form, in the bodega that the business was born with", async () => {
  await watched.open("/productos/nuevo");
  await owner.field(/^Nombre/).fill("Café molido 250 g");
  await owner.field(/^Precio de lista/).fill("12000");
  await owner.field(/^Existencias/).fill("24");
  await owner.button("Crear producto").click();
  await heading("Café molido 250 g");
  await owner.sees("24 und");
  await owner.button("Ajustar existencias").click();
  await owner.field(/^Cantidad, en und/).fill("6");
  await owner.button("Registrar").click();
  await owner.sees("Existencias ajustadas.");
  await watched.open("/ajustes/bodegas");
  await owner.page.getByRole("row", { name: /Principal.*Predeterminada.*Abierta.*1/ }).waitFor();
});

test("a list from a file brings its stock, and what was counted is adjusted", async () => {
  await watched.open("/productos/importar");
  const text = "SKU;Nombre;Precio;Categoría;Existencias;Costo\nPAN-1;Pan tajado;6.500;Panadería;10;4.000\n";
  const file = { name: "lista.csv", mimeType: "text/csv", buffer: Buffer.from(text, "latin1") };
  await owner.page.locator("input[type=file]").setInputFiles(file);
  await owner.button("Aplicar 1 cambio").click();
  await owner.sees(/1 producto creado y 0 actualizados/);
  await watched.open("/inventario/conteo");
  await owner.field("Contado de Pan tajado, en und").fill("9");
  await owner.button("Revisar 1 conteo").click();
  await owner.button("Registrar 1 ajuste").click();
  await owner.sees("1 ajuste registrado.");
});

test("a bodega is made, renamed, made the default one, closed and opened", async () => {
  await watched.open("/ajustes/bodegas");
  const row = (name: RegExp) => owner.page.getByRole("row", { name });
  const click = (place: Locator, name: string) => place.getByRole("button", { name, exact: true }).click();
  await owner.button("Nueva bodega").click();
  await owner.field(/^Nombre/).fill("principal");
  await owner.sees("Ya tiene una bodega con ese nombre.");
  await owner.field(/^Nombre/).fill("Atrás");
  await owner.button("Crear bodega").click();
  await click(row(/^Atrás/), "Cambiar el nombre");
  await owner.field(/^Nombre/).fill("Bodega de atrás");
  await owner.button("Guardar").click();
  await click(row(/^Principal/), "Cerrar");
  await owner.sees(/Haga predeterminada otra bodega y después ciérrela/);
  await owner.button("Entendido").click();
  await click(row(/^Bodega de atrás/), "Hacer predeterminada");
  await click(dialog(), "Hacer predeterminada");
  await row(/^Bodega de atrás.*Predeterminada/).waitFor();
  await click(row(/^Principal/), "Cerrar");
  await owner.sees(/Todavía tiene existencias de 2 productos/);
  await click(dialog(), "Cerrar la bodega");
  await click(row(/^Principal.*Cerrada/), "Abrir");
  await click(row(/^Principal.*Abierta/), "Hacer predeterminada");
  await click(dialog(), "Hacer predeterminada");
  await row(/^Principal.*Predeterminada/).waitFor();
  await click(row(/^Bodega de atrás/), "Cerrar");
  await click(dialog(), "Cerrar la bodega");
  await row(/^Bodega de atrás.*Cerrada/).waitFor();
  await watched.expectWhole("bodegas");
});

test("the tax data, a range and a customer are registered", async () => {
  await watched.open("/ajustes/facturacion");
  await owner.button("Registrar el perfil fiscal").click();
  await owner.field("NIT").fill("900.373.923-8");
  await owner.field("PIN del software").fill(softwarePin);
  await owner.button("Enviar el código").click();
  await owner.confirm(account.email);
  await owner.sees("Perfil fiscal guardado.");
  await owner.button("Registrar un rango").click();
  await owner.field("Prefijo").fill("epos");
  await owner.field("Primer número").fill("1");
  await owner.field("Último número").fill("5000");
  await owner.field("Vigente hasta").fill("2098-12-31");
  await owner.button("Enviar el código").click();
  await owner.confirm(account.email);
  await owner.page.getByRole("row", { name: /EPOS 1–5000/ }).waitFor();
  await watched.open("/clientes/nuevo");
  await owner.page.getByLabel("Nombre", { exact: true }).fill("Marta Restrepo");
  await owner.button("Crear cliente").click();
  await heading("Marta Restrepo");
});

test("a key and a webhook are made with their codes", async () => {
  await watched.open("/claves/nueva");
  await owner.field(/^Nombre/).fill("Tienda en línea");
  for (const box of await owner.page.getByRole("checkbox").all()) await box.check();
  await owner.button("Continuar").click();
  await owner.confirm(account.email);
  api = hooks.service.client({ authorization: `Bearer ${await owner.takeSecret()}` });
  await watched.open("/webhooks/nuevo");
  // Its draft still has what pressing its buttons left.
  await owner.button("Todos").click();
  await owner.field(/URL de su servidor/).fill(`https://${receiverHost}${hook}`);
  await owner.button("Continuar").click();
  await owner.confirm(account.email);
  hooks.receiver.secrets.set(hook, [await owner.takeSecret()]);
});

test("the register sells, quotes, receives, counts, takes back and closes its shift", async () => {
  const { page } = counter;
  await caja.sell("Café molido", "Pan tajado");
  await page.getByRole("button", { name: "Pan tajado" }).first().click();
  await page.getByRole("button", { name: "Cotizar" }).click();
  await page.getByRole("button", { name: "Guardar cotización" }).click();
  await page.getByRole("button", { name: "Listo" }).click();
  await page.getByRole("button", { name: "Existencias" }).click();
  await page.getByRole("button", { name: /Café molido.*29 und/ }).click();
  await page.getByRole("dialog").getByText("Principal").waitFor();
  await page.getByRole("button", { name: "Recibir" }).click();
  await page.getByLabel("Cuánto llegó").fill("12");
  await page.getByRole("button", { name: "Registrar la entrada" }).click();
  await page.getByText("Entraron 12 und").waitFor();
  await page.getByRole("button", { name: "Contar" }).click();
  await page.getByLabel("Cuánto hay").fill("40");
  await page.getByRole("button", { name: "Registrar el conteo" }).click();
  await page.getByText("Ajustado: faltaban 1.").waitFor();
  await page.getByRole("button", { name: "Cerrar" }).click();
  await page.getByRole("button", { name: "Ventas" }).click();
  await page.getByRole("button", { name: /Café molido/ }).click();
  await page.getByRole("button", { name: "Devolver" }).click();
  await page.getByLabel("Pan tajado").fill("1");
  await page.getByLabel("Motivo").fill("Estaba duro");
  await page.getByRole("button", { name: "Devolver", exact: true }).click();
  await page.getByLabel("Motivo").waitFor({ state: "detached" });
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Turno", exact: true }).click();
  await page.getByRole("button", { name: "Entrada o salida de efectivo" }).click();
  await page.getByLabel("Valor").fill("1000");
  await page.getByLabel("Motivo").fill("Hielo");
  await page.getByRole("button", { name: "Registrar" }).click();
  await page.getByRole("button", { name: "Cerrar turno" }).click();
  await page.getByLabel("$50.000").fill("1");
  await page.getByRole("dialog").getByRole("button", { name: "Cerrar turno" }).click();
  await page.getByText("CIERRE DE TURNO (Z)").waitFor();
  await counter.expectReadable("Caja: Z");
  await caja.uploaded();
  await page.context().close();
  await decideAll(hooks.service);
});

/** What a POST needs at least; most need a name. */
async function leastBody(path: string): Promise<object> {
  const [single, batch] = path.split("/batch");
  if (batch !== undefined) return { items: [{ ...(await leastBody(single!)), name: "Del lote" }] };
  if (path === "/products") return { name: "Leche 1 L", base_price: 4200, initial_stock: 5 };
  if (path === "/purchases") {
    const supplier_id = (await api.get("/suppliers?limit=1")).body.data[0].id;
    return {
      supplier_id,
      lines: [{ product_id: (await api.get("/products?limit=1")).body.data[0].id, quantity: 2, unit_cost: 3000 }],
    };
  }
  if (path !== "/inventory/movements" && single !== "/orders" && path !== "/orders/preview") return { name: "Sur" };
  const { data } = (await api.get("/products?limit=1")).body;
  const moved = { product_id: data[0].id, quantity: 2 };
  return path === "/inventory/movements" ? { ...moved, type: "in" } : { items: [moved] };
}

/** What makes no record, or several. */
const answers200 = /\/(batch|preview)$/;

test("the API creates, changes, lists and reads all that its reference names", async () => {
  const document = JSON.parse(readFileSync(new URL("../../openapi.json", import.meta.url), "utf8"));
  // A purchase names its supplier.
  const routes = Object.keys(document.paths)
    .filter((path) => !path.includes("{"))
    .toSorted((a, b) => Number(a === "/purchases") - Number(b === "/purchases"));
  for (const path of routes) {
    const { get, post } = document.paths[path];
    const one = document.paths[`${path}/{id}`];
    const made = post && (await api.post(path, await leastBody(path)));
    if (made) expect([path, made.status], made.text).toEqual([path, answers200.test(path) ? 200 : 201]);
    if (!get) continue;
    const list = await api.send("GET", path, {}, undefined);
    expect([path, list.status]).toEqual([path, 200]);
    if (!one) continue;
    const { id } = JSON.parse(list.text).data[0];
    expect([path, (await api.get(`${path}/${id}`)).status]).toEqual([path, 200]);
    const changed =
      one.patch &&
      (await api.patch(
        `${path}/${made.body.id}`,
        ["/orders", "/purchases"].includes(path) ? { notes: "Norte" } : { name: "Norte" },
      ));
    if (changed) expect([path, changed.status], changed.text).toEqual([path, 200]);
  }
  const { data } = (await api.get("/warehouses?active=true")).body;
  expect(data.map((each: { name: string; is_default: boolean }) => [each.name, each.is_default])).toEqual([
    ["Norte", false],
    ["Principal", true],
  ]);
});

/** Every page with an address of it; each `:id` is a record of the shop. */
async function recordPaths(): Promise<[pattern: string, path: string][]> {
  const first = async (path: string) => (await api.get(`${path}?limit=1`)).body.data[0].id as string;
  const shown = async (path: string) => {
    const response = await owner.page.request.get(`/portal/api${path}`);
    const { id, request_id } = (await response.json()).data[0];
    return (id ?? request_id) as string;
  };
  const endpoint = await shown("/webhook-endpoints");
  const ids: Record<string, string> = {
    "/ventas": await first("/sales"),
    "/productos": await first("/products"),
    "/pedidos": await first("/orders"),
    "/clientes": await first("/customers"),
    "/turnos": await first("/cash-sessions"),
    "/cotizaciones": await first("/quotes"),
    "/compras": await first("/purchases"),
    "/proveedores": await first("/suppliers"),
    "/documentos": await first("/invoices"),
    "/eventos": await first("/events"),
    "/webhooks": endpoint,
    "/entregas": await shown(`/webhook-endpoints/${endpoint}/deliveries`),
    "/claves": await shown("/api-keys"),
    "/solicitudes": await shown("/requests"),
    "/cajas": await shown("/devices"),
  };
  const filled = (pattern: string) =>
    pattern.replace(/^(.*)\/:id/, (_, kind: string) => {
      expect(ids[kind], `say here where a record of ${kind} is found`).toBeDefined();
      return `${kind}/${ids[kind]}`;
    });
  return paths.map((pattern) => [pattern, filled(pattern)]);
}

test("every page can be read with the first of everything, and every button does something that can be read", async () => {
  await hooks.receiver.arrivals(hook, 1);
  for (const [pattern, path] of await recordPaths()) {
    await watched.open(path);
    await watched.expectWhole(path);
    await press(pattern, path);
  }
});

test("nothing failed on the way, and the data is sound", async () => {
  expect([...watched.failures, ...counter.failures]).toEqual([]);
  expect(owner.complaints).toEqual([]);
  await settled(owner.page);
  expect((await verify(hooks.service.deps.pool)).problems).toEqual([]);
});
