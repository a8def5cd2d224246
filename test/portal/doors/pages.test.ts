import { expect, test } from "vitest";
import { minute, second } from "../../../src/lib/clock.ts";
import { faults, settled } from "../../support/axe.ts";
import { telephone } from "../../support/doors.ts";
import { sharedService } from "../../support/fixtures.ts";
import { layoutFaults } from "../../support/layout.ts";
import { mailsTo, password } from "../../support/portal.ts";
import { openAccount, sharedBrowser, type Visitor, visit } from "../../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();

/** Adds an application as a person does who types its key, and resolves with what her telephone shows. */
async function addApplication({ page, button, sees }: Visitor): Promise<ReturnType<typeof telephone>> {
  await button("Agregar una aplicación").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Su contraseña").fill(password);
  await dialog.getByRole("button", { name: "Seguir" }).click();
  await dialog.getByRole("img", { name: "Código QR para su aplicación" }).waitFor();
  const secret = (await page.getByTestId("totp-secret").textContent())?.replaceAll(" ", "") ?? "";
  const phone = telephone(service, secret);
  await dialog.getByLabel("Código de 6 dígitos").fill(phone.code());
  await dialog.getByRole("button", { name: "Activar" }).click();
  await sees("Sus códigos de recuperación");
  await button("Ya lo guardé").click();
  return phone;
}

const pass = (ms: number) => service.deps.clock.shiftTo(service.deps.clock.offsetMs() + ms);

test("an owner adds an application, signs in with it elsewhere, and is asked again before she makes a key", async () => {
  const { email } = await openAccount(service);
  const here = await visit(browser, service);
  await here.signIn(email);
  await here.goto("/ajustes/seguridad");
  await here.sees("Sin activar");
  const phone = await addApplication(here);
  await here.sees("Le quedan 10 de 10");

  const elsewhere = await visit(browser, service, { width: 375 });
  await elsewhere.goto("/ingreso");
  await elsewhere.field("Correo").fill(email);
  await elsewhere.field("Contraseña").fill(password);
  await elsewhere.button("Entrar").click();
  await elsewhere.sees("Confirme que es usted");
  expect(await faults(elsewhere.page, "light")).toEqual([]);
  expect(await layoutFaults(elsewhere.page)).toEqual([]);
  await elsewhere.field("Código de su aplicación").fill("000000");
  await elsewhere.button("Entrar").click();
  await elsewhere.sees("El código no es correcto o ya se usó");
  await elsewhere.field("Código de su aplicación").fill(phone.next());
  await elsewhere.button("Entrar").click();
  await elsewhere.page.getByRole("heading", { name: "Hoy", level: 1 }).waitFor();

  pass(10 * minute + second);
  await here.goto("/claves/nueva");
  await here.field("Nombre").fill("ERP");
  await here.page.getByRole("checkbox").first().check();
  await here.page.getByRole("button", { name: "Continuar" }).click();
  await here.sees("Confirme que es usted");
  await here.field("Código de su aplicación").fill(phone.code());
  await here.button("Seguir").click();
  await here.button("Usar mi segundo paso").click();
  expect(await here.takeSecret()).toMatch(/^mst_test_/);
  expect(here.complaints).toEqual([]);
});

test("a factor gets another name, and the page says why it offers no passkeys at an address", async () => {
  const { email } = await openAccount(service);
  const here = await visit(browser, service);
  await here.signIn(email);
  await here.goto("/ajustes/seguridad");
  await here.sees("necesitan que el portal tenga un nombre");
  await addApplication(here);
  await here.button("Cambiar el nombre").click();
  await here.page.getByRole("dialog").getByLabel("Nombre").fill("El celular de la tienda");
  await here.page.getByRole("dialog").getByRole("button", { name: "Guardar" }).click();
  await here.page.getByRole("table", { name: "Segundos pasos" }).getByText("El celular de la tienda").waitFor();
  expect(here.complaints).toEqual([]);
});

test("whoever has a second step is asked for it when she accepts an invitation", async () => {
  const { email } = await openAccount(service);
  const shop = await openAccount(service, { name: "Droguería El Trébol" });
  const here = await visit(browser, service);
  await here.signIn(email);
  await here.goto("/ajustes/seguridad");
  const phone = await addApplication(here);
  const inviting = await visit(browser, service);
  await inviting.signIn(shop.email);
  await inviting.goto("/ajustes/personas");
  await inviting.button("Invitar").click();
  await inviting.field("Correo").fill(email);
  await inviting.page.getByRole("radio", { name: "Contador" }).check();
  await inviting.button("Enviar la invitación").click();
  await inviting.sees("La invitación va en camino");
  const mail = (await mailsTo(service, email)).find(({ text }) => text.includes("/invitacion#"));
  const elsewhere = await visit(browser, service, { width: 375 });
  await elsewhere.goto(/(\/invitacion#[\w-]+)/.exec(mail!.text)![1]!);
  await elsewhere.field("Su contraseña").fill(password);
  await elsewhere.button("Entrar a Droguería El Trébol").click();
  await elsewhere.sees("Ya hace parte de Droguería El Trébol");
  await elsewhere.field("Código de su aplicación").fill(phone.next());
  await elsewhere.button("Entrar").click();
  await elsewhere.page.getByRole("heading", { name: "Hoy", level: 1 }).waitFor();
  expect(elsewhere.complaints).toEqual([]);
});

test("whoever cancels the question reads that nothing happened", async () => {
  const { email } = await openAccount(service);
  const here = await visit(browser, service);
  await here.signIn(email);
  await here.goto("/ajustes/seguridad");
  await addApplication(here);
  pass(10 * minute + second);
  await here.button("Hacer códigos nuevos").click();
  await here.sees("Confirme que es usted");
  await here.page.keyboard.press("Escape");
  await here.sees("Para este cambio muestre otra vez su segundo paso");
});

test("whoever must have a second step is led to it after signing in, and nowhere else until she has one", async () => {
  const { accountId, email } = await openAccount(service);
  const here = await visit(browser, service, { width: 375 });
  await here.signIn(email);
  await here.goto("/ajustes/seguridad");
  await here.field("Exigir un segundo paso a todas las personas").check();
  await here.page
    .getByRole("region", { name: "Lo que se exige en el negocio" })
    .getByRole("button", { name: "Guardar" })
    .click();
  await here.sees("pide a todas las personas un segundo paso");
  expect(new URL(here.page.url()).pathname).toBe("/ajustes/seguridad/segundo-paso");
  await here.goto("/ventas");
  await here.sees("pide a todas las personas un segundo paso");
  expect(await faults(here.page, "light")).toEqual([]);
  await addApplication(here);
  await here.goto("/ventas");
  await here.page.getByRole("heading", { name: "Ventas", level: 1 }).waitFor();
  expect(accountId).toBeTruthy();
});

test.each([
  [375, "light"],
  [375, "dark"],
  [1440, "light"],
  [1440, "dark"],
] as const)("Seguridad can be read at %i px, %s", async (width, scheme) => {
  const { email } = await openAccount(service);
  const here = await visit(browser, service, { width, scheme });
  await here.signIn(email);
  await here.goto("/ajustes/seguridad");
  const phone = await addApplication(here);
  await here.page.request.delete("/portal/api/session", { headers: { origin: service.deps.config.publicUrl } });
  await here.goto("/ingreso");
  await here.field("Correo").fill(email);
  await here.field("Contraseña").fill(password);
  await here.button("Entrar").click();
  await here.field("Código de su aplicación").fill(phone.next());
  await here.button("Entrar").click();
  await here.page.getByRole("heading", { name: "Hoy", level: 1 }).waitFor();
  await here.goto("/ajustes/seguridad");
  await here.sees("Este navegador");
  await settled(here.page);
  expect(await faults(here.page, scheme)).toEqual([]);
  expect(await layoutFaults(here.page)).toEqual([]);
  if (process.env.SCREENSHOTS) {
    await here.page.setViewportSize({ width, height: 900 });
    await here.page.screenshot({ path: `${process.env.SCREENSHOTS}/seguridad-${width}-${scheme}.png`, fullPage: true });
  }
});
