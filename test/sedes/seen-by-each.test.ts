import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { leftText } from "../../src/alerts/find-alerts.ts";
import { sql } from "../../src/db/sql.ts";
import { sharedService } from "../support/fixtures.ts";
import { addMember } from "../support/people.ts";
import { openAgain } from "../support/portal.ts";
import { cashSessionBody, invoiceBody, saleBody } from "../support/records.ts";
import { enrol, upload } from "../support/register.ts";
import { openAccount, sharedBrowser, visit } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();
const wide = { width: 1440, height: 900 };

test("lists say of which sede each row is while all are shown, and forms of the whole business who changes them", async () => {
  const { accountId, email } = await openAccount(service);
  const asOwner = await openAgain(service, { accountId, ...(await service.key(accountId)) }, email);
  await asOwner.get("/locations");
  await asOwner.patch(`/locations/${accountId}`, { name: "Centro", address: "Cl 1 # 2-3", municipality: "05001" });
  const norte = (await asOwner.post("/locations", { name: "Norte", address: "Cra 9", municipality: "05002" })).body.id;
  await service.deps.pool.query(sql`update people set name = 'Marta' where id = ${accountId}`);
  for (const [name, place] of [
    ["Caja 1", accountId],
    ["Caja 2", norte],
  ]) {
    const till = await enrol(service, accountId, { name });
    await asOwner.put(`/devices/${till.deviceId}/location`, { location_id: place });
    const at = new Date().toISOString();
    const shift = cashSessionBody(at, { register_name: name });
    const sale = { ...saleBody(at, { cash_session_id: shift.id }), id: randomUUID() };
    const invoice = invoiceBody(at, { sale_id: sale.id });
    const { body } = await till.push([
      { type: "cash_session", id: shift.id, data: upload(shift) },
      { type: "sale", id: sale.id, data: upload(sale) },
      { type: "invoice", id: invoice.id, data: upload(invoice) },
    ]);
    expect(body.results.map(({ status }: { status: string }) => status)).toEqual(["applied", "applied", "applied"]);
  }
  const owner = await visit(browser, service);
  const { page } = owner;
  await page.setViewportSize(wide);
  await owner.signIn(email);
  for (const [path, table] of [
    ["/turnos", "Turnos"],
    ["/documentos", "Documentos"],
  ] as const) {
    await owner.goto(path);
    const list = page.getByRole("table", { name: table });
    await list.getByRole("columnheader", { name: "Sede" }).waitFor();
    for (const sede of ["Centro", "Norte"]) await list.getByRole("cell", { name: sede, exact: true }).waitFor();
    await page.getByLabel("Sede", { exact: true }).selectOption({ label: "Norte" });
    await list.getByRole("columnheader", { name: "Sede" }).waitFor({ state: "detached" });
    await page.getByLabel("Sede", { exact: true }).selectOption({ index: 0 });
  }
  await owner.goto("/ajustes/sedes");
  await owner.sees("Cl 1 # 2-3 · Medellín, Antioquia");
  await owner.sees("Cra 9 · Municipio 05002, Antioquia");

  const member = await addMember(service, accountId, "administrator", { locationIds: [norte] });
  const here = await visit(browser, service);
  await here.page.setViewportSize(wide);
  await here.signIn(member.email);
  const reason = `Es de todo el negocio, y usted ve solo algunas sedes: para cambiarlo, avise a Marta (${email}).`;
  for (const [path, field] of [
    ["/ajustes/negocio", "Nombre del negocio"],
    ["/ajustes/papeles", "Frase al final"],
    ["/ajustes/mostrador", "Encabezado del tiquete"],
  ] as const) {
    await here.goto(path);
    await here.page.getByText(reason).first().waitFor();
    expect(await here.page.getByLabel(field).isDisabled(), path).toBe(true);
  }
  await owner.goto("/ajustes/negocio");
  expect(await owner.page.getByLabel("Nombre del negocio").isDisabled()).toBe(false);
  expect([...owner.complaints, ...here.complaints]).toEqual([]);
});

test("what is left is said in words, below zero as well", () => {
  expect([-51, 0, 1, 3, -1_200].map(leftText)).toEqual([
    "se vendieron 51 más de las que había; cuente las que hay",
    "no queda ninguna",
    "queda 1",
    "quedan 3",
    "se vendieron 1.200 más de las que había; cuente las que hay",
  ]);
});
