import { setTimeout as delay } from "node:timers/promises";
import type { BrowserContext, Page } from "playwright-core";
import { expect, test } from "vitest";
import { listDevices } from "../../src/api/portal/shifts/devices.ts";
import { sql } from "../../src/db/sql.ts";
import { verify } from "../../src/operations/verify/verify.ts";
import { type Caja, cajaOn, expectTidy, furnishShop, newCaja, storedSales, tablet } from "../support/caja.ts";
import { verifiedService } from "../support/fixtures.ts";
import { longRun } from "../support/long-run.ts";
import { freshDatabase, onServer, type Service, serve } from "../support/service.ts";
import { sharedBrowser } from "../support/visitor.ts";

const service = verifiedService();
const browser = sharedBrowser();
const names = ["Café molido 250 g", "Pan tajado", "Leche 1 L"];

async function shop(on: Service = service): Promise<string> {
  const { accountId } = await on.business();
  await furnishShop(on, accountId, names);
  return accountId;
}

/** A register that is open and up to date. */
async function openCaja(context: BrowserContext, accountId: string, on: Service = service): Promise<Caja> {
  const caja = await newCaja(context, on, accountId);
  await caja.start();
  await caja.uploaded();
  return caja;
}

const totalsOn = async (on: Service, accountId: string) =>
  (await storedSales(on, accountId)).map(({ total }) => total).sort((a, b) => a - b);

test("a service put back to its backup gets again what the backup had not, and the counter goes on", async () => {
  const database = await freshDatabase();
  await using _dropped = { [Symbol.asyncDispose]: database.drop };
  const name = new URL(database.url).pathname.slice(1);
  let server = await serve(database.url, {});
  await using _closed = { [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
  const settings = { PORT: new URL(server.baseUrl).port };
  /** Whatever is done to the database is done while nobody serves it. */
  const whileDown = async (work: () => Promise<void>) => {
    await server[Symbol.asyncDispose]();
    await work();
    server = await serve(database.url, settings);
  };
  const accountId = await shop(server);
  await using context = await tablet(browser);
  const caja = await openCaja(context.own, accountId, server);
  await caja.sell(names[0]!);
  await caja.uploaded();
  await whileDown(() => onServer(`create database ${name}_copy template ${name}`));
  expect([await caja.sell(names[1]!), await caja.sell(names[2]!)]).toEqual([2, 3]);
  await expect.poll(() => totalsOn(server, accountId)).toEqual([1000, 2000, 3000]);
  await whileDown(async () => {
    await onServer(`drop database ${name} with (force)`);
    await onServer(`alter database ${name}_copy rename to ${name}`);
  });
  expect(await totalsOn(server, accountId)).toEqual([1000]);
  // What `mostrador device reload` does.
  await server.deps.pool.query("update installation set epoch = gen_random_uuid()");
  await expect.poll(() => totalsOn(server, accountId)).toEqual([1000, 2000, 3000]);
  await caja.uploaded();
  expect(await caja.sell(names[0]!)).toBe(4);
  await expect.poll(() => totalsOn(server, accountId)).toEqual([1000, 1000, 2000, 3000]);
  await caja.uploaded();
  const { rows } = await server.deps.pool.query(sql`
    select body, stock_milli from products where account_id = ${accountId}`);
  const stock = Object.fromEntries(rows.map(({ body, stock_milli }) => [JSON.parse(body).name, stock_milli]));
  expect(stock).toEqual({ [names[0]!]: -2000, [names[1]!]: -1000, [names[2]!]: -1000 });
  expect((await verify(server.deps.pool)).problems).toEqual([]);
});

test.each([
  { days: -3, words: "está atrasado 3 días" },
  { days: 400, words: "está adelantado 400 días" },
])("a clock that is $days days off is told, and what it dates is kept as it was sold", async ({ days, words }) => {
  const accountId = await shop();
  await using context = await tablet(browser, { width: 768, height: 800 });
  await context.own.addInitScript(clockOffBy(days * 86_400_000));
  const caja = await openCaja(context.own, accountId);
  const { page } = caja;
  const told = page.getByRole("alert").getByText(words, { exact: false });
  await told.waitFor();
  await expectTidy(page, "wrong-clock");
  await caja.sell(names[0]!);
  await caja.uploaded();
  const [before] = await times(accountId);
  expect(Math.round((before!.getTime() - Date.now()) / 86_400_000)).toBe(days);
  const device = (await listDevices(service.deps.pool, accountId)).find(({ app_version }) =>
    app_version?.startsWith("caja"),
  );
  expect(Math.round(-device!.skew_ms! / 86_400_000)).toBe(days);
  // Somebody sets it right: the next answer shows it.
  await page.evaluate("window.setClockRight()");
  await caja.sell(names[1]!);
  await told.waitFor({ state: "detached" });
  await caja.uploaded();
  expect(await totalsOn(service, accountId)).toEqual([1000, 2000]);
});

test("while the service answers 503 the counter says so, sells on, asks as seldom as it was told, and then uploads", async () => {
  const { value: seconds } = longRun("CAJA_AWAY_SECONDS", process.env.LONG ? 60 : 5);
  const retryAfter = 2;
  const accountId = await shop();
  await using context = await tablet(browser);
  const caja = await openCaja(context.own, accountId);
  const { page } = caja;
  let asked = 0;
  await context.own.route("**/sync/v1/**", (route) => {
    asked += 1;
    const json = { error: { code: "SERVICE_UNAVAILABLE", message: "Espere un momento y pruebe de nuevo." } };
    return route.fulfill({ status: 503, headers: { "retry-after": String(retryAfter) }, json }).catch(() => {});
  });
  const ends = Date.now() + seconds * 1000;
  expect(await caja.sell(names[0]!)).toBe(1);
  expect(await caja.sell(names[1]!)).toBe(2);
  const waiting = page.getByRole("status").getByText("Sin conexión · 2 ventas por subir");
  await waiting.waitFor();
  expect(await waiting.getAttribute("title")).toContain("Siga vendiendo");
  await delay(Math.max(0, ends - Date.now()));
  const took = seconds + (Date.now() - ends) / 1000;
  // Two loops; each sale wakes both.
  expect(asked).toBeLessThanOrEqual(2 * (took / retryAfter + 1 + 2));
  expect(await storedSales(service, accountId)).toEqual([]);
  await context.own.unrouteAll({ behavior: "ignoreErrors" });
  await caja.uploaded();
  expect(await totalsOn(service, accountId)).toEqual([1000, 2000]);
  expect(await caja.sell(names[2]!)).toBe(3);
});

test("a token that leaked and was rotated elsewhere ends the link, in words, and nothing that was sold is lost", async () => {
  const accountId = await shop();
  await using context = await tablet(browser);
  const caja = await openCaja(context.own, accountId);
  const { page } = caja;
  await caja.sell(names[0]!);
  await caja.uploaded();
  const leaked = await tokenIn(page);
  const sync = (path: string, token: string, method = "GET") =>
    fetch(`${service.baseUrl}/sync/v1${path}`, { method, headers: { authorization: `Bearer ${token}` } });
  const rotated = await sync("/token", leaked, "POST");
  expect(rotated.status).toBe(201);
  const { token } = (await rotated.json()) as { token: string };
  await context.own.setOffline(true);
  expect(await caja.sell(names[1]!)).toBe(2);
  // Only its first use ends the old one.
  expect((await sync("/changes?cursor=&wait=0", token)).status).toBe(200);
  expect((await sync("/changes?cursor=&wait=0", leaked)).status).toBe(401);
  await context.own.setOffline(false);
  await page.getByText("Esta caja ya no está vinculada").waitFor();
  await page.getByText("su clave se cambió en otro equipo", { exact: false }).waitFor();
  await page.getByText("3 registros sin subir", { exact: false }).waitFor();
  await page.reload();
  await cajaOn(page, service, accountId).link("Caja 1, de nuevo");
  expect(await caja.sell(names[2]!)).toBe(3);
  await caja.uploaded();
  expect(await totalsOn(service, accountId)).toEqual([1000, 2000, 3000]);
  expect(await tokenIn(page)).not.toBe(leaked);
});

/** browser.test.ts has the everyday form, in which the database itself refuses. */
test.runIf(process.env.LONG)("when the browser has no room left nothing is sold, and the cashier is told", async () => {
  const accountId = await shop();
  await using context = await tablet(browser);
  const caja = await openCaja(context.own, accountId);
  const { page } = caja;
  const room = await context.own.newCDPSession(page);
  const origin = service.baseUrl;
  await room.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 1 });
  // It remembers for half a minute how much there was.
  await delay(35_000);
  await page.getByRole("button", { name: names[0]! }).first().click();
  await page.getByRole("button", { name: /^Cobrar \$/ }).click();
  await page.getByRole("button", { name: "Exacto" }).click();
  await page.getByRole("alert").getByText("la venta no quedó registrada", { exact: false }).waitFor();
  await room.send("Storage.overrideQuotaForOrigin", { origin });
  await page.reload();
  expect(await caja.sell(names[1]!)).toBe(1);
  await caja.uploaded();
  expect(await totalsOn(service, accountId)).toEqual([2000]);
});

/** Runs in the page before anything else. */
function clockOffBy(ms: number): string {
  return `{
    const Right = Date;
    let off = ${ms};
    globalThis.Date = class extends Right {
      constructor(...parts) { parts.length === 0 ? super(Right.now() + off) : super(...parts); }
      static now() { return Right.now() + off; }
    };
    window.setClockRight = () => { off = 0; };
  }`;
}

async function times(accountId: string): Promise<Date[]> {
  const { rows } = await service.deps.pool.query(sql`
    select occurred_at from sales where account_id = ${accountId} order by seq`);
  return rows.map(({ occurred_at }) => occurred_at);
}

const tokenIn = (page: Page) =>
  page.evaluate<string>(`new Promise((done) => {
    indexedDB.open("caja").onsuccess = ({ target: { result: db } }) => {
      db.transaction("meta").objectStore("meta").get("identity").onsuccess = ({ target: { result } }) => {
        db.close();
        done((result.value ?? result).token);
      };
    };
  })`);
