import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { sharedService } from "../../support/fixtures.ts";
import { mailsTo } from "../../support/portal.ts";
import { openAccount, sharedBrowser, type Visitor, visit } from "../../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();

/** What the browser saves when a link of the menu "Descargar" is followed. */
async function downloaded({ page, button }: Visitor, format: string): Promise<string> {
  await button("Descargar").click();
  const saving = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: format }).click();
  return readFile(await (await saving).path(), "utf8");
}

test("a key for some addresses stands in the bell and in Registro, and the link of the mail takes it back", async () => {
  const { email } = await openAccount(service);
  const here = await visit(browser, service);
  await here.signIn(email);
  await here.goto("/claves/nueva");
  await here.field("Nombre").fill("ERP de la tienda");
  await here.field("Desde qué direcciones (opcional)").fill("190.24.7.0/24");
  await here.page.getByLabel("Ver los clientes").check();
  await here.button("Continuar").click();
  await here.confirm(email);
  const key = await here.takeSecret();
  await here.sees("190.24.7.0/24");
  const call = () => service.client({ authorization: `Bearer ${key}` }).get("/customers");
  expect((await call()).body.error.code).toBe("ADDRESS_NOT_ALLOWED");

  await here.goto("/");
  await here.button("Avisos: 1 sin leer").click();
  await here.page
    .getByRole("region", { name: "Lista de avisos" })
    .getByText("Se creó una clave de API", { exact: true })
    .waitFor();
  await here.page.keyboard.press("Escape");
  await here.button("Avisos").waitFor();

  await here.goto("/ajustes/registro?que=api_key.create");
  await here.page.getByRole("table").getByText("ERP de la tienda").first().waitFor();
  const csv = await downloaded(here, "CSV");
  expect(csv).toContain("ERP de la tienda");
  expect(csv, "what the filter leaves out").not.toContain("session.opened");
  const lines = (await downloaded(here, "JSON Lines")).trim().split("\n");
  // The account's first key was made on the command line.
  expect(lines.map((line) => JSON.parse(line).action)).toEqual(["api_key.create", "api_key.create"]);

  const mail = await eventually(async () =>
    (await mailsTo(service, email)).find(({ text }) => /\/no-fui-yo#/.test(text)),
  );
  const elsewhere = await visit(browser, service, { width: 375 });
  await elsewhere.goto(/(\/no-fui-yo#[\w-]+)/.exec(mail.text)![1]!);
  await elsewhere.button("No fui yo: deshacerlo").click();
  await elsewhere.sees("Elija una contraseña nueva");
  await here.button("Entrar").waitFor();
  expect((await call()).body.error.code).toBe("API_KEY_REVOKED");
  expect([...here.complaints, ...elsewhere.complaints]).toEqual([]);
});
