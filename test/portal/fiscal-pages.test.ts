import { expect, test } from "vitest";
import { warehouses } from "../../src/business/inventory/resource.ts";
import { sql } from "../../src/db/sql.ts";
import { setProfile } from "../../src/fiscal/profile/set-profile.ts";
import { setRange } from "../../src/fiscal/profile/set-range.ts";
import { day } from "../../src/lib/clock.ts";
import { faults, settled } from "../support/axe.ts";
import { documentsOf, plainSale, ringUp, softwarePin } from "../support/fiscal.ts";
import { sharedService } from "../support/fixtures.ts";
import { decideAll } from "../support/issuing.ts";
import { store, warehouseBody } from "../support/records.ts";
import { enrol, upload } from "../support/register.ts";
import { openAccount, sharedBrowser, type Visitor, visit } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();

async function enter(): Promise<{ owner: Visitor; accountId: string; email: string }> {
  const { accountId, email } = await openAccount(service);
  const owner = await visit(browser, service);
  await owner.signIn(email);
  return { owner, accountId, email };
}

/** No serious accessibility fault in light or dark mode, and nothing wider than a phone. */
async function expectSound({ page }: Visitor): Promise<void> {
  await settled(page);
  expect(await faults(page, "light")).toEqual([]);
  expect(await faults(page, "dark")).toEqual([]);
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 375, height: 812 });
  await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBe(375);
  await page.setViewportSize({ width: 1280, height: 900 });
}

test("an owner registers the profile and a range, and each wrong field says what is wrong", async () => {
  const { owner, email } = await enter();
  await owner.goto("/ajustes/facturacion");
  await owner.sees("Sus ventas todavía no tienen documento");
  await expectSound(owner);

  await owner.button("Registrar el perfil fiscal").click();
  await owner.field("NIT").fill("900373923-1");
  await owner.field("PIN del software").fill(softwarePin);
  await owner.button("Enviar el código").click();
  await owner.sees("El dígito de verificación de 900373923-1 no corresponde: para 900373923 es 8.");
  await expectSound(owner);
  await owner.field("NIT").fill("900.373.923-8");
  await owner.button("Enviar el código").click();
  await owner.confirm(email);
  await owner.sees("Perfil fiscal guardado.");
  await owner.sees("900373923-8");
  expect(await owner.page.content()).not.toContain(softwarePin);

  await owner.sees("Todavía no hay rangos");
  await owner.button("Registrar un rango").click();
  await owner.field("Prefijo").fill("epos");
  await owner.field("Primer número").fill("10");
  await owner.field("Último número").fill("9");
  await owner.field("Vigente hasta").fill("2098-12-31");
  await owner.button("Enviar el código").click();
  await owner.sees("El rango va de un número a otro mayor, entre 1 y 999999999.");
  await expectSound(owner);
  await owner.field("Último número").fill("5009");
  await owner.button("Enviar el código").click();
  await owner.confirm(email);
  const row = owner.page.getByRole("row", { name: /EPOS 10–5009/ });
  await row.waitFor();
  expect(await row.textContent()).toMatch(/Documentos POS.*En uso.*10.*5\.000.*Hasta el 31\/12\/2098/);
  await expectSound(owner);

  await owner.button("Corregir EPOS 10–5009").click();
  expect(await owner.field("Primer número").isDisabled()).toBe(true);
  await owner.field("Último número").fill("6009");
  await owner.field("Próximo número (opcional)").fill("20");
  await owner.button("Enviar el código").click();
  await owner.sees(/Los números del 10 al 19 quedarían sin documento/);
  await owner.field("Motivo").fill("Usados en otro sistema");
  await owner.button("Enviar el código").click();
  await owner.confirm(email);
  await owner.page.getByRole("row", { name: /EPOS 10–6009/ }).waitFor();
  await owner.sees(/Saltados 10–19: Usados en otro sistema/);
  await owner.goto("/ajustes/seguridad");
  await owner.sees("Se registró un rango de numeración");
  expect(owner.complaints).toEqual([]);
  await owner.context.close();
});

test("an owner who ran out of numbers sees it on Hoy, registers a range and resends the waiting documents", async () => {
  const { owner, accountId } = await enter();
  await setProfile(service.deps, accountId, { nit: "900373923-8", regime: "iva", softwarePin });
  const range = { kind: "pos", prefix: "EPOS", first: 1, last: 2, validUntil: "2098-12-31" } as const;
  await setRange(service.deps, accountId, range);
  const totals = [10_000, 8_013, 45_600, 3_200];
  const made = await ringUp(service, accountId, (at) => totals.map((total) => plainSale(at, total)));
  await decideAll(service);

  await owner.goto("/");
  await owner.sees("3 ventas están sin documento aceptado por la DIAN.");
  await owner.link("Registrar un rango nuevo").click();
  await owner.sees("No quedan números para documentos POS");
  await owner.sees("Hay documentos por atender");
  await expectSound(owner);
  await owner.link("Vea la causa y reenvíelos").click();
  await owner.page.getByRole("heading", { name: "Corrija la causa y reenvíe" }).waitFor();
  await owner.sees(/Regla: FAD06/);
  await expectSound(owner);

  await owner.button("Reenviar los 3 de la lista").click();
  await owner.sees(/0 documentos van en camino a la DIAN. Se detuvo: El rango de numeración EPOS 1–2/);
  await owner.button("Reenviar EPOS 2").click();
  await owner.sees(/Va en camino a la DIAN/);
  await setRange(service.deps, accountId, { ...range, prefix: "EPO2", last: 100 });
  await owner.button("Reenviar los 2 de la lista").click();
  await owner.sees("2 documentos van en camino a la DIAN.");
  await owner.sees("No hay documentos por atender");
  await expectSound(owner);
  await decideAll(service);
  const documents = await Promise.all(made.map(({ id }) => documentsOf(service, accountId, id)));
  expect(documents.map(([one]) => [one!.prefix, one!.status]).slice(2)).toEqual([
    ["EPO2", "issued"],
    ["EPO2", "issued"],
  ]);
  expect(owner.complaints).toEqual([]);
  await owner.context.close();
});

test("a range is of one register, or of those of a warehouse, which must be named", async () => {
  const { owner, accountId, email } = await enter();
  await setProfile(service.deps, accountId, { nit: "900373923-8", regime: "iva", softwarePin });
  await enrol(service, accountId, { name: "Caja 1" });
  await enrol(service, accountId, { name: "Barra" });
  await store(service.deps, accountId, warehouses, (at) => [{ body: warehouseBody(at, { name: "Sede Laureles" }) }]);
  const choose = async (box: string, option: string) => {
    await owner.page.getByRole("combobox", { name: box }).focus();
    await owner.page.keyboard.press("ArrowDown");
    await owner.page.getByRole("option", { name: option, exact: true }).click();
  };
  const fill = async (prefix: string) => {
    await owner.button("Registrar un rango").click();
    await owner.field("Prefijo").fill(prefix);
    await owner.field("Primer número").fill("1");
    await owner.field("Último número").fill("900");
    await owner.field("Vigente hasta").fill("2098-12-31");
  };
  await owner.goto("/ajustes/facturacion");
  await fill("BARR");
  await choose("Quién lo usa", "Barra");
  await owner.button("Enviar el código").click();
  await owner.confirm(email);
  await owner.sees(/Documentos POS · solo Barra/);

  await fill("LAUR");
  await choose("Quién lo usa", "Sede Laureles");
  await owner.button("Enviar el código").click();
  await owner.sees("Diga qué cajas están en esa bodega.");
  await choose("Cajas de esa bodega", "Caja 1");
  await owner.page.keyboard.press("Tab");
  await owner.button("Enviar el código").click();
  await owner.confirm(email);
  await owner.sees(/solo Sede Laureles/);
  const { rows } = await service.deps.pool.query(sql`
    select prefix, register_id is not null as register, warehouse_id is not null as warehouse from numbering_ranges
    where account_id = ${accountId} order by prefix`);
  expect(rows).toEqual([
    { prefix: "BARR", register: true, warehouse: false },
    { prefix: "LAUR", register: false, warehouse: true },
  ]);
  expect(owner.complaints).toEqual([]);
  await owner.context.close();
});

test("a profile without its postal zone says so where the provider demands it; wrong values are told at their fields", async () => {
  const { accountId, email } = await openAccount(service);
  await setProfile(service.deps, accountId, { nit: "900373923-8", regime: "iva", softwarePin });
  const apidian = { FISCAL_AUTHORITY: "apidian", APIDIAN_URL: "http://127.0.0.1:1/api", APIDIAN_TOKEN: "t" };
  await using sibling = await service.sibling({ ...apidian, SECRET_KEY: service.deps.config.secretKey });
  const owner = await visit(browser, sibling);
  await owner.signIn(email);
  await owner.goto("/ajustes/facturacion");
  await owner.sees("Falta la zona postal del negocio: el proveedor la exige en los documentos POS.");
  await owner.button("Cambiar el perfil fiscal").click();
  await owner.field("Zona postal").fill("0500");
  await owner.button("Enviar el código").click();
  await owner.sees("La zona postal son 6 dígitos, por ejemplo 050021.");
  await owner.field("Zona postal").fill("050021");
  await owner.field("Horas sin la DIAN (opcional)").fill("999");
  await owner.button("Enviar el código").click();
  await owner.sees(/720/);
  await expectSound(owner);
  await owner.field("Horas sin la DIAN (opcional)").fill("6");
  await owner.button("Enviar el código").click();
  await owner.confirm(email);
  await owner.sees("Perfil fiscal guardado.");
  await owner.sees("6 horas antes de entrar en contingencia");
  await owner.sees("050021");
  expect(await owner.page.getByText("Falta la zona postal").count()).toBe(0);
  expect(owner.complaints).toEqual([]);
  await owner.context.close();
});

test("what does not agree is on Hoy, leads to its sale, and is closed there with what was done", async () => {
  const { owner, accountId } = await enter();
  await setProfile(service.deps, accountId, { nit: "900373923-8", regime: "iva", softwarePin });
  await setRange(service.deps, accountId, { kind: "pos", prefix: "EPOS", first: 1, last: 9, validUntil: "2098-12-31" });
  const till = await enrol(service, accountId);
  const sale = plainSale(service.deps.clock.now().toISOString(), 9000);
  await till.put("sale", upload(sale));
  await decideAll(service);
  await till.put("sale", upload({ ...plainSale(sale.occurred_at, 8000), id: sale.id }));

  await owner.goto("/");
  const message =
    /La venta cambió después de su documento EPOS1: el total \(el documento dice \$9000; la venta, \$8000\)/;
  await owner.sees(message);
  expect(await owner.page.getByText(message).count()).toBe(1);
  await owner.link(/^Anule la venta/).click();
  await owner.page.getByRole("heading", { name: "Venta EPOS 1" }).waitFor();
  await owner.sees(message);
  expect(await owner.page.getByText(message).count()).toBe(1);
  await expectSound(owner);
  // That it costs less than it did is another finding.
  const alert = owner.page.getByRole("alert").filter({ hasText: message });
  await alert.getByRole("button", { name: "Ya lo resolví" }).click();
  await owner.button("Dar por resuelto").click();
  expect(await owner.page.getByText("El aviso quedó resuelto.").count()).toBe(0);
  await owner.field("Qué se hizo").fill("Se anuló en la caja");
  await owner.button("Dar por resuelto").click();
  await owner.sees("El aviso quedó resuelto.");
  await expect.poll(() => owner.page.getByText(message).count()).toBe(0);
  await owner.goto("/ajustes/seguridad");
  await owner.sees("Se dio por resuelto un aviso de documentos");
  expect(owner.complaints).toEqual([]);
  await owner.context.close();
});

test("an expired range says since when, on the page that the mail links to", async () => {
  const { owner, accountId } = await enter();
  await setProfile(service.deps, accountId, { nit: "900373923-8", regime: "iva", softwarePin });
  const yesterday = new Date(service.deps.clock.now().getTime() - 2 * day).toISOString().slice(0, 10);
  const range = { kind: "pos", prefix: "EPOS", first: 1, last: 2, validUntil: yesterday } as const;
  await setRange(service.deps, accountId, range);
  // Lower than the page, so that there is something to scroll.
  await owner.page.setViewportSize({ width: 1280, height: 480 });
  await owner.goto("/cuenta#rangos");
  await owner.sees(/EPOS 1–2 venció el \d+\/\d+\/\d{4}\./);
  await expect.poll(() => owner.page.evaluate("window.scrollY")).toBeGreaterThan(100);
  await owner.context.close();
});
