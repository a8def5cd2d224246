import { beforeAll, beforeEach, expect, test } from "vitest";
import { withAccountLock } from "../../src/access/accounts/account-lock.ts";
import { sql } from "../../src/db/sql.ts";
import { setProfile } from "../../src/fiscal/profile/set-profile.ts";
import { createEndpoint } from "../../src/webhooks/endpoints/create-endpoint.ts";
import { secretBox } from "../../src/webhooks/endpoints/secret-box.ts";
import { softwarePin } from "../support/fiscal.ts";
import { sharedService } from "../support/fixtures.ts";
import { mailsTo, newestCode, password } from "../support/portal.ts";
import { newProduct } from "../support/product.ts";
import { openAccount, sharedBrowser, type Visitor, visit } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();
let owner: Visitor;
let account: { accountId: string; email: string };
const url = "https://tienda.com.co/a-medias";

beforeAll(async () => {
  owner = await visit(browser, service);
});
beforeEach(async () => {
  account = await openAccount(service);
  await owner.context.clearCookies();
  await owner.signIn(account.email);
});

async function typeWebhook(): Promise<void> {
  await owner.goto("/webhooks/nuevo");
  await owner.field(/URL de su servidor/).fill(url);
  await owner.field(/Venta anulada/).check();
}

test("a session that ends in the middle of a form gives it back after signing in again", async () => {
  await typeWebhook();
  await service.deps.pool.query(sql`delete from portal_sessions where account_id = ${account.accountId}`);
  await owner.button("Continuar").click();
  await owner.sees("Su sesión terminó.");
  // Nothing of the business can be seen or read out meanwhile.
  expect(await owner.page.getByTestId("business").isVisible()).toBe(false);
  expect(await owner.page.getByRole("heading", { level: 1 }).allTextContents()).toEqual(["Entre a su portal"]);
  await owner.page.getByLabel("Contraseña", { exact: true }).fill(password);
  await owner.button("Entrar").click();
  await owner.page.getByTestId("business").waitFor();
  expect(await owner.field(/URL de su servidor/).inputValue()).toBe(url);
  expect(await owner.field(/Venta anulada/).isChecked()).toBe(true);
  await owner.button("Continuar").click();
  await owner.sees("agregar este webhook");
  expect(await newestCode(service, account.email)).toMatch(/^\d{6}$/);
});

test("a reload and the back button keep what was typed, until it is discarded", async () => {
  await typeWebhook();
  await owner.page.reload();
  await owner.sees("Recuperamos lo que estaba escribiendo.");
  expect(await owner.field(/URL de su servidor/).inputValue()).toBe(url);
  await owner.link("Claves API").first().click();
  await owner.page.getByRole("heading", { name: "Claves API", level: 1 }).waitFor();
  await owner.page.goBack();
  await expect.poll(() => owner.field(/URL de su servidor/).inputValue()).toBe(url);
  await owner.button("Empezar de cero").click();
  expect(await owner.field(/URL de su servidor/).inputValue()).toBe("https://");
});

test.each([
  { what: "a product", path: "/productos/nuevo", send: "Crear producto" },
  { what: "a customer", path: "/clientes/nuevo", send: "Crear cliente" },
])("$what that is half typed survives a reload, and is forgotten once it is stored", async ({ path, send }) => {
  const name = () => owner.page.getByLabel("Nombre", { exact: true });
  await owner.goto(path);
  await name().fill("Algo a medias");
  await owner.page.reload();
  await owner.sees("Recuperamos lo que estaba escribiendo.");
  expect(await name().inputValue()).toBe("Algo a medias");
  if (path === "/productos/nuevo") await owner.field(/Precio de lista/).fill("1000");
  await owner.button(send).click();
  await owner.page.getByRole("heading", { name: "Algo a medias", level: 1 }).waitFor();
  await owner.goto(path);
  expect(await name().inputValue()).toBe("");
});

test.each([
  { path: "/ajustes/facturacion", open: "Registrar el perfil fiscal", label: "NIT", secret: "PIN del software" },
  { path: "/ajustes/mostrador", open: "Agregar a alguien", label: "Nombre", secret: "PIN" },
  { path: "/cajas", open: "Vincular caja", label: "Nombre de la caja" },
  { path: "/ajustes/papeles", label: "Frase al final" },
  { path: "/ajustes/negocio", label: "Nombre del negocio" },
])("what is typed as $label in $path survives a reload, but no secret does", async ({ path, open, label, secret }) => {
  const field = () => owner.page.getByRole("textbox", { name: new RegExp(`^${label}( \\*)?$`) });
  const show = async () => {
    if (open) await owner.button(open).click();
    await field().waitFor();
  };
  await owner.goto(path);
  await show();
  await field().fill("901");
  if (secret) await owner.page.getByLabel(secret, { exact: true }).fill("7788");
  await owner.page.reload();
  await show();
  expect(await field().inputValue()).toBe("901");
  expect(await owner.page.evaluate("JSON.stringify(sessionStorage)")).not.toContain("7788");
});

test("a range that is half typed survives a reload, without its technical key", async () => {
  await setProfile(service.deps, account.accountId, { nit: "900373923-8", regime: "iva", softwarePin });
  await owner.goto("/ajustes/facturacion");
  await owner.button("Registrar un rango").click();
  await owner.field("Prefijo").fill("setp");
  await owner.page.reload();
  await owner.button("Registrar un rango").click();
  await owner.sees("Recuperamos lo que estaba escribiendo.");
  expect(await owner.field("Prefijo").inputValue()).toBe("SETP");
});

test("the limits of stock, the reason of a count and a period to recover survive a reload", async () => {
  const { accountId } = account;
  const { api } = await service.key(accountId);
  const { id } = await newProduct(api, { name: "Gaseosa" });
  await withAccountLock(service.deps, accountId, (client) =>
    createEndpoint(
      client,
      secretBox(service.deps.config.secretKey),
      accountId,
      { url: "https://tienda.com.co/ventas", event_types: ["sale.completed"] },
      service.deps.clock.now(),
    ),
  );
  for (const { path, before, open, label, value } of [
    { path: "/inventario", open: /^Cambiar desde cuándo/, label: "Avisar cuando queden", value: "7" },
    { path: `/productos/${id}`, open: "Cambiar", label: /^Avisar cuando queden, en/, value: "9" },
    {
      path: "/inventario/conteo",
      before: () => owner.field(/^Contado de Gaseosa/).fill("3"),
      open: "Revisar 1 conteo",
      label: "Motivo",
      value: "Conteo de la bodega",
    },
    { path: "/entregas", open: "Recuperar desde…", label: "Desde", value: "2026-01-02T03:04" },
  ]) {
    const field = () => owner.page.getByRole("dialog").getByLabel(label, { exact: typeof label === "string" });
    await owner.goto(path);
    await before?.();
    await owner.button(open).click();
    await field().fill(value);
    await owner.page.reload();
    await owner.button(open).click();
    await owner.sees("Recuperamos lo que estaba escribiendo.");
    expect(await field().inputValue(), path).toBe(value);
  }
  await owner.button("Cancelar").click();
  await owner.button("Recuperar desde…").click();
  expect(await owner.page.getByRole("dialog").getByLabel("Desde").inputValue()).not.toBe("2026-01-02T03:04");
});

test("Back does not take the code of a new register away", async () => {
  await owner.goto("/");
  await owner.link("Cajas").first().click();
  await owner.button("Vincular caja").click();
  await owner.field("Nombre de la caja").fill("Caja 1");
  await owner.button("Continuar").click();
  await owner.confirm(account.email);
  await owner.page.getByTestId("secret").waitFor();
  const shown = await owner.page.getByTestId("secret").textContent();
  await owner.page.goBack();
  expect(await owner.page.getByTestId("secret").textContent()).toBe(shown);
  await owner.button("Listo").click();
  await owner.page.getByTestId("secret").waitFor({ state: "detached" });
});

test("signing out leaves nothing for the next person at the browser", async () => {
  await typeWebhook();
  await owner.button("Salir").click();
  await owner.page.getByRole("heading", { name: "Entre a su portal" }).waitFor();
  expect(await owner.page.evaluate("JSON.stringify(sessionStorage)")).not.toContain("a-medias");
  await owner.signIn(account.email);
  await owner.goto("/webhooks/nuevo");
  expect(await owner.field(/URL de su servidor/).inputValue()).toBe("https://");
});

test("a double click asks for one code, a pasted code may have spaces, and Back does not take the secret away", async () => {
  await owner.goto("/claves/nueva");
  await owner.field(/^Nombre/).fill("Contabilidad");
  await owner.field(/Ver las ventas con sus líneas/).check();
  await owner.button("Continuar").dblclick();
  await owner.field("Código de 6 dígitos").waitFor();
  const mails = await mailsTo(service, account.email);
  expect(mails).toHaveLength(1);
  const code = await newestCode(service, account.email);
  expect(mails[0]!.subject).toBe(`${code} es su código para crear una clave de API`);
  await owner.field("Código de 6 dígitos").focus();
  await owner.page.keyboard.insertText(`${code.slice(0, 3)} ${code.slice(3)}`);
  await owner.button("Confirmar").click();
  await owner.page.getByTestId("secret").waitFor();
  await owner.page.goBack();
  const shown = await owner.page.getByTestId("secret").textContent();
  expect(shown).toMatch(/^mst_test_/);
  expect(await owner.takeSecret()).toBe(shown);
  await owner.page.getByRole("heading", { name: "Contabilidad" }).waitFor();
  // A key that reads only sales is not told to try products.
  await owner.sees("GET /public/v1/sales?limit=2");
});

test("a form speaks of what it shows, not of the API's fields", async () => {
  await owner.goto("/webhooks/nuevo");
  await owner.field(/URL de su servidor/).fill("https://192.168.0.1/x");
  await owner.button("Continuar").click();
  const message = owner.page.locator(".mantine-InputWrapper-error").first();
  await message.waitFor();
  expect(await message.textContent()).not.toMatch(/url|solicitud|`|«/);
});
