import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { newCaja, tablet, throwAway } from "../support/caja.ts";
import { shared, sharedService } from "../support/fixtures.ts";
import { enrol, remoteEdit } from "../support/register.ts";
import { sharedBrowser } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();

/** A shop with what is sold in unusual ways. */
const counter = shared(async () => {
  const { accountId } = await service.business();
  const till = await enrol(service, accountId, { capabilities: [remoteEdit] });
  const product = (name: string, more: object) => ({
    type: "product",
    id: randomUUID(),
    data: {
      ...{ name, base_price: 4_000, final_price: 4_000, tax_class: "exempt", base_unit: "und", sold_by_weight: false },
      ...{ active: true, sellable: true, variants: [], ...more },
    },
  });
  const warehouse_id = randomUUID();
  const bread = product("Pan", { sku: "1" });
  const answer = await till.push([
    { type: "warehouse", id: warehouse_id, data: { name: "Principal", is_default: true, active: true } },
    bread,
    product("Chicha", { base_unit: "l", sold_by_weight: true }),
    product("Queso", { base_unit: "kg", sold_by_weight: true }),
    product("Bolsa plástica", { tax_class: "bag", base_price: 0, final_price: 0 }),
    {
      type: "stock_movement",
      id: randomUUID(),
      data: { product_id: bread.id, warehouse_id, type: "adjustment", quantity: 2 },
    },
  ]);
  expect(answer.status).toBe(200);
  const context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  return { caja, page: caja.page, [Symbol.asyncDispose]: () => context.own.close() };
});
let page: Page;
beforeAll(async () => {
  page = counter.page;
  await counter.caja.start();
  await counter.caja.uploaded();
});

const ticket = () => page.getByLabel("Tiquete", { exact: true });
const tile = (name: string) => page.getByRole("button", { name }).first().click();
async function charge(): Promise<void> {
  await page.getByRole("button", { name: /^Cobrar \$/ }).click();
  await page.getByRole("button", { name: "Exacto" }).click();
  await page.getByRole("heading", { name: /registrada/ }).waitFor();
}
async function discard(): Promise<void> {
  await throwAway(page);
  await ticket().getByText("Escanee o toque").waitFor();
}

test("a litre is no weight, and a bag costs its tax", async () => {
  await tile("Chicha");
  await page.getByLabel("Cantidad en l").fill("1,5");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Cobrar $6.000", exact: true }).waitFor();
  await discard();
  await tile("Bolsa plástica");
  await ticket()
    .getByText(/^\$73 c\/u$/)
    .waitFor();
  await page.getByRole("button", { name: "Cobrar $73", exact: true }).waitFor();
  await discard();
});

test("what is sold over the stock is remarked on, and sold", async () => {
  for (let i = 0; i < 3; i++) await tile("Pan");
  await ticket().getByText("Solo hay 2").waitFor();
  await page.keyboard.press("F5");
  await page.getByLabel("Cantidad").fill("2");
  await page.keyboard.press("Enter");
  await ticket().getByText("Solo hay 2").waitFor({ state: "detached" });
  await discard();
});

test("whole kilos come back in part", async () => {
  await tile("Queso");
  await page.getByLabel("Peso en kg").fill("2");
  await page.keyboard.press("Enter");
  await charge();
  await page.getByRole("button", { name: "Nueva venta" }).click();
  await page.getByRole("button", { name: "Ventas", exact: true }).click();
  await page.getByRole("button", { name: /Queso/ }).click();
  await page.getByRole("button", { name: "Devolver" }).click();
  await page.getByLabel("Queso").fill("0,5");
  await page.getByLabel("Motivo").fill("Estaba seco");
  await page.getByText("$2.000", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Devolver", exact: true }).click();
  await page.getByText("DEVOLUCIÓN", { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Vender" }).click();
});

test("a customer's number stands on the ticket, whatever the document, and the last sale is there after a crash", async () => {
  await tile("Pan");
  await page.keyboard.press("F4");
  await page.getByRole("button", { name: "Cliente nuevo" }).click();
  await page.getByLabel("Nombre o razón social").fill("Marta Gil");
  await page.getByLabel("Número", { exact: true }).fill("52123456");
  await page.getByRole("button", { name: "Guardar cliente" }).click();
  await page.getByRole("button", { name: /Marta Gil/ }).waitFor();
  await charge();
  await page
    .getByText(/52123456/)
    .first()
    .waitFor();
  await page.reload();
  await page.getByRole("button", { name: /^Venta \d+ · .*\$4\.000/ }).click();
  await page
    .getByText(/52123456/)
    .first()
    .waitFor();
  await page.getByRole("button", { name: "Nueva venta" }).click();
});

test("what a customer agrees to at the counter is noted with when and where, and who was not asked has said nothing", async () => {
  await tile("Pan");
  for (const [name, number, accepts] of [
    ["Rosa Díaz", "52999001", true],
    ["Eva Ruiz", "52999002", false],
  ] as const) {
    await page.keyboard.press("F4");
    await page.getByRole("button", { name: "Cliente nuevo" }).click();
    await page.getByLabel("Nombre o razón social").fill(name);
    await page.getByLabel("Número", { exact: true }).fill(number);
    if (accepts) await page.getByLabel("Autoriza que le envíen publicidad").check();
    await page.getByRole("button", { name: "Guardar cliente" }).click();
    await page.getByRole("button", { name: new RegExp(name) }).waitFor();
  }
  await counter.caja.uploaded();
  const { rows } = await service.deps.pool.query<{ body: string }>(
    "select body from customers where body->>'document_number' in ('52999001', '52999002') order by body->>'document_number'",
  );
  const [rosa, eva] = rows.map(({ body }) => JSON.parse(body));
  expect(rosa).toMatchObject({
    accepts_marketing: true,
    accepts_marketing_source: expect.stringMatching(/\w/),
    accepts_marketing_at: expect.stringMatching(/^20\d\d-/),
  });
  expect(eva).not.toHaveProperty("accepts_marketing");
  await throwAway(page);
});

test("one open ticket is one, and no money out is no minus", async () => {
  await tile("Pan");
  await page.keyboard.press("F7");
  await page.getByRole("button", { name: "Turno", exact: true }).click();
  await page.getByText("Hay 1 tiquete abierto: cóbrelo o bótelo antes de cerrar.").waitFor();
  await page.getByRole("button", { name: "Informe X" }).click();
  const report = page.getByRole("dialog");
  await report
    .getByText(/Salidas/)
    .first()
    .waitFor();
  expect(await report.textContent()).not.toMatch(/-\s?\$\s?0(?!\d)|\$-0/);
});
