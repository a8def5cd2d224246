import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { theOperator } from "../../src/access/accounts/record-audit.ts";
import { createCashier } from "../../src/business/counter/cashiers.ts";
import { newCaja, tablet } from "../support/caja.ts";
import { fiscalBusiness } from "../support/fiscal.ts";
import { verifiedService } from "../support/fixtures.ts";
import { decideAll } from "../support/issuing.ts";
import { newProduct } from "../support/product.ts";
import { sharedBrowser } from "../support/visitor.ts";

const service = verifiedService();
const browser = sharedBrowser();

/** The label or the words of what has the focus. */
const focused = (page: Page) =>
  page.evaluate<string>(
    "(({ activeElement: one }) => one.closest('label')?.firstChild.textContent ?? one.ariaLabel ?? one.textContent)(document)",
  );
const isInSight = (page: Page, selector: string) =>
  page.evaluate<boolean>(`(() => {
    const one = document.querySelector("${selector}");
    const { left, top, width, height } = one.getBoundingClientRect();
    return one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  })()`);
const expectFocus = (page: Page, what: string | RegExp) => expect.poll(() => focused(page)).toMatch(what);

test.each([
  { width: 1366, height: 768 },
  { width: 1024, height: 600 },
  { width: 375, height: 740 },
])(
  "the address of a mail is in sight and takes the keys, also below a ticket with its QR, at $width × $height",
  async (size) => {
    const { accountId, api } = await fiscalBusiness(service);
    await newProduct(api, { name: "Café", base_price: 1000 });
    await using context = await tablet(browser, size);
    const caja = await newCaja(context.own, service, accountId);
    const { page } = caja;
    await caja.start();
    await page.getByRole("button", { name: "Café" }).first().click();
    await page.keyboard.press("F9");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("heading", { name: /registrada/ }).waitFor();
    await caja.uploaded();
    await decideAll(service);
    await page.locator(".paper svg, .paper img, .paper canvas").first().waitFor();
    await page.getByRole("button", { name: "Por correo" }).click();
    const field = page.getByLabel("Correo del cliente");
    await expectFocus(page, /^Correo del cliente/);
    for (const one of ["form.mail input", "form.mail button"])
      await expect.poll(() => isInSight(page, one), { message: one, timeout: 15_000 }).toBe(true);
    await field.fill("ana@example.com");
    await field.press("Enter");
    await page.getByText("ana@example.com").waitFor();
    await expectFocus(page, /^Nueva venta/);
  },
);

test("what is asked about a sale takes the keys, and so does what comes after it", async () => {
  const { accountId, api } = await fiscalBusiness(service);
  await newProduct(api, { name: "Café", base_price: 1000 });
  await api.post("/customers", {
    name: "Ana",
    last_name: "Restrepo",
    document_type: "CC",
    document_number: "1020304050",
  });
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  const { page } = caja;
  await caja.start();
  for (const _ of [1, 2]) await caja.sell("Café");
  await caja.uploaded();
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Ventas", exact: true }).click();
  await page.getByRole("button", { name: /Café/ }).first().click();

  await dialog.getByRole("button", { name: "Por correo" }).click();
  await expectFocus(page, /^Correo del cliente/);
  await page.getByLabel("Correo del cliente").fill("ana@example.com");
  await page.keyboard.press("Enter");
  await dialog.getByText("ana@example.com").waitFor();
  await expectFocus(page, /^Imprimir/);

  await dialog.getByRole("button", { name: "Corregir el medio" }).click();
  await expectFocus(page, /fue en realidad$/);
  await page.getByRole("combobox", { name: /fue en realidad/ }).selectOption({ label: "Tarjeta" });
  await dialog.getByRole("button", { name: "Corregir", exact: true }).click();
  await expectFocus(page, /^Imprimir/);

  await dialog.getByRole("button", { name: "Pasar a factura" }).click();
  await expectFocus(page, /^Cliente/);
  await page.getByLabel("Cliente", { exact: true }).fill("Restrepo");
  await page.keyboard.press("Enter");
  await expectFocus(page, /^Imprimir/);
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: /Café/ }).last().click();
  await dialog.getByRole("button", { name: "Anular" }).click();
  await expectFocus(page, "No anular");
  await dialog.getByRole("button", { name: "Sí, anular" }).click();
  await expectFocus(page, /^Imprimir/);
});

test("the first of those who attend, and the base of a shift after the Z before, take the keys", async () => {
  const { accountId, api } = await service.business();
  await newProduct(api, { name: "Café", base_price: 1000 });
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  const { page } = caja;
  await caja.start();
  await page.getByRole("button", { name: "Turno", exact: true }).click();
  await page.getByRole("button", { name: "Cerrar turno" }).click();
  await page.getByRole("dialog").getByLabel("$20.000").fill("2");
  await page.getByRole("dialog").getByRole("button", { name: "Cerrar turno" }).click();
  await page.getByRole("button", { name: "Listo" }).click();
  await expectFocus(page, /^Base en pesos/);
  // Both come down at once: whoever is alone is not chosen, but asked for her PIN.
  await page.goto("about:blank");
  for (const [name, pin] of [
    ["Ana", "4321"],
    ["Luz", "8765"],
  ] as const)
    await createCashier(service.deps, accountId, { name, pin, permissions: [] }, theOperator);
  await page.goto(`${service.baseUrl}/caja/`);
  await page.getByRole("button", { name: "Luz" }).waitFor();
  await expectFocus(page, "Ana");
  await page.keyboard.press("Enter");
  await expectFocus(page, /^PIN/);
});
