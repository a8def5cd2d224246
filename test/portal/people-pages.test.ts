import { beforeAll, expect, test } from "vitest";
import { type BuiltInRole, builtInRoles } from "../../src/access/people/rights.ts";
import { settled } from "../support/axe.ts";
import { shared, sharedService } from "../support/fixtures.ts";
import { expectSoundPage } from "../support/page-checks.ts";
import { addMember } from "../support/people.ts";
import { mailsTo, password } from "../support/portal.ts";
import { openAccount, sharedBrowser, type Visitor, visit } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();
const owner = shared(() => visit(browser, service));
let shop: Awaited<ReturnType<typeof openAccount>>;
const emails = {} as Record<BuiltInRole, string>;

beforeAll(async () => {
  shop = await openAccount(service, { name: "Panadería La Espiga" });
  for (const role of builtInRoles) emails[role] = (await addMember(service, shop.accountId, role)).email;
});

async function signIn(visitor: Visitor, email: string): Promise<void> {
  await visitor.goto("/ingreso");
  await visitor.field("Correo").fill(email);
  await visitor.field("Contraseña").fill(password);
  await visitor.button("Entrar").click();
  await visitor.page.getByRole("navigation", { name: "Secciones" }).waitFor();
}

test.each(builtInRoles)("no entry of the menu of the role %s leads to something it may not read", async (role) => {
  const visitor = await visit(browser, service, { width: 1440 });
  const { page } = visitor;
  const refused: string[] = [];
  page.on("response", (response) => {
    if (response.status() === 403) refused.push(`${new URL(page.url()).pathname}: ${response.url()}`);
  });
  await signIn(visitor, emails[role]);
  const links = page.getByRole("navigation", { name: "Secciones" }).getByRole("link");
  const paths = await links.evaluateAll((all) => all.map((one) => one.getAttribute("href") ?? ""));
  expect(paths.length).toBeGreaterThan(role === "developer" ? 5 : 9);
  for (const path of paths) {
    await page.getByRole("navigation", { name: "Secciones" }).locator(`a[href="${path}"]`).click();
    await page.getByRole("heading", { level: 1 }).waitFor();
    await settled(page);
    expect(await page.getByRole("heading", { name: "Esta página no es de su rol" }).count(), path).toBe(0);
  }
  expect(refused).toEqual([]);
  expect(visitor.complaints).toEqual([]);
});

test("a page that is not for one's role says who can give it, and who may not see Hoy begins with what is", async () => {
  const visitor = await visit(browser, service);
  await signIn(visitor, emails.developer);
  await visitor.page.getByRole("heading", { name: "Actividad", level: 1 }).waitFor();
  await visitor.goto("/ventas");
  await visitor.sees("Esta página no es de su rol");
  await visitor.sees("Aquí usted entra como Desarrollador.");
  await visitor.sees(shop.email);
});

test("an owner invites, the invited sets her password and enters, and the owner takes her out", async () => {
  const email = "luz-marina@example.com";
  await owner.signIn(shop.email);
  await owner.goto("/ajustes/personas");
  await owner.button("Invitar").click();
  await owner.field("Correo").fill(email);
  await owner.page.getByRole("radio", { name: "Contador" }).check();
  await owner.button("Enviar la invitación").click();
  await owner.sees("La invitación va en camino");
  await owner.page.getByRole("table", { name: "Invitaciones abiertas" }).getByText(email).waitFor();

  const [mail] = await mailsTo(service, email);
  const invited = await visit(browser, service, { width: 375 });
  await invited.goto(/(\/invitacion#[\w-]+)/.exec(mail!.text)![1]!);
  await invited.sees("Lo invitaron como Contador.");
  await invited.field("Su nombre").fill("Luz Marina Rojas");
  await invited.field("Contraseña").fill("lluvia sobre tejas");
  await invited.button("Entrar a Panadería La Espiga").click();
  await invited.page.getByRole("heading", { name: "Hoy", level: 1 }).waitFor();

  await owner.goto("/ajustes/personas");
  const row = owner.page.getByRole("row").filter({ hasText: "Luz Marina Rojas" });
  await row.getByRole("button", { name: "Retirar" }).click();
  await owner.page.getByRole("dialog").getByRole("button", { name: "Retirar" }).click();
  await row.waitFor({ state: "detached" });
  await invited.page.getByRole("button", { name: "Entrar" }).waitFor();
  expect([...owner.complaints, ...invited.complaints]).toEqual([]);
});

test("a role of the business's own is made from the list of rights and given", async () => {
  await owner.goto("/ajustes/personas");
  await owner.button("Armar un rol").click();
  await owner.field("Nombre").fill("Bodeguero");
  await owner.page.getByLabel("Ver el inventario").check();
  await owner.page.getByLabel("Mover existencias").check();
  await owner.button("Guardar").click();
  const roles = owner.page.getByRole("table", { name: "Roles" });
  await roles.getByText("Ver el inventario, mover existencias.").waitFor();
  const row = owner.page.getByRole("row").filter({ hasText: emails.manager });
  await row.getByRole("button", { name: "Cambiar el rol" }).click();
  await owner.page.getByRole("radio", { name: "Bodeguero" }).check();
  await owner.button("Guardar").click();
  await row.getByText("Bodeguero").waitFor();
});

test("a person of the business gets a PIN in Mostrador, is one in both lists, and leaves both at once", async () => {
  const { email } = await addMember(service, shop.accountId, "manager", { name: "Camila Torres" });
  const visitor = await visit(browser, service);
  await visitor.signIn(shop.email);
  await visitor.goto("/ajustes/mostrador");
  await visitor.button("Agregar a una persona del negocio").click();
  const dialog = visitor.page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: "Persona" }).click();
  await visitor.page.getByRole("option", { name: "Camila Torres" }).click();
  await dialog.getByLabel("PIN").fill("4321");
  await dialog.getByRole("button", { name: "Guardar" }).click();
  const cashiers = visitor.page.getByRole("table", { name: "Quién atiende" }).getByRole("row");
  const row = cashiers.filter({ hasText: "Camila Torres" });
  await row.getByText("Persona del negocio").waitFor();
  await row.getByRole("button", { name: "Cambiar el PIN" }).click();
  await dialog.getByLabel("PIN nuevo").fill("87654");
  await dialog.getByText("se cambian en Personas").waitFor();
  await dialog.getByRole("button", { name: "Guardar" }).click();
  await dialog.waitFor({ state: "detached" });
  await expectSoundPage(visitor, "/ajustes/mostrador");

  await visitor.goto("/ajustes/personas");
  const member = visitor.page.getByRole("row").filter({ hasText: email });
  await member.getByText("Atiende en la caja").waitFor();
  await member.getByRole("button", { name: "Retirar" }).click();
  await dialog.getByText("su PIN deja de servir en las cajas").waitFor();
  await dialog.getByRole("button", { name: "Retirar" }).click();
  await member.waitFor({ state: "detached" });
  await visitor.goto("/ajustes/mostrador");
  await visitor.sees("Nadie en la lista");

  await visitor.goto("/ajustes/seguridad");
  await visitor.page.getByRole("textbox", { name: "PIN" }).fill("24680");
  await visitor.button("Guardar el PIN").click();
  await visitor.sees("PIN guardado");
  await visitor.goto("/ajustes/mostrador");
  await visitor.sees("Persona del negocio");
});

test("somebody with two businesses goes from one to the other by the name in the header", async () => {
  const other = await openAccount(service, { name: "Droguería El Trébol" });
  const now = service.deps.clock.now();
  await service.deps.pool.query(
    "insert into memberships (person_id, account_id, role, created_at, updated_at) values ($1, $2, 'owner', $3, $3)",
    [shop.accountId, other.accountId, now],
  );
  const visitor = await visit(browser, service, { width: 375 });
  await visitor.signIn(shop.email);
  await visitor.button("Panadería La Espiga: cambiar de negocio").click();
  await visitor.page.getByRole("menuitem", { name: "Droguería El Trébol" }).click();
  await visitor.button("Droguería El Trébol: cambiar de negocio").waitFor();
  expect(visitor.complaints).toEqual([]);
});

test("the page of people is sound at every width", async () => {
  await expectSoundPage(owner, "/ajustes/personas");
});
