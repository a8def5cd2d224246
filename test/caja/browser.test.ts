import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { theOperator } from "../../src/access/accounts/record-audit.ts";
import { revokeDevice } from "../../src/access/devices/revoke-device.ts";
import { createCashier } from "../../src/business/counter/cashiers.ts";
import { sql } from "../../src/db/sql.ts";
import { cajaOn, expectTidy, furnishShop, newCaja, scan, storedSales, tablet } from "../support/caja.ts";
import { fiscalBusiness } from "../support/fiscal.ts";
import { sharedService } from "../support/fixtures.ts";
import { decideAll } from "../support/issuing.ts";
import { sharedBrowser } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();
const names = ["Café molido 250 g", "Pan tajado", "Leche 1 L"];

async function shop(products: readonly string[] = names): Promise<string> {
  const { accountId } = await service.business();
  await furnishShop(service, accountId, products);
  return accountId;
}

test("a cashier links, opens, sells by search, by scanner and by touch, and the document comes down to the ticket", async () => {
  const { accountId } = await fiscalBusiness(service);
  await furnishShop(service, accountId, names);
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  const { page } = caja;
  await caja.start("Caja de la entrada");
  await page.getByLabel("Buscar o escanear").fill("cafe mol");
  await page.keyboard.press("Enter");
  await page.getByLabel("Tiquete").getByText("Café molido 250 g").waitFor();
  // A scanner types its code and Enter, wherever the focus is.
  await page.getByLabel("Buscar o escanear").blur();
  await scan(page, "7700000002");
  await page.getByLabel("Tiquete").getByText("Leche 1 L").waitFor();
  await page.getByRole("button", { name: "Cobrar $4.000" }).click();
  await page.getByLabel("Recibido").fill("5000");
  await page.getByText("Cambio").waitFor();
  await page.getByRole("button", { name: "Cobrar en efectivo" }).click();
  await page.getByRole("heading", { name: "Venta 1 registrada" }).waitFor();
  await expect.poll(() => storedSales(service, accountId)).toHaveLength(1);
  await page.getByText("La DIAN todavía no ha respondido", { exact: false }).waitFor();
  await decideAll(service);
  await page.getByRole("img", { name: "Código QR del documento" }).waitFor();
  expect(await page.locator(".paper").textContent()).toContain("EPOS1");
});

test("sold offline, reloaded offline and sold again: everything is on the server once after it reconnects", async () => {
  const accountId = await shop();
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  const { page } = caja;
  await caja.start();
  await caja.sell(names[0]!);
  await caja.uploaded();
  await page.evaluate("navigator.serviceWorker.ready.then(() => undefined)");
  await context.own.setOffline(true);
  expect(await caja.sell(names[1]!, names[2]!)).toBe(2);
  await page.getByText("Sin conexión", { exact: false }).waitFor();
  await page.reload();
  expect(await caja.sell(names[0]!, names[0]!)).toBe(3);
  await page.getByText(/Sin conexión · \d+ ventas? por subir/).waitFor();
  expect(await storedSales(service, accountId)).toHaveLength(1);
  await context.own.setOffline(false);
  await caja.uploaded();
  const totals = (await storedSales(service, accountId)).map(({ total }) => total).sort();
  expect(totals).toEqual([1000, 2000, 5000]);
});

test("a second tab says that the register is open elsewhere, and may take over", async () => {
  const accountId = await shop();
  await using context = await tablet(browser);
  const first = await newCaja(context.own, service, accountId);
  await first.start();
  await first.sell(names[0]!);
  const second = await newCaja(context.own, service, accountId);
  await second.page.goto(`${service.baseUrl}/caja/`);
  await second.page.getByText("La caja está abierta en otra pestaña").waitFor();
  await second.page.getByRole("button", { name: "Usarla aquí" }).click();
  await first.page.getByText("La caja está abierta en otra pestaña").waitFor();
  expect(await second.sell(names[1]!)).toBe(2);
  await second.uploaded();
  expect(await storedSales(service, accountId)).toHaveLength(2);
});

test("a register that was withdrawn keeps what it sold, and uploads it once it is linked again", async () => {
  const accountId = await shop();
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  await caja.start("Caja retirada");
  await caja.sell(names[0]!);
  await caja.uploaded();
  await context.own.setOffline(true);
  await caja.sell(names[1]!);
  const { rows } = await service.deps.pool.query(sql`
    select id from devices where account_id = ${accountId} and name = 'Caja retirada'`);
  await revokeDevice(service.deps, { accountId, deviceId: rows[0].id }, theOperator);
  service.deps.access.clear();
  await context.own.setOffline(false);
  await caja.page.getByText("Esta caja ya no está vinculada").waitFor();
  await caja.page.getByText("3 registros sin subir", { exact: false }).waitFor();
  // It forgets the business, but nothing that it charged.
  await expect.poll(() => caja.page.evaluate(dumpDatabase)).not.toContain(names[2]!);
  const kept = await caja.page.evaluate(dumpDatabase);
  expect(kept).toContain(names[1]!);
  expect(kept).not.toContain(names[0]!);
  await caja.link("Caja de vuelta");
  expect(await caja.sell(names[2]!)).toBe(3);
  await caja.uploaded();
  expect((await storedSales(service, accountId)).map(({ total }) => total).sort()).toEqual([1000, 2000, 3000]);
});

test("a code of another business is refused while sales of this one wait; starting over hands them out as a file", async () => {
  const accountId = await shop();
  const other = await shop(["Tornillo"]);
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  const { page } = caja;
  await caja.start("Caja vieja");
  await caja.uploaded();
  await context.own.setOffline(true);
  await caja.sell(names[1]!);
  await service.deps.pool.query(sql`update devices set revoked_at = now() where account_id = ${accountId}`);
  service.deps.access.clear();
  await context.own.setOffline(false);
  await page.getByText("Esta caja ya no está vinculada").waitFor();
  const stranger = cajaOn(page, service, other);
  await stranger.link("Caja nueva");
  await page.getByText("Ese código es de otro negocio", { exact: false }).waitFor();
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Guardar una copia y empezar de nuevo" }).click();
  const copy = await text(await (await downloading).createReadStream());
  expect(JSON.parse(copy).records).toMatchObject([
    { type: "sale", data: { total: 2000 } },
    { type: "stock_movement" },
    { type: "cash_session", data: { sales_total: 2000 } },
  ]);
  await page.getByText("Vincule esta caja").waitFor();
  await stranger.link("Caja nueva");
  await stranger.openShift();
  expect(await stranger.sell("Tornillo")).toBe(1);
  await stranger.uploaded();
  expect(await storedSales(service, other)).toHaveLength(1);
  expect(await storedSales(service, accountId)).toHaveLength(0);
});

test("when the disk is full nothing is sold, and the cashier is told", async () => {
  const accountId = await shop();
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  const { page } = caja;
  await caja.start();
  await caja.uploaded();
  await page.evaluate(fillDisk);
  await page.getByRole("button", { name: names[0]! }).first().click();
  await page.getByRole("button", { name: /^Cobrar \$/ }).click();
  await page.getByRole("button", { name: "Exacto" }).click();
  await page.getByRole("alert").getByText("la venta no quedó registrada", { exact: false }).waitFor();
  await page.evaluate(emptyDisk);
  await page.getByRole("button", { name: "Exacto" }).click();
  await page.getByRole("heading", { name: "Venta 1 registrada" }).waitFor();
  await expect.poll(() => storedSales(service, accountId)).toHaveLength(1);
});

test("a return that cannot be stored keeps what was typed, and is stored once there is room", async () => {
  const accountId = await shop();
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  const { page } = caja;
  await caja.start();
  await caja.sell(names[0]!, names[0]!);
  await page.getByRole("button", { name: "Ventas" }).click();
  await page.getByRole("button", { name: /Café molido/ }).click();
  await page.getByRole("button", { name: "Devolver" }).click();
  await page.getByLabel(names[0]!).fill("1");
  await page.getByLabel("Motivo").fill("Venía abierto");
  await page.evaluate(fillDisk);
  await page.getByRole("button", { name: "Devolver", exact: true }).click();
  await page.getByRole("alert").getByText("en este equipo, así que no quedó registrado", { exact: false }).waitFor();
  expect(await page.getByLabel("Motivo").inputValue()).toBe("Venía abierto");
  await page.evaluate(emptyDisk);
  await page.getByRole("button", { name: "Devolver", exact: true }).click();
  await page.getByLabel("Motivo").waitFor({ state: "detached" });
  await caja.uploaded();
  const { rows } = await service.deps.pool.query(sql`select body from returns where account_id = ${accountId}`);
  expect(rows.map(({ body }) => JSON.parse(body))).toMatchObject([{ total: 1000, reason: "Venía abierto" }]);
});

test("a product's hostile name is only text, and the page runs nothing that is not its own", async () => {
  const hostile = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`;
  const accountId = await shop([hostile]);
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  await caja.start();
  await caja.sell("<img src=x");
  expect(await caja.page.evaluate("window.hacked")).toBeUndefined();
  const inline = await caja.page.evaluate(`new Promise((done) => {
    document.addEventListener("securitypolicyviolation", (event) => done(event.violatedDirective));
    const script = document.createElement("script");
    script.textContent = "window.hacked = 1";
    document.body.append(script);
  })`);
  expect(inline).toContain("script-src");
  expect(await caja.page.evaluate("window.hacked")).toBeUndefined();
});

test("cashiers enter with a PIN that no one can read in the browser, and do what they may", async () => {
  const accountId = await shop();
  const input = { name: "Ana Lucía", pin: "48213", permissions: [] };
  await createCashier(service.deps, accountId, input, theOperator);
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  const { page } = caja;
  await page.goto(`${service.baseUrl}/caja/`);
  await caja.link();
  await page.getByLabel("PIN").fill("11111");
  await page.getByRole("button", { name: "Entrar" }).click();
  await page.getByText("El PIN no es ese").waitFor();
  await page.getByLabel("PIN").fill("48213");
  await page.getByRole("button", { name: "Entrar" }).click();
  await caja.openShift();
  await caja.sell(names[0]!);
  await page.getByRole("button", { name: "Ventas" }).click();
  await page.getByRole("button", { name: /Café molido/ }).click();
  await page.getByRole("button", { name: "Imprimir" }).waitFor();
  await page.getByRole("button", { name: "Anular" }).click();
  await page.getByRole("button", { name: "Sí, anular" }).click();
  await page.getByText("Ana Lucía no puede anular ventas. Hoy nadie de la lista puede", { exact: false }).waitFor();
  await page.getByRole("button", { name: "Entendido" }).click();
  expect(await page.locator(".paper").textContent()).toContain("Ana Lucía");
  const kept = await page.evaluate(dumpDatabase);
  expect(kept).toContain("Ana Lucía");
  expect(kept).not.toContain("48213");
  await caja.uploaded();
  const { rows } = await service.deps.pool.query(sql`
    select c.name from sales s join cashiers c on c.account_id = s.account_id and c.id = s.cashier_id
    where s.account_id = ${accountId}`);
  expect(rows).toEqual([{ name: "Ana Lucía" }]);
});

test("a shift is closed by counting, and its report is on the server", async () => {
  const accountId = await shop();
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  const { page } = caja;
  await caja.start();
  await caja.sell(names[2]!);
  await page.getByRole("button", { name: "Turno", exact: true }).click();
  await page.getByRole("button", { name: "Entrada o salida de efectivo" }).click();
  await page.getByLabel("Valor").fill("10000");
  await page.getByLabel("Motivo").fill("Hielo");
  await page.getByRole("button", { name: "Registrar" }).click();
  await page.getByRole("button", { name: "Cerrar turno" }).click();
  await page.getByLabel("$20.000").fill("2");
  await page.getByLabel("$1.000").fill("2");
  await page.getByText("Falta").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Cerrar turno" }).click();
  await page.getByText("CIERRE DE TURNO (Z)").waitFor();
  await caja.uploaded();
  const { rows } = await service.deps.pool.query(sql`select body from cash_sessions where account_id = ${accountId}`);
  expect(JSON.parse(rows[0].body)).toMatchObject({
    status: "closed",
    expected_amount: 43_000,
    counted_amount: 42_000,
    difference: -1_000,
    movements: [{ type: "out", amount: 10_000, reason: "Hielo" }],
  });
});

test.each([375, 768, 1024, 1366])(
  "at %i px nothing is cut off; on a phone axe finds no fault, light or dark",
  async (width) => {
    const accountId = await shop();
    await using context = await tablet(browser, { width, height: 800 });
    const caja = await newCaja(context.own, service, accountId);
    const { page } = caja;
    await page.goto(`${service.baseUrl}/caja/`);
    const check = (place: string) => expectTidy(page, place);
    await page.getByLabel("Código del portal").waitFor();
    await check("link");
    await caja.link();
    await page.getByLabel("Base en pesos").waitFor();
    await check("open-shift");
    await caja.openShift();
    await page.getByRole("button", { name: names[0]! }).first().click();
    await check("sell");
    if (width < 720) {
      await page.getByRole("button", { name: "Ver el tiquete" }).click();
      await check("ticket");
    }
    await page.getByRole("button", { name: "Descuento y notas" }).click();
    await check("discount");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^Cobrar \$/ }).click();
    await page.getByRole("button", { name: "Dividir el pago" }).click();
    await check("charge");
    await page.getByRole("button", { name: "Exacto" }).click();
    await page.getByRole("button", { name: "Nueva venta" }).waitFor();
    await check("sold");
    await page.getByRole("button", { name: "Nueva venta" }).click();
    await page.getByRole("button", { name: "Ventas" }).click();
    await page.getByRole("button", { name: /Café molido/ }).waitFor();
    await check("sales");
    await page.getByRole("button", { name: "Turno", exact: true }).click();
    await check("shift");
    await page.getByRole("button", { name: "Cerrar turno" }).click();
    await check("close");
  },
);

/** From here on the browser refuses every new record, as on a full disk. */
const fillDisk = `IDBObjectStore.prototype.addUnlessFull = IDBObjectStore.prototype.add;
  IDBObjectStore.prototype.add = () => { throw new DOMException("full", "QuotaExceededError"); }`;
const emptyDisk = "IDBObjectStore.prototype.add = IDBObjectStore.prototype.addUnlessFull";

/** Everything in the page's IndexedDB as text. */
const dumpDatabase = `(async () => {
  const db = await new Promise((done) => { indexedDB.open("caja").onsuccess = (event) => done(event.target.result); });
  const all = [];
  for (const name of db.objectStoreNames)
    all.push(await new Promise((done) => {
      db.transaction(name).objectStore(name).getAll().onsuccess = (event) => done(event.target.result);
    }));
  db.close();
  return JSON.stringify(all) + JSON.stringify(localStorage) + JSON.stringify(sessionStorage);
})()`;
