import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { cashSessionBody, productBody } from "../support/records.ts";
import { upload } from "../support/register.ts";
import { returningShop, returnOf, saleOf } from "../support/returning.ts";
import { openAccount, sharedBrowser, type Visitor, visit } from "../support/visitor.ts";

const { service, owner, till, sell, stock } = returningShop();
const browser = sharedBrowser();
let seen: Visitor;
beforeEach(async () => {
  seen = await visit(browser, service);
  const [name, value] = owner.cookie.split("=") as [string, string];
  await seen.context.addCookies([{ name, value, url: service.baseUrl }]);
  return () => seen.context.close();
});

const tableText = async (name: string) =>
  (await seen.page.getByRole("table", { name }).innerText()).replaceAll(" ", " ");

test("a split sale names both its means in the list and over its page", async () => {
  const sale = saleOf([{ quantity: 1, unit_price: 29_955 }], { payment_method: "CASH" });
  const payments = [
    { payment_method: "CASH", amount: 19_955 },
    { payment_method: "NEQUI", amount: 10_000 },
  ];
  await till.put("sale", upload(sale), { payments });
  await seen.goto("/ventas");
  await seen.page.getByRole("table", { name: "Ventas" }).getByText("Efectivo + Nequi").waitFor();
  await seen.goto(`/ventas/${sale.id}`);
  await seen.sees("Efectivo + Nequi · 1 línea");
  expect(seen.complaints).toEqual([]);
});

test("a sale with a discount goes from its lines to its total, and only one number is the total", async () => {
  const sale = saleOf([{ quantity: 2, unit_price: 10_000 }], {}, 1_500);
  await till.put("sale", upload(sale));
  await seen.goto(`/ventas/${sale.id}`);
  await seen.page.getByRole("table", { name: "Líneas" }).getByText("Descuento").waitFor();
  const foot = (await tableText("Líneas")).split("\n").slice(-3).join("|").replaceAll("\t", " ");
  expect(foot).toMatch(/Subtotal.*20\.000.*Descuento.*− \$\s1\.500.*Total.*18\.500/);
  expect(seen.complaints).toEqual([]);
});

test("a shift says on the spot what was taken back by all means, and what of it left its drawer", async () => {
  const shift = cashSessionBody(new Date().toISOString());
  await till.put("cash_session", upload(shift));
  const [back, cancelled] = [20_000, 5_000].map((unit_price) =>
    saleOf([{ quantity: 1, unit_price }], { cash_session_id: shift.id, payment_method: "CASH" }),
  );
  for (const sale of [back!, cancelled!]) await till.put("sale", upload(sale));
  await till.put("return", returnOf(back!, [1], { cash_session_id: shift.id, payment_method: "CASH" }));
  await till.put("sale", upload({ ...cancelled!, status: "cancelled" }));
  await seen.goto(`/turnos/${shift.id}`);
  await seen.sees(/devoluciones y anulaciones, \$\s25\.000 en efectivo; de \$\s25\.000 de ventas brutas/);
  await seen.sees(/Del cajón salieron \$\s20\.000 en efectivo/);
  const { text } = await owner.get(`/cash-sessions/${shift.id}/z`);
  expect(JSON.parse(text).sums.returned).toBe(25_000);
  expect(seen.complaints).toEqual([]);
});

test("what runs out is counted once, and what a cancelled sale brings back is a cancellation", async () => {
  const { product } = await stock();
  const sale = saleOf([{ quantity: 101, unit_price: 100, product_id: product.id }]);
  await sell(sale);
  await seen.goto("/inventario");
  const figures = seen.page.getByRole("region", { name: "El inventario en números" });
  await figures.getByText("1 producto", { exact: true }).waitFor();
  const totals = (await owner.get("/products/totals?counted=true")).body;
  expect([totals.low, totals.out, totals.negative]).toEqual([0, 0, 1]);
  const back = { quantity: 101, type: "in", origin_type: "reversal", sale_id: sale.id, warehouse_id: null };
  await till.put("sale", upload({ ...sale, status: "cancelled" }));
  await till.put("stock_movement", { ...back, product_id: product.id });
  await seen.goto("/inventario/movimientos");
  await seen.page.getByRole("table").getByText("Anulación").waitFor();
  await seen.goto(`/ventas/${sale.id}`);
  await seen.page.getByRole("table", { name: "Movimientos de inventario" }).getByText("Anulación").waitFor();
  const file = String((await owner.download("/tables/stock-movements.csv")).bytes);
  expect(file).toContain(";Anulación;");
  expect(seen.complaints).toEqual([]);
});

test("kilos and pieces are not added up, and what sells most says before what", async () => {
  const at = service.deps.clock.now().toISOString();
  const cheese = productBody(at, { name: "Queso", base_unit: "kg", sold_by_weight: true });
  const bread = productBody(at, { name: "Pan" });
  for (const product of [cheese, bread]) await till.put("product", upload(product));
  const lines = [
    { quantity: 2.755, unit_price: 10_000, product_id: cheese.id },
    { quantity: 8, unit_price: 500, product_id: bread.id },
  ];
  await till.put("sale", upload(saleOf(lines, { occurred_at: at })));
  await seen.goto("/informes?por=product");
  const table = seen.page.getByRole("table").filter({ hasText: "Queso" });
  await table.getByText("2,755 kg").waitFor();
  expect(await seen.page.locator("main").textContent()).not.toMatch(/10,755/);
  await seen.goto("/");
  await seen.sees("Valor de las líneas, antes del descuento de la venta.");
  expect(seen.complaints).toEqual([]);
});

test("an address that nothing has is told in words, with a way back", async () => {
  for (const id of ["nada", randomUUID()]) {
    await seen.goto(`/ventas/${id}`);
    await seen.sees("Esta venta no existe");
    expect(await seen.page.getByText("UUID").count()).toBe(0);
  }
  await seen.page.getByRole("main").getByRole("link", { name: "Ventas" }).last().click();
  await seen.page.getByRole("heading", { name: "Ventas", level: 1 }).waitFor();
  await seen.goto("/vents");
  await seen.sees("Esta página no existe");
  await seen.link("Ir al inicio").click();
  await seen.page.getByRole("heading", { name: /^(Hoy|Empezar)$/, level: 1 }).waitFor();
  expect(seen.complaints).toEqual([]);
});

test("before its tax data a new business is led to them, and a missing NIT is told in Spanish", async () => {
  const { email } = await openAccount(service, { isNew: true });
  await seen.context.clearCookies();
  await seen.signIn(email);
  await seen.goto("/empezar");
  await seen.sees(/Antes va el paso 1/);
  await seen.goto("/ajustes/facturacion#rangos");
  await seen.sees(/Primero va el perfil fiscal/);
  await seen.button("Registrar el perfil fiscal").click();
  await seen.page.getByRole("dialog").getByRole("textbox", { name: "NIT" }).waitFor();
  await seen.page.getByRole("dialog").locator("button[type=submit]").click();
  const nit = seen.page.getByRole("dialog").getByRole("textbox", { name: "NIT" });
  const message = () => nit.evaluate((field) => (field as unknown as { validationMessage: string }).validationMessage);
  await expect.poll(message).toBe("Falta este dato. Escríbalo para seguir.");
  await nit.fill("900373923-8");
  expect(await message()).toBe("");
  expect(seen.complaints).toEqual([]);
});
