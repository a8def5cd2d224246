import type { Locator } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { plainSale, ringUp } from "../support/fiscal.ts";
import { shared, sharedService } from "../support/fixtures.ts";
import { timersFired } from "../support/keys.ts";
import { newestCode, password } from "../support/portal.ts";
import { newProduct } from "../support/product.ts";
import { openAccount, sharedBrowser, visit } from "../support/visitor.ts";

/** The main flows of an owner without a mouse: Tab, Space, Enter and letters, and the focus can be seen at each stop. */
const service = sharedService();
const browser = sharedBrowser();
const owner = shared(() => visit(browser, service));
let email = "";

beforeAll(async () => {
  const account = await openAccount(service);
  email = account.email;
  const { api } = await service.key(account.accountId);
  await newProduct(api, { name: "Café molido" });
  await ringUp(service, account.accountId, (at) => [plainSale(at, 12_000), plainSale(at, 45_000)]);
});

const press = (key: string) => owner.page.keyboard.press(key);
const type = (text: string) => owner.page.keyboard.type(text);
const heading = (name: string | RegExp) => owner.page.getByRole("heading", { name, level: 1 }).waitFor();

/** In the browser. A field shows its focus by its border; a box behind a label, beside it. */
const showsFocus = `(element) => {
  const marked = (one) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(one);
    return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 1;
  };
  const isField = element.matches("input:not([type=checkbox], [type=radio]), textarea");
  return isField || marked(element) || [...(element.parentElement?.children ?? [])].some(marked);
}`;

/** Presses Tab until the element has the focus. */
async function reach(target: Locator): Promise<void> {
  await target.first().waitFor();
  await timersFired(owner.page);
  const focused = target.and(owner.page.locator(":focus"));
  for (let tabs = 0; (await focused.count()) === 0; tabs++) {
    if (tabs > 120) throw new Error(`the keyboard does not reach ${target}`);
    await press("Tab");
  }
  const isSeen = await owner.page.evaluate(`(${showsFocus})(document.activeElement)`);
  expect(isSeen, `the focus of ${target} cannot be seen`).toBe(true);
}

async function open(name: string): Promise<void> {
  await reach(owner.link(name));
  await press("Enter");
  await heading(name);
}

async function typeCode(): Promise<void> {
  await reach(owner.field("Código de 6 dígitos"));
  await type(await newestCode(service, email));
  await press("Enter");
}

test("signing in", async () => {
  await owner.goto("/ingreso");
  await reach(owner.page.getByRole("textbox", { name: /^Correo/ }));
  await type(email);
  await reach(owner.page.getByLabel("Contraseña", { exact: true }));
  await type(password);
  await press("Enter");
  await heading("Hoy");
});

test("filtering Ventas, opening a sale and taking it back", async () => {
  await open("Ventas");
  await reach(owner.field("Total desde"));
  await type("40000");
  await press("Tab");
  await expect.poll(() => owner.page.url()).toContain("minimo=40000");
  const row = owner.page.getByRole("table", { name: "Ventas" }).getByRole("link");
  await expect.poll(() => row.count()).toBe(1);
  await reach(row);
  await press("Enter");
  await reach(owner.button("Devolver"));
  await press("Enter");
  await reach(owner.page.getByRole("dialog").getByLabel("Todo", { exact: true }));
  await press("Space");
  await reach(owner.page.getByRole("dialog").getByRole("button", { name: "Devolver" }));
  await press("Enter");
  await owner.sees(/Se devolvieron/);
});

test("editing a product", async () => {
  await open("Productos");
  await reach(owner.link(/Café molido/));
  await press("Enter");
  await heading("Café molido");
  await reach(owner.link("Editar"));
  await press("Enter");
  await reach(owner.field("Precio de lista"));
  await press("ControlOrMeta+a");
  await type("2500");
  await press("Enter");
  await owner.sees(/quedó guardado/);
});

test("importing products", async () => {
  await open("Productos");
  await reach(owner.link("Importar"));
  await press("Enter");
  await owner.button("Elegir archivo").waitFor();
  const input = owner.page.locator("input[type=file]");
  // In place of the system's dialog, which a browser without a screen cannot show.
  await owner.page.evaluate(`document.querySelector("input[type=file]").addEventListener("click", (event) => {
    event.preventDefault();
    event.target.dataset.isAsked = "yes";
  })`);
  await expect
    .poll(async () => {
      await reach(owner.button("Elegir archivo"));
      await press("Enter");
      return input.getAttribute("data-is-asked");
    })
    .toBe("yes");
  const buffer = Buffer.from("nombre;sku;precio\nArroz;A1;4200\n");
  await input.setInputFiles({ name: "lista.csv", mimeType: "text/csv", buffer });
  await reach(owner.button("Aplicar 1 cambio"));
  await press("Enter");
  await owner.sees(/1 producto creado/);
});

test("making a key", async () => {
  await open("Claves API");
  await reach(owner.link("Crear clave"));
  await press("Enter");
  await reach(owner.field(/^Nombre/));
  await type("Contabilidad");
  await reach(owner.field(/Ver las ventas con sus líneas/));
  await press("Space");
  await reach(owner.button("Continuar"));
  await press("Enter");
  await typeCode();
  await reach(owner.button("Ya lo guardé"));
  await press("Enter");
  await heading("Contabilidad");
});

test("making an endpoint", async () => {
  await open("Webhooks");
  await reach(owner.link("Agregar webhook"));
  await press("Enter");
  await reach(owner.field(/URL de su servidor/));
  await press("ControlOrMeta+a");
  await type("https://example.com/eventos");
  await press("Enter");
  await typeCode();
  await reach(owner.button("Ya lo guardé"));
  await press("Enter");
  await owner.page.waitForURL(/\/webhooks\/[0-9a-f-]{36}$/);
});

test("linking a register", async () => {
  await open("Cajas");
  await reach(owner.button("Vincular caja"));
  await press("Enter");
  await reach(owner.field("Nombre de la caja"));
  await type("Caja 1");
  await press("Enter");
  await typeCode();
  await owner.page.getByTestId("secret").waitFor();
  await reach(owner.button("Listo"));
  await press("Enter");
  await owner.page.getByTestId("secret").waitFor({ state: "detached" });
});
