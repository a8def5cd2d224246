import { expect, test } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { sharedService } from "../support/fixtures.ts";
import { newestCode, password } from "../support/portal.ts";
import { openAccount, sharedBrowser, visit } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();

test("an owner who signs in after another's session ended sees nothing of it", async () => {
  const first = await openAccount(service, { name: "Panadería Uno" });
  const second = await openAccount(service, { name: "Ferretería Dos" });
  const { page, signIn, goto, field, button, context } = await visit(browser, service);
  await signIn(first.email);
  await goto("/cuenta");
  await field(/Nombre del negocio/).waitFor();
  await service.deps.pool.query(sql`delete from portal_sessions where account_id = ${first.accountId}`);
  await page.getByRole("heading", { name: "Entre a su portal" }).waitFor({ timeout: 120_000 });
  await page.getByRole("textbox", { name: /^Correo/ }).fill(second.email);
  await page.getByLabel("Contraseña", { exact: true }).fill(password);
  await button("Entrar").click();
  await page.getByTestId("business").waitFor();
  expect(await field(/Nombre del negocio/).inputValue()).toBe("Ferretería Dos");
  await context.close();
});

test("the dialog of a rotation cannot be closed between confirmation and the new key", async () => {
  const { email, accountId } = await openAccount(service);
  const { keyId } = await service.key(accountId, { name: "ERP" });
  const owner = await visit(browser, service);
  await owner.signIn(email);
  await owner.goto(`/claves/${keyId}`);
  await owner.button("Rotar").click();
  await owner.button("Enviar el código").click();
  await owner.field("Código de 6 dígitos").waitFor();
  await owner.field("Código de 6 dígitos").fill(await newestCode(service, email));
  const held = Promise.withResolvers<void>();
  await owner.page.route("**/confirmations/*", async (route) => {
    await held.promise;
    await route.continue();
  });
  await owner.button("Confirmar").click();
  await owner.page.keyboard.press("Escape");
  await owner.page.waitForTimeout(300);
  held.resolve();
  expect(await owner.takeSecret()).toMatch(/^mst_test_/);
  await owner.context.close();
});

test("an owner whose sign-out fails is told, instead of leaving an open session behind", async () => {
  const { email } = await openAccount(service);
  const owner = await visit(browser, service);
  await owner.signIn(email);
  await owner.page.route("**/portal/api/session", (route) =>
    route.request().method() === "DELETE" ? route.abort() : route.continue(),
  );
  await owner.button("Salir").click();
  await owner.sees("No hay conexión con el servicio.");
  expect(await owner.page.getByRole("heading", { name: "Entre a su portal" }).count()).toBe(0);
  await owner.page.unroute("**/portal/api/session");
  await owner.button("Salir").click();
  await owner.page.getByRole("heading", { name: "Entre a su portal" }).waitFor();
  await owner.context.close();
});

test("an invalid date, typed or in the URL, is ignored and breaks nothing", async () => {
  const { email } = await openAccount(service);
  const owner = await visit(browser, service);
  await owner.signIn(email);
  await owner.goto("/eventos?desde=ayer");
  await owner.page.getByRole("heading", { name: "Eventos", level: 1 }).waitFor();
  // The year field takes six digits: typing on after 2026 makes an impossible year.
  await owner.field("Hasta").fill("20261-01-01T00:00");
  await owner.page.getByRole("heading", { name: "Eventos", level: 1 }).waitFor();
  expect(owner.complaints).toEqual([]);
  await owner.context.close();
});
