import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { addDays } from "../../src/reports/period.ts";
import { bogotaDate } from "../../src/taxes/bogota-time.ts";
import { advance } from "../support/fiscal.ts";
import { shared, sharedService } from "../support/fixtures.ts";
import { saleBody, saleItemBody } from "../support/records.ts";
import { ableToReturn, enrol, upload } from "../support/register.ts";
import { openAccount, sharedBrowser, visit } from "../support/visitor.ts";

const day = 86_400_000;
const service = sharedService();
const browser = sharedBrowser();
const owner = shared(() => visit(browser, service));

test("days are the service's, whatever the computer's clock says, and a day with only returns has its columns", async () => {
  advance(service, 3 * day);
  const now = service.deps.clock.now();
  const today = bogotaDate(now);
  const { accountId, email } = await openAccount(service);
  const till = await enrol(service, accountId, { capabilities: ableToReturn });
  const items = [saleItemBody({ quantity: 1, unit_price: 8_000, subtotal: 8_000 })];
  const before = new Date(now.getTime() - 2 * day).toISOString();
  const sold = saleBody(before, { items, subtotal: 8_000, total: 8_000, occurred_at: before });
  await till.put("sale", upload(sold));
  const lines = items.map(({ id: item_id, quantity }) => ({ item_id, quantity }));
  const back = { sale_id: sold.id, lines, payment_method: "CASH", reason: null, occurred_at: now.toISOString() };
  await till.push([{ type: "return", id: randomUUID(), data: back }]);

  await owner.signIn(email);
  await owner.link(/^Ventas netas de hoy: -\$\s8\.000$/).waitFor();
  await owner.page.getByRole("img", { name: /^Ventas netas por hora: -\$\s8\.000 hoy/ }).waitFor();
  const [box, field] = await Promise.all(
    [".chart-bar i.now.under", ".chart-field"].map((one) => owner.page.locator(one).boundingBox()),
  );
  expect(box?.height).toBeGreaterThan((field?.height ?? 0) / 2);

  await owner.goto("/informes");
  expect(await owner.field("Desde").inputValue()).toBe(addDays(today, -29));
  expect(await owner.field("Hasta").inputValue()).toBe(today);
  await owner.goto("/ajustes/papeles");
  expect(await owner.field("Día").inputValue()).toBe(today);
});
