import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { hideStart } from "../../src/api/portal/home/first-steps.ts";
import { addDays } from "../../src/reports/period.ts";
import { bogotaDate } from "../../src/taxes/bogota-time.ts";
import { shared, sharedService } from "../support/fixtures.ts";
import { chooseWithKeys } from "../support/keys.ts";
import { expectSoundPage } from "../support/page-checks.ts";
import { cashSessionBody, saleBody, saleItemBody } from "../support/records.ts";
import { ableToReturn, enrol, type Till } from "../support/register.ts";
import { openAccount, sharedBrowser, visit } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();
const owner = shared(() => visit(browser, service));
const shift = randomUUID();
const milk = randomUUID();
const today = bogotaDate(new Date());
let till: Till;
let shop: Awaited<ReturnType<typeof openAccount>>;

function sale(total: number, fields: object = {}) {
  const at = new Date().toISOString();
  const items = [saleItemBody({ product_id: milk, quantity: 1, unit_price: total, subtotal: total })];
  const { id: _, ...data } = saleBody(at, { items, subtotal: total, total, cash_session_id: shift });
  return { type: "sale", data: { ...data, ...fields } };
}

beforeAll(async () => {
  shop = await openAccount(service, { name: "Panadería La Espiga" });
  const { accountId, email } = shop;
  till = await enrol(service, accountId, { capabilities: ableToReturn });
  const { id: _, ...session } = cashSessionBody(new Date().toISOString(), {
    register_name: "Caja de la puerta",
    opened_by: "Ana",
    sales_count: 2,
    sales_total: 30_000,
    payments: [{ payment_method: "NEQUI", count: 2, amount: 30_000 }],
  });
  // Every hour of the same weekday, so that the chart is full.
  const lastWeek = Array.from({ length: 24 }, (_, hour) =>
    sale(1_000 * (hour + 1), {
      occurred_at: `${addDays(today, -7)}T${String(hour).padStart(2, "0")}:30:00-05:00`,
      cash_session_id: null,
    }),
  );
  await till.push([
    { type: "product", id: milk, data: { name: "Leche entera 1100 ml", base_price: 5000 } },
    { type: "cash_session", id: shift, data: session },
    sale(20_000),
    sale(10_000, { payment_method: "NEQUI" }),
    ...lastWeek,
  ]);
  await owner.signIn(email);
});

describe("each page is sound on a phone, a tablet and a desk, in light and dark", () => {
  test.each([
    "/",
    "/turnos",
    `/turnos/${shift}`,
    "/informes",
    "/informes?por=product",
    "/informes?por=taxes",
    "/informes?desde=2020-01-01&hasta=2020-01-31",
    "/integracion",
  ])("%s", (path) => expectSoundPage(owner, path));
});

test("Hoy shows what was sold, follows the next sale by itself, and its numbers open their lists", async () => {
  await owner.goto("/");
  await owner.link(/^Ventas netas de hoy: \$\s30\.000$/).waitFor();
  await owner.page.getByRole("img", { name: /^Ventas netas por hora: \$\s30\.000 hoy/ }).waitFor();
  const bars = owner.page.locator(".chart-bar i.some");
  expect(await bars.count()).toBe(25);
  for (const bar of await bars.all()) expect((await bar.boundingBox())!.width).toBeGreaterThan(1);
  await till.push([sale(5_000)]);
  const sold = owner.link(/^Ventas netas de hoy: \$\s35\.000$/);
  await sold.waitFor();
  expect(await sold.getAttribute("href")).toBe(`/ventas?desde=${today}&hasta=${today}`);
  const nequi = owner.page.getByRole("list", { name: "Medios de pago" }).getByRole("link", { name: "Nequi" });
  expect(await nequi.getAttribute("href")).toBe(`/ventas?desde=${today}&hasta=${today}&medio=NEQUI`);
  const opens = async (figure: RegExp, list: string) => {
    await owner.goto("/");
    await owner.link(figure).click();
    await owner.page.getByRole("region", { name: "Totales de lo filtrado" }).getByText(list).first().waitFor();
  };
  await opens(/^Ventas netas de hoy/, "$ 35.000");
  await opens(/^Nequi$/, "$ 10.000");
  await owner.goto("/");
  await owner.link("Caja de la puerta").click();
  await owner.page.getByRole("heading", { name: "Turno de Caja de la puerta" }).waitFor();
  await owner.link(/^Ventas netas del turno: \$\s35\.000$/).click();
  await owner.page.getByRole("region", { name: "Totales de lo filtrado" }).getByText("$ 35.000").first().waitFor();
});

test("what was returned today stands beside the sales, and its list has it", async () => {
  const bought = sale(8_000);
  const id = randomUUID();
  await till.push([{ ...bought, id }]);
  const items = bought.data.items.map(({ id: item_id, quantity }) => ({ item_id, quantity }));
  const back = {
    sale_id: id,
    lines: items,
    payment_method: "CASH",
    reason: null,
    occurred_at: new Date().toISOString(),
  };
  await till.push([{ type: "return", data: back }]);
  await owner.goto("/");
  await owner.link(/^Devoluciones: \$\s8\.000$/).click();
  const rows = owner.page.getByRole("table", { name: "Ventas" }).getByRole("row", { name: /Devolución/ });
  await rows.getByText("-$ 8.000").waitFor();
  await owner.goto("/");
  await owner.link(/^Ventas netas de hoy: \$\s35\.000$/).waitFor();
});

test("a business that sells sees Hoy, with what is left of its first steps on a card that it can put away", async () => {
  await hideStart(service.deps.pool, shop.accountId, null);
  await owner.goto("/");
  const card = owner.page.getByRole("region", { name: "Empezar" });
  await card.getByText(/Faltan \d pasos/).waitFor();
  await owner.page.getByRole("heading", { name: "Hoy", level: 1 }).waitFor();
  await card.getByRole("link", { name: "Continuar" }).click();
  await owner.page.getByRole("heading", { name: "Empezar", level: 1 }).waitFor();
  await owner.goto("/");
  await card.getByRole("button", { name: "Ahora no" }).click();
  await card.waitFor({ state: "detached" });
});

test("a shift shows its means of payment and links to its Z and its sales", async () => {
  await owner.goto("/turnos");
  await owner.page
    .getByRole("row", { name: /Caja de la puerta/ })
    .getByText("Ana")
    .click();
  await owner.page.getByRole("table", { name: "Medios de pago" }).getByText("Nequi").waitFor();
  const z = owner.link("Informe Z en PDF");
  expect(await z.getAttribute("href")).toContain(`/portal/api/cash-sessions/${shift}/z.pdf?business=`);
});

test("filters of a list live in the address, and clearing them brings everything back", async () => {
  await owner.goto("/turnos?estado=closed");
  await owner.sees("Ningún turno coincide");
  await owner.button("Quitar los filtros").first().click();
  await owner.sees("Caja de la puerta");
  expect(new URL(owner.page.url()).search).toBe("");
});

test("a report is chosen with the keyboard alone, and its address keeps the choice", async () => {
  await owner.goto("/informes");
  await owner.page.getByRole("table", { name: "Ventas por día" }).waitFor();
  await chooseWithKeys(owner.page, "Ver", "Ventas por producto");
  const table = owner.page.getByRole("table", { name: "Ventas por producto" });
  await table.getByText("Leche entera 1100 ml").waitFor();
  expect(new URL(owner.page.url()).searchParams.get("por")).toBe("product");
  await owner.page.reload();
  await table.waitFor();
});

test("the weekly summary is asked for and stopped with one button", async () => {
  await owner.goto("/informes");
  await owner.button("Recibirlo los lunes").click();
  await owner.sees("El resumen le llegará los lunes.");
  await owner.button("Dejar de recibirlo").click();
  await owner.button("Recibirlo los lunes").waitFor();
});

test("on a phone the bar leads to the pages of every day, and «Más» opens and closes the rest", async () => {
  await owner.page.setViewportSize({ width: 375, height: 812 });
  await owner.goto("/turnos");
  expect(await owner.link("Seguridad").isVisible()).toBe(false);
  await owner.button("Más").click();
  await owner.link("Seguridad").click();
  await owner.page.getByRole("heading", { name: "Seguridad", level: 1 }).waitFor();
  await owner.page.getByRole("navigation", { name: "Atajos" }).getByRole("link", { name: "Hoy" }).click();
  await owner.page.getByRole("heading", { name: "Hoy", level: 1 }).waitFor();
  await owner.page.setViewportSize({ width: 1280, height: 900 });
});

test("addresses of the former account page lead to the pages that took its place", async () => {
  for (const [from, to] of [
    ["/cuenta", "/ajustes/negocio"],
    ["/cuenta#rangos", "/ajustes/facturacion#rangos"],
  ] as const) {
    await owner.goto("about:blank");
    await owner.goto(from);
    await expect.poll(() => owner.page.url()).toBe(`${service.baseUrl}${to}`);
  }
});

test("no page violated the content policy or threw an error", () => {
  expect(owner.complaints).toEqual([]);
});
