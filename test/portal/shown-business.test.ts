import { beforeAll, expect, test } from "vitest";
import { insertMembership } from "../../src/access/people/insert-member.ts";
import { sharedService } from "../support/fixtures.ts";
import { openPortal, type Portal } from "../support/portal.ts";
import { openAccount, sharedBrowser, visit } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();
let portal: Portal;
let other: { accountId: string };

beforeAll(async () => {
  portal = await openPortal(service);
  other = await openPortal(service);
  await alsoOwns(portal.accountId, other.accountId);
});

async function alsoOwns(personId: string, accountId: string): Promise<void> {
  const membership = { personId, accountId, role: "owner", role_id: null, location_ids: null } as const;
  await insertMembership(service.deps.pool, membership, service.deps.clock.now());
}

const shows = (accountId: string) => ({ "mostrador-business": accountId });

test("what a tab writes or asks for the business that it shows is refused once its session is in another", async () => {
  const shown = shows(portal.accountId);
  expect((await portal.patch("/account", { name: "Aquí" }, shown)).status).toBe(200);
  expect((await portal.post("/session/account", { account_id: other.accountId }, shown)).status).toBe(204);

  const written = await portal.patch("/account", { name: "Equivocado" }, shown);
  expect(written.status).toBe(409);
  expect(written.body.error).toMatchObject({ code: "BUSINESS_CHANGED", message: expect.stringContaining("Recargue") });
  const file = await portal.download(`/tables/sales.csv?business=${portal.accountId}`);
  expect(file.status).toBe(409);
  expect((await portal.get("/account")).body.name).not.toBe("Equivocado");

  expect((await portal.download(`/tables/sales.csv?business=${other.accountId}`)).status).toBe(200);
  expect((await portal.patch("/account", { name: "Allá" }, shows(other.accountId))).status).toBe(200);
  expect((await portal.post("/session/account", { account_id: portal.accountId }, shown)).status).toBe(204);
  expect((await portal.get("/account")).body.name).toBe("Aquí");
});

test("an old tab keeps showing its business, says that it must be reloaded, and changes nothing", async () => {
  const shop = await openAccount(service, { name: "Panadería La Espiga" });
  const second = await openAccount(service, { name: "Droguería El Trébol" });
  await alsoOwns(shop.accountId, second.accountId);
  const old = await visit(browser, service);
  await old.signIn(shop.email);
  await old.goto("/ajustes/negocio");
  await old.field("Nombre del negocio").fill("Panadería La Nueva Espiga");

  const tab = await old.context.newPage();
  await tab.goto("/");
  await tab.getByRole("button", { name: "Panadería La Espiga: cambiar de negocio" }).click();
  await tab.getByRole("menuitem", { name: "Droguería El Trébol" }).click();
  await tab.getByRole("button", { name: "Droguería El Trébol: cambiar de negocio" }).waitFor();

  await old.button("Guardar el nombre").click();
  await old.sees("Esta pestaña todavía muestra el negocio anterior");
  await old.page.getByRole("button", { name: "Panadería La Espiga: cambiar de negocio" }).waitFor();
  const { rows } = await service.deps.pool.query("select name from accounts where id = any($1) order by name", [
    [shop.accountId, second.accountId],
  ]);
  expect(rows.map(({ name }) => name)).toEqual(["Droguería El Trébol", "Panadería La Espiga"]);

  await old.button("Recargar").click();
  await old.button("Droguería El Trébol: cambiar de negocio").waitFor();
  expect(old.complaints).toEqual([]);
});
