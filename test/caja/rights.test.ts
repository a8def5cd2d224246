import { expect, test } from "vitest";
import { theOperator } from "../../src/access/accounts/record-audit.ts";
import { readCounterSettings, setCounterSettings } from "../../src/business/counter/business-info.ts";
import { updateCashier } from "../../src/business/counter/cashiers.ts";
import { readActs } from "../../src/business/counter/counter-acts.ts";
import type { Right } from "../../src/business/counter/rights.ts";
import { afterScan, type Caja, expectTidy, newCaja, scan, storedSales, tablet, throwAway } from "../support/caja.ts";
import { authorize, beginAs, pins, signIn, supervisedNames, supervisedShop } from "../support/cashiers.ts";
import { sharedService } from "../support/fixtures.ts";
import { sharedBrowser, visit } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();
const names = supervisedNames;
const shop = (permissions: readonly Right[] = []) => supervisedShop(service, permissions);
const begin = (caja: Caja) => beginAs(caja, service, "Ana");

const actsOf = async (accountId: string) =>
  (await readActs(service.deps.pool, accountId, {}, 100)).map(
    ({ kind, cashier, authorized_by, amount, is_allowed }) => ({
      ...{ kind, cashier, authorized_by, amount, is_allowed },
    }),
  );

test("without the right a supervisor allows a discount and a cancellation with her PIN, offline too, and the owner sees both names", async () => {
  const { accountId, email } = await shop();
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  const { page } = caja;
  await begin(caja);
  await caja.uploaded();
  await page.evaluate("navigator.serviceWorker.ready.then(() => undefined)");
  await context.own.setOffline(true);

  await page.getByRole("button", { name: names[2]! }).first().click();
  await page.keyboard.press("F6");
  await page.getByLabel("Descuento", { exact: true }).fill("10");
  await page.getByRole("button", { name: "Guardar" }).click();
  const dialog = page.getByRole("dialog", { name: "Autoriza un supervisor" });
  await dialog.getByText("Ana no puede hacer descuentos.", { exact: false }).waitFor();
  await expectTidy(page, "autoriza");
  // A scan meanwhile neither sells nor drops what is being allowed, and says so.
  await scan(page, "7700000001");
  await dialog.getByText("Lo que escaneó no se agregó", { exact: false }).waitFor();
  await afterScan();
  // Nobody allows it: the ticket is as it was.
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(await page.getByRole("button", { name: /^Cobrar \$3\.000/ }).count()).toBe(1);
  await page.getByRole("button", { name: "Guardar" }).click();
  await authorize(page);
  await page.getByRole("button", { name: /^Cobrar \$2\.700/ }).click();
  await page.getByRole("button", { name: "Exacto" }).click();
  await page.getByRole("button", { name: "Nueva venta" }).click();
  // It was for that one act; Ana is still at the counter, and the next discount asks again.
  await page.getByRole("button", { name: names[1]! }).first().click();
  await page
    .getByLabel("Tiquete")
    .getByRole("button", { name: /Pan tajado/ })
    .click();
  await page.getByLabel("Descuento en %").fill("50");
  await page.getByRole("button", { name: "Guardar" }).click();
  await dialog.waitFor();
  await dialog.getByRole("button", { name: "Cerrar" }).click();
  await page.getByRole("dialog", { name: "Pan tajado" }).getByRole("button", { name: "Quitar" }).click();

  await page.getByRole("button", { name: "Ventas" }).click();
  await page.getByRole("button", { name: /Leche/ }).click();
  await page.getByRole("button", { name: "Anular" }).click();
  await page.getByRole("button", { name: "Sí, anular" }).click();
  await authorize(page);
  await page.getByText("anulada", { exact: false }).first().waitFor();
  await context.own.setOffline(false);
  await page.keyboard.press("Escape");
  await caja.uploaded();
  expect(await actsOf(accountId)).toEqual(
    expect.arrayContaining([
      { kind: "discount", cashier: "Ana", authorized_by: "Luz", amount: 300, is_allowed: true },
      { kind: "sale_cancelled", cashier: "Ana", authorized_by: "Luz", amount: 2700, is_allowed: true },
    ]),
  );
  expect((await actsOf(accountId)).length).toBe(2);

  const owner = await visit(browser, service);
  await owner.signIn(email);
  await owner.goto("/actos");
  await owner.sees("Ana, autorizó Luz");
  const [sale] = await storedSales(service, accountId);
  await owner.goto(`/ventas/${sale!.id}`);
  await owner.sees(/Venta anulada .*: Ana, autorizó Luz/);
  expect(await owner.page.getByText("no podía").count()).toBe(0);
  expect(owner.complaints).toEqual([]);
  await owner.context.close();
});

test("a right that was taken away while the register was offline is flagged: in Hoy, among the acts and in the sale", async () => {
  const { accountId, email, ana } = await shop(["discount", "free_line"]);
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  const { page } = caja;
  await begin(caja);
  await caja.uploaded();
  await page.evaluate("navigator.serviceWorker.ready.then(() => undefined)");
  await context.own.setOffline(true);
  // A question that is under way would still be answered.
  await page.reload();
  await signIn(page, "Ana");
  await updateCashier(service.deps, accountId, ana.id, { permissions: [] }, theOperator);
  await page.getByRole("button", { name: names[2]! }).first().click();
  await page.keyboard.press("F6");
  await page.getByLabel("Descuento", { exact: true }).fill("10");
  await page.getByRole("button", { name: "Guardar" }).click();
  await page.getByRole("button", { name: /^Cobrar \$2\.700/ }).click();
  await page.getByRole("button", { name: "Exacto" }).click();
  await page.getByRole("button", { name: "Nueva venta" }).click();
  await context.own.setOffline(false);
  await caja.uploaded();
  expect(await actsOf(accountId)).toEqual([
    { kind: "discount", cashier: "Ana", authorized_by: null, amount: 300, is_allowed: false },
  ]);
  const owner = await visit(browser, service, { width: 375, height: 800 });
  await owner.signIn(email);
  await owner.sees("1 acto de caja se hizo sin permiso.");
  await owner.goto("/actos?permiso=unauthorized");
  await owner.sees("Ana no podía hacer descuentos y nadie lo autorizó.");
  const [sale] = await storedSales(service, accountId);
  await owner.goto(`/ventas/${sale!.id}`);
  await owner.sees("Ana no podía hacer descuentos y nadie lo autorizó.");
  await owner.context.close();
});

test("what was on hold is not taken off without the right; what is thrown away is told", async () => {
  const { accountId } = await shop();
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  const { page } = caja;
  await begin(caja);
  const quit = async (name: string) => {
    await page
      .getByLabel("Tiquete")
      .getByRole("button", { name: new RegExp(name) })
      .click();
    await page.getByRole("dialog", { name }).getByRole("button", { name: "Quitar" }).click();
  };
  // Before it was kept, a line is taken off freely and nobody is told.
  for (const name of names) await page.getByRole("button", { name }).first().click();
  await quit("Café molido 250 g");
  await page.keyboard.press("F7");
  await page.getByRole("button", { name: /^De las? \d/ }).click();
  await quit("Leche 1 L");
  await authorize(page);
  await page.getByLabel("Tiquete").getByRole("button", { name: /Leche/ }).waitFor({ state: "detached" });
  await throwAway(page);
  await authorize(page);
  await page.getByText("Escanee o toque un producto para empezar.").waitFor();
  // A ticket that was never on hold is thrown away by anybody, and the owner is told all the same.
  await page.getByRole("button", { name: names[0]! }).first().click();
  await throwAway(page);
  await page.getByText("Escanee o toque un producto para empezar.").waitFor();
  await expect.poll(() => actsOf(accountId).then((acts) => acts.length)).toBe(3);
  expect(await actsOf(accountId)).toEqual([
    { kind: "ticket_dropped", cashier: "Ana", authorized_by: null, amount: 1000, is_allowed: true },
    { kind: "ticket_dropped", cashier: "Ana", authorized_by: "Luz", amount: 2000, is_allowed: true },
    { kind: "line_removed", cashier: "Ana", authorized_by: "Luz", amount: 3000, is_allowed: true },
  ]);
});

test("cash, free lines, prices, the X, stock and the close ask for a supervisor too", async () => {
  const { accountId } = await shop();
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  const { page } = caja;
  await begin(caja);
  await page.getByRole("button", { name: names[0]! }).first().click();
  await page.getByLabel("Tiquete").getByRole("button", { name: /Café/ }).click();
  await page.getByLabel("Precio de cada uno").fill("800");
  await page.getByRole("button", { name: "Guardar" }).click();
  await page.getByRole("dialog", { name: "Autoriza un supervisor" }).waitFor();
  // On a phone too, and turning it loses nothing.
  await page.setViewportSize({ width: 375, height: 700 });
  await expectTidy(page, "autoriza");
  await page.setViewportSize({ width: 1366, height: 800 });
  await authorize(page);
  await page.getByRole("button", { name: "Línea libre" }).click();
  await page.getByLabel("Qué se vende").fill("Bolsa de hielo");
  await page.getByLabel("Precio", { exact: true }).fill("4000");
  await page.getByRole("button", { name: "Agregar", exact: true }).click();
  await authorize(page);
  await page.getByRole("button", { name: /^Cobrar \$4\.800/ }).click();
  await page.getByRole("button", { name: "Exacto" }).click();
  await page.getByRole("button", { name: "Nueva venta" }).click();
  await page.getByRole("button", { name: "Existencias" }).click();
  await page.getByRole("button", { name: /Pan tajado/ }).click();
  await page.getByRole("button", { name: "Recibir" }).click();
  await page.getByLabel("Cuánto llegó", { exact: false }).fill("12");
  await page.getByRole("button", { name: "Registrar la entrada" }).click();
  await authorize(page);
  await page.getByText("Entraron 12 und.").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Turno", exact: true }).click();
  expect(await page.getByText("Efectivo esperado").count()).toBe(0);
  await page.getByRole("button", { name: "Informe X" }).click();
  await authorize(page);
  await page.getByRole("button", { name: "Listo" }).click();
  await page.getByRole("button", { name: "Entrada o salida de efectivo" }).click();
  await page.getByLabel("Valor").fill("10000");
  await page.getByLabel("Motivo").fill("Hielo");
  await page.getByRole("button", { name: "Registrar" }).click();
  await authorize(page);
  await page.getByRole("button", { name: "Cerrar turno" }).click();
  await page.getByLabel("$20.000").fill("2");
  expect(await page.getByText("Falta", { exact: true }).count()).toBe(0);
  await page.getByRole("dialog").getByRole("button", { name: "Cerrar turno" }).click();
  await authorize(page);
  await page.getByText("CIERRE DE TURNO (Z)").waitFor();
  await caja.uploaded();
  const acts = await actsOf(accountId);
  expect(acts.map(({ kind }) => kind).sort()).toEqual(
    ["cash_moved", "expected_cash_seen", "free_line", "price", "shift_closed", "stock_moved"].sort(),
  );
  expect(acts.every(({ authorized_by, is_allowed }) => authorized_by === "Luz" && is_allowed)).toBe(true);
  const [priced] = await readActs(service.deps.pool, accountId, { kind: "price" }, 1);
  expect(priced!.detail).toMatch(/^1 × Café.*, de \$[\d.]+ a \$800$/);
  expect(priced!.amount).toBeGreaterThan(0);
});

test("wrong PINs wait across reloads, and from the tenth on the owner is told", async () => {
  const { accountId, email } = await shop();
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  const { page } = caja;
  await page.clock.install({ time: new Date() });
  await begin(caja);
  await page.keyboard.press("Control+b");
  const guess = async () => {
    await page.getByLabel("PIN").fill("0000");
    await page.getByRole("button", { name: "Entrar" }).click();
  };
  const choose = () => page.getByRole("button", { name: "Luz", exact: true }).click();
  await choose();
  for (let i = 0; i < 2; i++) {
    await guess();
    await page.getByText("El PIN no es ese.", { exact: false }).waitFor();
  }
  await guess();
  const waiting = page.getByText("Hubo varios PIN equivocados. Espere", { exact: false });
  await waiting.waitFor();
  for (let i = 4; i <= 10; i++) {
    await page.clock.fastForward(2 ** (i - 4) * 1000 + 500);
    await waiting.waitFor({ state: "detached" });
    await guess();
    await waiting.waitFor();
  }
  await page.reload();
  await choose();
  await waiting.waitFor();
  await page.getByLabel("PIN").fill(pins.Luz);
  expect(await page.getByRole("button", { name: "Entrar" }).isDisabled()).toBe(true);
  // Ana is not delayed by it.
  await page.getByRole("button", { name: "Otra persona" }).click();
  await signIn(page, "Ana");
  await page.getByLabel("Buscar o escanear").waitFor();
  await caja.uploaded();
  expect(await actsOf(accountId)).toEqual([
    { kind: "wrong_pins", cashier: "Luz", authorized_by: null, amount: 10, is_allowed: true },
  ]);
  const owner = await visit(browser, service);
  await owner.signIn(email);
  await owner.sees("En una caja se escribieron diez o más PIN equivocados seguidos.");
  await owner.context.close();
});

test("the screen locks after the time that the owner sets, and the ticket stays", async () => {
  const { accountId } = await shop();
  const settings = await readCounterSettings(service.deps.pool, accountId);
  await setCounterSettings(service.deps, accountId, { ...settings, lock_minutes: 5 });
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  const { page } = caja;
  await page.clock.install({ time: new Date() });
  await begin(caja);
  await page.getByRole("button", { name: names[0]! }).first().click();
  await page.clock.fastForward(4 * 60_000);
  await page.getByRole("button", { name: names[1]! }).first().click();
  await page.clock.fastForward(4 * 60_000);
  await page.getByRole("button", { name: /^Cobrar \$3\.000/ }).waitFor();
  await page.clock.fastForward(2 * 60_000);
  await page.getByText("¿Quién atiende?").waitFor();
  await signIn(page, "Luz");
  await page.getByRole("button", { name: /^Cobrar \$3\.000/ }).waitFor();
});
