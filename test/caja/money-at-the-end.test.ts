import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectTidy, furnishShop, newCaja, scan, tablet } from "../support/caja.ts";
import { sharedService } from "../support/fixtures.ts";
import { openPortal } from "../support/portal.ts";
import { sharedBrowser } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();
const names = ["Café molido 250 g", "Pan tajado", "Leche 1 L"];
const settings = {
  ...{ ticket_header: null, ticket_footer: null, color: null, cash_rounding: 0, tip_percent: 0, blind_count: false },
};

/** As it looks on a phone. */
async function onPhone(page: Page, place: string): Promise<void> {
  const before = page.viewportSize()!;
  await page.setViewportSize({ width: 375, height: 740 });
  await expectTidy(page, place);
  await page.setViewportSize(before);
}

async function counterOf(tipPercent = 0) {
  const owner = await openPortal(service);
  const { accountId } = owner;
  await owner.put("/counter", { ...settings, tip_percent: tipPercent });
  await furnishShop(service, accountId, names);
  const { api } = await service.key(accountId);
  const context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  await caja.start();
  return { owner, api, caja, page: caja.page, [Symbol.asyncDispose]: () => context.own.close() };
}

test("a card takes its reference: on the ticket, in Ventas and in the portal; Enter and a scan in its field pay nothing", async () => {
  await using at = await counterOf();
  const { page, caja, owner, api } = at;
  await page.getByRole("button", { name: names[1]! }).first().click();
  await page.getByRole("button", { name: /^Cobrar \$/ }).click();
  const reference = page.getByLabel("Referencia (opcional)");
  await reference.click();
  await page.keyboard.type("AP-1", { delay: 90 });
  await page.keyboard.press("Enter");
  expect(await page.getByRole("heading", { name: /registrada/ }).count()).toBe(0);
  await scan(page, "7700000000");
  await page.getByRole("button", { name: "Cobrar $3.000", exact: true }).click();
  await page.getByLabel("Referencia (opcional)").fill("AP-778899");
  await page.getByRole("button", { name: "Tarjeta" }).click();
  await page.getByText("AP-778899").waitFor();
  await page.getByRole("button", { name: "Nueva venta" }).click();
  await caja.uploaded();
  await page.getByRole("button", { name: "Ventas", exact: true }).click();
  await page.getByLabel("Buscar en las ventas").fill("ap-7788");
  await page.getByRole("button", { name: /Pan tajado/ }).waitFor();
  await page.getByLabel("Buscar en las ventas").fill("$3.000");
  await page.getByRole("button", { name: /Pan tajado/ }).waitFor();
  await page.getByLabel("Buscar en las ventas").fill("ap-9");
  await page.getByText("Ninguna coincide.").waitFor();
  const [sale] = (await api.get("/sales")).body.data;
  expect(sale, "it is the shop's own, and not published").toMatchObject({ payment_method: "CARD" });
  expect(JSON.stringify(sale)).not.toContain("AP-778899");
  expect((await owner.get(`/sales/${sale.id}`)).body.payments).toEqual([
    { payment_method: "CARD", amount: 3000, reference: "AP-778899" },
  ]);
});

/** Those of these that are cut off, covered or missing. */
const unseen = (selectors: string[]) => `${JSON.stringify(selectors)}.filter((selector) => {
  const one = document.querySelector(selector);
  const { left, right, top, bottom } = one?.getBoundingClientRect() ?? { left: -1 };
  if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) return true;
  return ![top + 3, bottom - 3].every((y) => one.contains(document.elementFromPoint((left + right) / 2, y)));
})`;

test("on a small tablet the total and both buttons to charge are in sight, with the suggested tip and several tickets", async () => {
  await using at = await counterOf(10);
  const { page } = at;
  await page.setViewportSize({ width: 1024, height: 600 });
  for (let i = 0; i < 3; i++) {
    await page.getByRole("button", { name: names[i]! }).first().click();
    if (i < 2) await page.keyboard.press("F7");
  }
  await page.keyboard.press("F9");
  await page.getByRole("button", { name: /^10 %/ }).click();
  await page.getByText("Propina", { exact: true }).waitFor();
  expect(await page.evaluate(unseen([".huge", ".sums .total dd", '.ticket > .chips [aria-pressed="true"]']))).toEqual(
    [],
  );
  expect(await page.evaluate(unseen([".tip legend", ".cash input", ".cash .primary"]))).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
});

test("on the smallest phone, with its browser's bars, the tip's question, what is received and the button to pay are in sight", async () => {
  await using at = await counterOf(10);
  const { page } = at;
  await page.setViewportSize({ width: 320, height: 510 });
  for (let i = 0; i < 4; i++) await page.getByRole("button", { name: names[2]! }).first().click();
  await page.getByRole("button", { name: "Cobrar", exact: true }).click();
  for (const answer of [/^Sin propina/, /^10 %/]) {
    await page.getByRole("button", { name: answer }).click();
    expect(await page.evaluate(unseen([".tip legend", ".tip .choices", ".cash input", ".pay"]))).toEqual([]);
  }
  await expectTidy(page, "tip-320");
});

test("the open shift's figures are on the server with each sale, cancellation, return and corrected means", async () => {
  await using at = await counterOf();
  const { page, caja, api } = at;
  const session = async () => (await api.get("/cash-sessions?status=open")).body.data[0];
  await caja.sell(names[0]!);
  await caja.uploaded();
  await expect.poll(async () => (await session()).sales_count).toBe(1);
  expect(await session()).toMatchObject({ sales_total: 1000, cash_sales: 1000, expected_amount: 51_000 });
  await caja.sell(names[2]!);
  await caja.uploaded();
  await expect.poll(async () => (await session()).expected_amount).toBe(54_000);

  // The means of the second sale was wrong.
  await page.getByRole("button", { name: "Ventas", exact: true }).click();
  await page.getByRole("button", { name: /Leche/ }).click();
  await page.getByRole("button", { name: "Corregir el medio" }).click();
  await page.getByLabel("Efectivo $3.000 fue en realidad").selectOption("CARD");
  await page.getByLabel("Referencia (opcional)").fill("AP-5");
  await onPhone(page, "means");
  await page.getByRole("button", { name: "Corregir", exact: true }).click();
  await page.getByText("Medio corregido: Efectivo por Tarjeta").waitFor();
  await page.getByText("AP-5").waitFor();
  await page.keyboard.press("Escape");
  await caja.uploaded();
  await expect.poll(async () => (await session()).expected_amount).toBe(51_000);
  expect((await session()).payments).toEqual([
    { payment_method: "CASH", count: 1, amount: 1000 },
    { payment_method: "CARD", count: 1, amount: 3000 },
  ]);
  const [sale] = (await api.get("/sales")).body.data;
  expect(sale).toMatchObject({ total: 3000, payment_method: "CARD", status: "completed" });

  // The first is cancelled.
  await page.getByRole("button", { name: /Café/ }).click();
  await page.getByRole("button", { name: "Anular", exact: true }).click();
  await page.getByRole("button", { name: "Sí, anular" }).click();
  await page.getByText("VENTA ANULADA").waitFor();
  await page.keyboard.press("Escape");
  await caja.uploaded();
  await expect.poll(async () => (await session()).sales_count).toBe(1);
  expect(await session()).toMatchObject({ sales_total: 3000, cash_sales: 0, expected_amount: 50_000 });

  // X says all of it, and closing announces the shift once.
  await page.getByRole("button", { name: "Turno", exact: true }).click();
  await page.getByRole("button", { name: "Informe X" }).click();
  const paper = page.getByRole("dialog").locator(".paper");
  await paper.getByText("Anuladas (1)").waitFor();
  await onPhone(page, "report-x");
  const text = await paper.textContent();
  expect(text).toMatch(/IVA 19 % sobre \$3\.361\$639/);
  expect(text).toMatch(
    /Ventas2Ventas brutas\$4\.000Devoluciones y anulaciones \(1\)-\$1\.000Ventas netas\$3\.000Propinas\$0/,
  );
  expect(text).toMatch(/Descuentos\$0Anuladas \(1\)\$1\.000Devoluciones \(0\)\$0/);
  await page.getByRole("button", { name: "Listo" }).click();
  await page.getByRole("button", { name: "Cerrar turno" }).click();
  await page.getByRole("dialog").getByLabel("$50.000").fill("1");
  await page.getByRole("dialog").getByRole("button", { name: "Cerrar turno" }).click();
  await page.getByText("CIERRE DE TURNO (Z)").waitFor();
  await page.getByText("Anuladas (1)").waitFor();
  await page.getByRole("button", { name: "Listo" }).click();
  await caja.uploaded();
  const events = async () => (await api.get("/events?type=cash_session.closed")).body.data;
  await expect.poll(async () => (await events()).length).toBe(1);
  await page.getByRole("button", { name: "Ventas", exact: true }).click();
  await page.getByRole("button", { name: /Leche/ }).click();
  await page.getByRole("button", { name: "Imprimir" }).waitFor();
  expect(await page.getByRole("button", { name: "Corregir el medio" }).count(), "its shift is closed").toBe(0);
});

test("a tip is asked where the business wants it, and charged only if it is accepted", async () => {
  await using at = await counterOf(10);
  const { page, caja, api } = at;
  await page.getByText("Escanee o toque").waitFor();
  const charge = async () => {
    await page.getByRole("button", { name: names[2]! }).first().click();
    await page.getByRole("button", { name: /^Cobrar \$/ }).click();
  };
  const pay = async () => {
    await page.getByRole("button", { name: "Exacto" }).click();
    await page.getByRole("button", { name: "Nueva venta" }).click();
  };
  await charge();
  await page.getByRole("group", { name: /¿Propina\?/ }).waitFor();
  expect(await page.getByRole("button", { name: "Sin propina", pressed: true }).count()).toBe(1);
  await onPhone(page, "tip");
  await pay();
  await charge();
  await page.getByRole("button", { name: "10 % · $300" }).click();
  await page.getByText("Efectivo · $3.300").waitFor();
  await pay();
  // Enter in its field puts the tip and pays nothing; a scan is never a tip.
  await charge();
  await page.getByRole("button", { name: "Otro valor" }).click();
  await scan(page, "7700000000");
  await page.getByRole("button", { name: "Cobrar $4.000", exact: true }).click();
  await page.getByRole("button", { name: "Otro valor" }).click();
  await page.keyboard.type("500", { delay: 90 });
  await page.keyboard.press("Enter");
  await page.getByText("Efectivo · $4.500").waitFor();
  expect(await page.getByRole("heading", { name: /registrada/ }).count()).toBe(0);
  await page.getByRole("button", { name: "Sin propina" }).click();
  await page.getByText("Efectivo · $4.000").waitFor();
  await page.getByRole("button", { name: "Otro valor" }).click();
  await page.keyboard.type("700", { delay: 90 });
  await page.getByRole("button", { name: "Poner" }).click();
  await pay();
  await caja.uploaded();
  const tips = (await api.get("/sales")).body.data.map((one: { tip_amount: number }) => one.tip_amount);
  expect(tips.toReversed()).toEqual([0, 300, 700]);
  await page.getByRole("button", { name: "Turno", exact: true }).click();
  await page.getByRole("button", { name: "Informe X" }).click();
  await page.getByText("Propinas").waitFor();
  const text = await page.getByRole("dialog").locator(".paper").textContent();
  expect(text).toMatch(/Propinas\$1\.000/);
});
