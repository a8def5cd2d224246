import { randomUUID } from "node:crypto";
import type { Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import { expectTidy, furnishShop, newCaja, storedSales, tablet } from "../support/caja.ts";
import { sharedService } from "../support/fixtures.ts";
import { sharedBrowser } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();
const names = ["Café molido 250 g", "Pan tajado"];
const script = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`;

async function shop(): Promise<string> {
  const { accountId } = await service.business();
  await furnishShop(service, accountId, names);
  return accountId;
}

async function expectUnharmed(page: Page, errors: readonly Error[]): Promise<void> {
  expect(await page.evaluate("window.hacked")).toBeUndefined();
  expect(errors).toEqual([]);
}

/** What answers in the service's place, and what the cashier then reads. */
type Answer = Parameters<Route["fulfill"]>[0];
const answers: [what: string, words: string, answer: Answer][] = [
  ["a page", "El servicio no se entiende", { contentType: "text/html", body: `<html>${script}</html>` }],
  ["a redirect", "El servicio no se entiende", { status: 302, headers: { location: "https://example.com/" } }],
  ["null", "El servicio no se entiende", { json: null }],
  [
    "numbers without end",
    "El servicio no se entiende",
    { contentType: "application/json", body: `{"acked_seq": 1e999}` },
  ],
  ["an error", "Sin conexión", { status: 500, json: { error: { code: script, message: { toString: script } } } }],
];

test("whatever answers in the service's place, the cashier reads it, goes on selling, and nothing sold is lost", async () => {
  const accountId = await shop();
  await using context = await tablet(browser, { width: 768, height: 800 });
  const caja = await newCaja(context.own, service, accountId);
  const { page } = caja;
  const errors: Error[] = [];
  page.on("pageerror", (error) => errors.push(error));
  await caja.start();
  await caja.uploaded();
  let answer: Answer | undefined;
  await context.own.route("**/sync/v1/**", (route) => route.fulfill(answer).catch(() => {}));
  for (const [i, [what, words, next]] of answers.entries()) {
    answer = next;
    expect(await caja.sell(names[i % 2]!), what).toBe(i + 1);
    // What each sale takes out of the stock, and its shift, are part of it.
    await page
      .getByRole("status")
      .getByText(`${words} · ${i === 0 ? "1 venta" : `${i + 1} ventas`} por subir`)
      .waitFor();
    if (i === 0) await expectTidy(page, "not-the-service");
  }
  expect(await storedSales(service, accountId)).toEqual([]);
  await context.own.unrouteAll({ behavior: "ignoreErrors" });
  await caja.sell(names[0]!);
  await caja.uploaded();
  const totals = (await storedSales(service, accountId)).map(({ total }) => total);
  expect(totals.sort()).toEqual([1000, 1000, 1000, 1000, 2000, 2000]);
  await expectUnharmed(page, errors);
});

test("what comes down with scripts in it is only text, and what cannot be read is left out", async () => {
  const accountId = await shop();
  await using context = await tablet(browser);
  const product = (name: unknown, price: unknown, more = {}) => ({
    type: "product",
    data: {
      set: {
        ...{ name, sku: null, base_price: price, final_price: price, tax_class: "standard" },
        ...{ active: true, sellable: true, variants: [], ...more },
      },
      init: { kind: "simple", base_unit: "und", sold_by_weight: false },
    },
  });
  const hostile = [
    { type: "category", data: { name: script } },
    product(script, 5000),
    product({ toString: 1 }, 5000),
    product("De precio enorme", 1e300),
    product("De precio en letras", "5000"),
    product("De variantes raras", 5000, { variants: [{ id: 1, label: {} }] }),
    { type: "cashier", data: { name: script, pin_hash: 7, permissions: "all" } },
    { type: "customer", data: { name: ["x"] } },
    { type: "warehouse", data: null },
    { type: "quote", data: { status: "sent", items: "none", total: {} } },
  ];
  await context.own.route("**/sync/v1/changes?cursor=&**", async (route) => {
    const answer = await route.fetch();
    const { changes, ...rest } = (await answer.json()) as { changes: { type: string; data: object }[] };
    for (const { type, data } of changes)
      if (type === "business") Object.assign(data, { name: script, ticket_header: script, ticket_footer: script });
    const more = hostile.map((one) => ({ seq: 1, id: randomUUID(), deleted: false, ...one }));
    await route.fulfill({ response: answer, json: { ...rest, changes: [...changes, ...more] } });
  });
  const caja = await newCaja(context.own, service, accountId);
  const { page } = caja;
  const errors: Error[] = [];
  page.on("pageerror", (error) => errors.push(error));
  await caja.start();
  await page.getByRole("heading", { level: 1, name: "<img src=x" }).waitFor();
  expect(await page.locator(".tiles li").count()).toBe(names.length + 1);
  await page.getByRole("button", { name: "<img src=x" }).last().click();
  await page.getByRole("button", { name: "Cobrar $5.000" }).click();
  await page.getByRole("button", { name: "Exacto" }).click();
  expect(await page.locator(".paper").textContent()).toContain("<script>");
  await page.getByRole("button", { name: "Nueva venta" }).click();
  await caja.uploaded();
  for (const place of ["Cotizaciones", "Existencias", "Ventas"]) {
    await page.getByRole("button", { name: place }).click();
    await page.getByRole("heading", { level: 2, name: place }).waitFor();
  }
  await expectUnharmed(page, errors);
});

test("a screen that cannot be drawn says so, and what was sold is still there", async () => {
  const accountId = await shop();
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  const { page } = caja;
  await caja.start();
  await caja.sell(names[0]!);
  await caja.uploaded();
  // As an earlier version might have stored it.
  const broken = { key: "x", value: { type: "category", id: "x", seq: 1, fields: { id: "x", name: { a: 1 } } } };
  const change = (call: string) => `new Promise((done) => {
    indexedDB.open("caja").onsuccess = ({ target: { result: db } }) => {
      const tx = db.transaction("catalog", "readwrite");
      tx.objectStore("catalog").${call};
      tx.oncomplete = () => { db.close(); done(); };
    };
  })`;
  await page.evaluate(change(`put(${JSON.stringify(broken)})`));
  await page.reload();
  await page.getByText("La pantalla falló").waitFor();
  await page.evaluate(change(`delete("x")`));
  await page.getByRole("button", { name: "Cargar de nuevo" }).click();
  expect(await caja.sell(names[1]!)).toBe(2);
});
