import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { afterScan, expectTidy, furnishShop, newCaja, scan, tablet } from "../support/caja.ts";
import { verifiedService } from "../support/fixtures.ts";
import { takesOrders } from "../support/orders.ts";
import { enrol } from "../support/register.ts";
import type { Business } from "../support/service.ts";
import { sharedBrowser } from "../support/visitor.ts";

const service = verifiedService();
const browser = sharedBrowser();
const names = ["Café molido 250 g", "Pan 1.000 g"];
const [coffee, bread] = ["7700000000", "7700000001"] as const;

async function place({ api }: Business, fields: object = {}) {
  const contact = { name: "Zoraida Pérez", phone: "300 123 4567" };
  const items = [{ sku: coffee, quantity: 2, notes: "Bien molido" }];
  const { status, body, text } = await api.post("/orders", { source: "Tienda web", contact, items, ...fields });
  if (status !== 201) throw new Error(text);
  return body as { id: string; number: number; total: number };
}

async function open(viewport?: { width: number; height: number }) {
  const shop = await service.business();
  await furnishShop(service, shop.accountId, names);
  const context = await tablet(browser, viewport);
  const caja = await newCaja(context.own, service, shop.accountId);
  await caja.start();
  const { page } = caja;
  const heard: string[] = [];
  await page.exposeFunction("heard", (sound: string) => void heard.push(sound));
  await page.evaluate(`addEventListener("caja:sound", ({ detail }) => heard(detail))`);
  const read = async (id: string) => (await shop.api.get(`/orders/${id}`)).body;
  return { shop, context, caja, page, heard, read, [Symbol.asyncDispose]: () => context.own.close() };
}

const orderCard = (page: Page, number: number) => page.getByRole("article", { name: `Pedido ${number}`, exact: true });
const button = (page: Page, number: number, name: string | RegExp) =>
  orderCard(page, number).getByRole("button", { name });

test("an order rings at the counter, is accepted, readied and charged, and neither Enter nor a scan does any of it", async () => {
  await using here = await open();
  const { shop, page, heard, read } = here;
  expect(await page.getByRole("button", { name: "Pedidos" }).count()).toBe(0);
  const order = await place(shop, { notes: "Con factura" });
  await page.getByRole("button", { name: /^Pedidos/ }).waitFor();
  await expect.poll(() => heard).toContain("order");
  await page.keyboard.press("Control+o");
  const card = orderCard(page, order.number);
  for (const text of ["Zoraida Pérez", "Bien molido", "Con factura", "Por cobrar $2.000"])
    await card.getByText(text).waitFor();

  await page.keyboard.press("Enter");
  await scan(page, bread);
  await page.getByText(`Se leyó ${bread}, y aquí no se vende.`).waitFor();
  await afterScan();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Entendido" }).click();
  expect((await read(order.id)).status).toBe("placed");

  await button(page, order.number, "Aceptar").click();
  // A scan over the button that was just touched presses none.
  await button(page, order.number, "20").focus();
  await scan(page, bread);
  await afterScan();
  expect((await read(order.id)).status).toBe("placed");
  await button(page, order.number, "20").click();
  await page.getByRole("region", { name: "En preparación" }).waitFor();
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await read(order.id)).status).toBe("accepted");
  await button(page, order.number, "Está listo").click();
  await page.getByRole("region", { name: "Listos para entregar" }).waitFor();
  await button(page, order.number, "Cobrar $2.000").click();
  await page.getByRole("heading", { name: `Pedido ${order.number}` }).waitFor();
  await page.keyboard.press("F9");
  await page.getByRole("button", { name: "Exacto" }).click();
  await page.getByRole("heading", { name: /^Venta \d+ registrada/ }).waitFor();
  await expect.poll(async () => (await read(order.id)).status).toBe("completed");
  const { sale_id, extra_sale_ids } = await read(order.id);
  expect((await shop.api.get(`/sales/${sale_id}`)).body).toMatchObject({ total: order.total, notes: "Con factura" });
  expect(extra_sale_ids).toEqual([]);
});

test("a paid one is handed over without the drawer; one is turned down with its reason; each has its paper", async () => {
  await using here = await open();
  const { shop, page, read } = here;
  const payment = { status: "paid", method: "CARD", reference: "AP-91" };
  const [paid, other] = [await place(shop, { payment }), await place(shop)];
  await page.getByRole("button", { name: /^Pedidos/ }).click();
  const dialog = page.getByRole("dialog");
  await button(page, paid.number, "Papel").click();
  for (const text of ["Recogen aquí · Zoraida Pérez", "2 × Café molido 250 g", "Bien molido", "Pagado · Tarjeta"])
    await dialog.getByText(text).waitFor();
  await page.keyboard.press("Escape");
  await button(page, paid.number, "Aceptar").click();
  await button(page, paid.number, "Sin hora").click();
  await button(page, paid.number, "Entregar").click();
  await page.getByText(`Pedido ${paid.number} entregado: venta 1, $2.000 en Tarjeta`).waitFor();
  await expect.poll(async () => (await read(paid.id)).status).toBe("completed");

  await button(page, other.number, "Rechazar").click();
  expect(await dialog.getByRole("button", { name: "Rechazar pedido" }).isDisabled()).toBe(true);
  await dialog.getByRole("button", { name: "No hay existencias" }).click();
  await dialog.getByRole("button", { name: "Rechazar pedido" }).click();
  await expect.poll(async () => (await read(other.id)).rejected_reason).toBe("No hay existencias");
  await page.getByText("No hay pedidos por atender.").waitFor();
});

test("what is accepted without a connection goes to whoever was first, and the other is told", async () => {
  await using here = await open();
  const { shop, context, page, read } = here;
  const order = await place(shop, {});
  await page.getByRole("button", { name: /^Pedidos/ }).click();
  await orderCard(page, order.number).waitFor();
  await context.own.setOffline(true);
  await button(page, order.number, "Aceptar").click();
  await button(page, order.number, "30").click();
  await page.getByText("Falta que el servicio lo confirme").waitFor();
  // What was done here survives the tab.
  const till = await enrol(service, shop.accountId, { name: "Caja 2", capabilities: takesOrders });
  expect(await till.put("order", { id: order.id, status: "accepted" })).toMatchObject({ status: "applied" });
  await context.own.setOffline(false);
  await page.getByText(`El pedido ${order.number} lo aceptó otra caja primero.`).waitFor();
  await page.getByRole("button", { name: "Entendido" }).click();
  expect(await read(order.id)).toMatchObject({ status: "accepted", register_id: till.deviceId });
});

test("the orders fit every screen, light and dark, with long names and addresses", async () => {
  await using here = await open({ width: 375, height: 812 });
  const { shop, page } = here;
  const long = "Distribuidora_Hermanos_Villavicencio_de_los_Andes".slice(0, 60);
  const fulfilment = { type: "delivery", address: `Cl 10 # 43-20, ${long}`, notes: "Portería 2" };
  const orders = [];
  for (let i = 0; i < 3; i++)
    orders.push(
      await place(shop, { source: long, contact: { name: `${long} ${i}` }, fulfilment, delivery_fee: 4_000 }),
    );
  await page.getByRole("button", { name: /^Pedidos/ }).click();
  await button(page, orders[0]!.number, "Aceptar").click();
  await button(page, orders[0]!.number, "10").click();
  await button(page, orders[1]!.number, "Aceptar").click();
  for (const [width, height] of [
    [375, 812],
    [320, 640],
    [768, 1024],
    [1024, 600],
    [1920, 1080],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expectTidy(page, "orders");
    const nav = page.getByRole("navigation", { name: "Secciones" }).getByRole("button");
    const boxes = await Promise.all((await nav.all()).map((one) => one.boundingBox()));
    for (const box of boxes) expect(box!.x + box!.width, `${width}`).toBeLessThanOrEqual(width + 0.5);
  }
});

test("of an order of which a part is paid the ticket says what is left, as its card does", async () => {
  await using here = await open();
  const { shop, page } = here;
  const payment = { status: "paid", method: "NEQUI", reference: "M1", amount: 800 };
  const order = await place(shop, { payment });
  await page.getByRole("button", { name: /^Pedidos/ }).waitFor();
  await page.keyboard.press("Control+o");
  await button(page, order.number, "Aceptar").click();
  await button(page, order.number, "20").click();
  await button(page, order.number, "Está listo").click();
  await button(page, order.number, "Cobrar $1.200").click();
  const ticket = page.getByRole("region", { name: "Tiquete" });
  await ticket.getByRole("button", { name: "Cobrar $1.200" }).waitFor();
  for (const [name, value] of [
    ["Total · 2 artículos", "$2.000"],
    ["Ya pagado", "−$800"],
    ["Por cobrar", "$1.200"],
  ])
    expect((await ticket.locator(".sums div", { hasText: name! }).innerText()).replace(/-/g, "−")).toContain(value);
});
