import { expect, test } from "vitest";
import { furnishShop, newCaja, tablet } from "../support/caja.ts";
import { sharedBrowser } from "../support/visitor.ts";
import { sharedHooks } from "../support/webhooks.ts";

const hooks = sharedHooks();
const browser = sharedBrowser();

/** How long something took, for whoever reads the log: a busy machine says nothing about the service. */
async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  const result = await work();
  console.log(`${what}: ${Math.round(performance.now() - begun)} ms`);
  return result;
}

test("a sale at the counter reaches a webhook, and a price that the API changed reaches the counter", async () => {
  const { service, receiver } = hooks;
  const shop = await service.business();
  await furnishShop(service, shop.accountId, ["Café", "Pan"]);
  const endpoint = await hooks.endpoint(shop, { types: ["sale.completed"] });
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, shop.accountId);
  const { page } = caja;
  await caja.start();
  await caja.uploaded();
  await page.getByRole("button", { name: "Café" }).first().click();
  await page.getByRole("button", { name: /^Cobrar \$/ }).click();
  await page.getByRole("button", { name: "Exacto" }).click();
  await page.locator(":is(dialog, .panel) .paper").waitFor();
  const [delivery] = await timed("from the ticket to the webhook", () => receiver.arrivals(endpoint.path, 1));
  expect(delivery!.body.data.object).toMatchObject({ object: "sale", total: 1000 });
  await page.getByRole("button", { name: "Nueva venta" }).click();
  const { id } = (await shop.api.get("/products?sku=7700000001")).body.data[0];
  const changed = await shop.api.patch(`/products/${id}`, { base_price: 2500, final_price: 2500 });
  expect(changed.status, JSON.stringify(changed.body)).toBe(200);
  await timed("from the API to the counter", () => page.getByRole("button", { name: /Pan\s*\$2\.500/ }).waitFor());
});
