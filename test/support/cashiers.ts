import type { Page } from "playwright-core";
import { theOperator } from "../../src/access/accounts/record-audit.ts";
import { createCashier } from "../../src/business/counter/cashiers.ts";
import { allRights, type Right } from "../../src/business/counter/rights.ts";
import { type Caja, furnishShop } from "./caja.ts";
import type { Service } from "./service.ts";
import { openAccount } from "./visitor.ts";

/** What the shop sells, at $1.000, $2.000 and $3.000. */
export const supervisedNames = ["Café molido 250 g", "Pan tajado", "Leche 1 L"];
export const pins = { Ana: "2468", Luz: "975310" };
type Name = keyof typeof pins;

/** A shop with Ana, who may only sell, and Luz, who may everything. */
export async function supervisedShop(service: Service, permissions: readonly Right[] = []) {
  const { accountId, email } = await openAccount(service);
  await furnishShop(service, accountId, supervisedNames);
  const person = (name: Name, rights: readonly Right[]) =>
    createCashier(service.deps, accountId, { name, pin: pins[name], permissions: rights }, theOperator);
  const ana = (await person("Ana", permissions))!;
  await person("Luz", allRights);
  return { accountId, email, ana };
}

export async function signIn(page: Page, name: Name): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
  await page.getByLabel("PIN").fill(pins[name]);
  await page.getByRole("button", { name: "Entrar" }).click();
}

export async function beginAs(caja: Caja, service: Service, name: Name): Promise<void> {
  await caja.page.goto(`${service.baseUrl}/caja/`);
  await caja.link();
  await signIn(caja.page, name);
  await caja.openShift();
}

/** Luz comes and types her PIN: she is the only one to choose. */
export async function authorize(page: Page): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Autoriza un supervisor" });
  await dialog.getByRole("heading", { name: "Luz" }).waitFor();
  await dialog.getByLabel("PIN").pressSequentially(pins.Luz, { delay: 90 });
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
}
