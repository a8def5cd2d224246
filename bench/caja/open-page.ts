import type { Browser, Page } from "playwright-core";
import { createEnrolmentCode } from "../../src/access/devices/create-enrolment-code.ts";

export type EnrollingDeps = Parameters<typeof createEnrolmentCode>[0];

/** Caja in a browser of its own, linked to a shop, with its shift open and its products on the screen. */
export async function openPage(
  browser: Browser,
  deps: EnrollingDeps,
  { url, accountId }: { url: string; accountId: string },
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1366, height: 800 }, locale: "es-CO" });
  const page = await context.newPage();
  page.setDefaultTimeout(300_000);
  const { code } = await createEnrolmentCode(deps, { accountId, name: "Caja" });
  await page.goto(`${url}/caja/#codigo=${code}`);
  await page.getByRole("button", { name: "Vincular" }).click();
  await page.getByRole("button", { name: "Abrir turno" }).click();
  await page.locator(".tiles li").first().waitFor();
  return page;
}

/** Puts the first product on the ticket and asks for the payment; `chargeExactly` does the rest. */
export async function beginCharge(page: Page): Promise<void> {
  await page.locator(".tiles button").first().click();
  await page.getByRole("button", { name: /^Cobrar \$/ }).click();
  await page.getByRole("button", { name: "Exacto" }).waitFor();
}
