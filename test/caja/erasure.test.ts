import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { eraseLate } from "../../src/privacy/erase/late.ts";
import { runErasures } from "../../src/privacy/erase/run.ts";
import { cajaOn, furnishShop, tablet } from "../support/caja.ts";
import { type Desk, desks, receive, sell, storeKinds, upload } from "../support/desk.ts";
import { eventually } from "../support/eventually.ts";
import { perTest } from "../support/fixtures.ts";
import { grepDatabase } from "../support/grep-database.ts";
import { newborn } from "../support/newborn.ts";
import { openAgain, type Portal } from "../support/portal.ts";
import { startService } from "../support/service.ts";
import { sharedBrowser } from "../support/visitor.ts";
import { tracesOfZoraida, zoraida } from "../support/zoraida.ts";

const service = perTest(() => startService());
const browser = sharedBrowser();
const { open } = desks();

async function openBusiness(): Promise<Portal> {
  const { accountId, email } = await newborn(service);
  await furnishShop(service, accountId, ["Café molido 250 g"]);
  return openAgain(service, { accountId, ...(await service.key(accountId)) }, email);
}

async function erase(owner: Portal): Promise<void> {
  const { status, text } = await owner.confirmed("/personal-data/erasures", { person: zoraida.document_number });
  expect(status, text).toBe(201);
  await eventually(async () => (await runErasures(service.deps, { settleMs: 2_500 })) > 0);
}

const named = (text: string) => tracesOfZoraida.filter((trace) => text.toLowerCase().includes(trace));

/** All that a store says, as text. */
async function textOf({ store }: Desk): Promise<string> {
  const tables = ["meta", "catalog", "ticket", "sale", "shift", "document", "stock"] as const;
  return JSON.stringify([await store.entries(0, 1000), ...(await Promise.all(tables.map((one) => store.list(one))))]);
}

describe.each(storeKinds)("a register over %s", (kind) => {
  test("forgets whom the business erased, also what it had not uploaded yet", async () => {
    const owner = await openBusiness();
    const desk = await open(kind, service, owner.accountId);
    await desk.counter.openShift(0);
    const { name, last_name, email, phone, document_number } = zoraida;
    const customerId = await desk.counter.addCustomer({
      ...{ name, last_name, email, phone, document_type: "CC", document_number, person_type: "person" },
    });
    desk.counter.edit((ticket) => ({
      ...ticket,
      customer_id: customerId,
      notes: "Avisar a Zoraida",
      table_label: name,
    }));
    const saleId = await sell(desk, 5_000);
    await desk.register.record([{ type: "ticket_mail", id: randomUUID(), data: { sale_id: saleId, email } }]);
    desk.counter.edit((ticket) => ({ ...ticket, customer_id: customerId }));
    await sell(desk, 7_000);
    await upload(desk);
    await receive(desk);
    // The tablet is offline, and goes on selling to her.
    desk.counter.edit((ticket) => ({ ...ticket, customer_id: customerId, table_label: "Zoraida Quintanilla" }));
    await sell(desk, 9_000);
    desk.counter.edit((ticket) => ({ ...ticket, customer_id: customerId, notes: "Zoraida vuelve" }));
    await erase(owner);
    expect(named(await textOf(desk))).not.toEqual([]);
    await receive(desk);
    const between = await desk.store.entries(0, 1000);
    expect(between.map(({ device_seq }) => device_seq)).toEqual(between.map((_entry, i) => i + 1));
    expect(desk.counter.state().current).toMatchObject({ customer_id: null, notes: null });
    await upload(desk);
    expect(named(await textOf(desk))).toEqual([]);
    expect(desk.register.pending()).toBe(0);
    expect(desk.register.catalog.get("customer", customerId)).toBeFalsy();
    // What arrived late is cleaned by the next housekeeping.
    expect(await grepDatabase(service.deps.pool, tracesOfZoraida)).toEqual(["events.body", "sales.body"]);
    expect(await eraseLate(service.deps, service.deps.clock.now())).toBe(1);
    expect(await grepDatabase(service.deps.pool, tracesOfZoraida)).toEqual([]);
    desk.store.close();
  });
});

/** Every row of every object store of Caja's database. */
async function readEverything(page: Page): Promise<string> {
  return page.evaluate(`(async () => {
    const db = await new Promise((done) => { indexedDB.open("caja").onsuccess = (event) => done(event.target.result); });
    const all = [];
    for (const table of db.objectStoreNames)
      all.push(await new Promise((done) => {
        db.transaction(table).objectStore(table).getAll().onsuccess = (event) => done([table, event.target.result]);
      }));
    db.close();
    return JSON.stringify([all, { ...localStorage }, { ...sessionStorage }]);
  })()`);
}

test("Caja in a browser forgets her: its store, its screen and its history", async () => {
  const owner = await openBusiness();
  await using context = await tablet(browser);
  const caja = cajaOn(await context.own.newPage(), service, owner.accountId);
  const { page } = caja;
  await caja.start();
  await page.getByRole("button", { name: "Café molido 250 g" }).first().click();
  await page.getByRole("button", { name: "Consumidor final" }).click();
  await page.getByRole("button", { name: "Cliente nuevo" }).click();
  await page.getByLabel("Nombre o razón social").fill(`${zoraida.name} ${zoraida.last_name}`);
  await page.getByLabel("Número").fill(zoraida.document_number);
  await page.getByLabel("Correo (opcional)").fill(zoraida.email);
  await page.getByRole("button", { name: "Guardar cliente" }).click();
  await page.getByRole("button", { name: /^Cobrar \$/ }).click();
  await page.getByRole("button", { name: "Exacto" }).click();
  await page.getByRole("heading", { name: /^Venta 1 registrada/ }).waitFor();
  await page.getByRole("button", { name: "Por correo" }).click();
  await page.getByRole("button", { name: "Enviar" }).click();
  await page.getByRole("button", { name: "Nueva venta" }).click();
  await caja.uploaded();
  expect(named(await readEverything(page))).not.toEqual([]);
  await erase(owner);
  await expect.poll(async () => named(await readEverything(page)), { timeout: 60_000 }).toEqual([]);
  await page.reload();
  await page.getByLabel("Buscar o escanear").waitFor();
  await page.getByRole("button", { name: "Ventas" }).first().click();
  await page.getByText("Café molido 250 g").first().waitFor();
  expect(named(await page.evaluate<string>("document.body.innerText"))).toEqual([]);
  expect(await grepDatabase(service.deps.pool, tracesOfZoraida)).toEqual([]);
});
