import { expect, test } from "vitest";
import { bogotaDate } from "../../src/taxes/bogota-time.ts";
import { aProduct, minute, moved, productRecord, push, sold } from "../support/earning.ts";
import { shared, sharedService } from "../support/fixtures.ts";
import { newborn } from "../support/newborn.ts";
import { expectSoundPage } from "../support/page-checks.ts";
import { enrol } from "../support/register.ts";
import { sharedBrowser, visit } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();
const owner = shared(() => visit(browser, service));
const now = 20 * 1440;

test("an owner of yesterday sees what her first sales cost and earned: in Hoy, the sale, the product and Informes", async () => {
  const { accountId, email } = await newborn(service);
  const till = await enrol(service, accountId);
  const [bread, milk] = [
    aProduct({ name: "Pan aliñado", tax_class: "excluded" }),
    aProduct({ name: "Leche entera", tax_class: "excluded" }),
  ];
  const sale = sold(
    [
      { product: bread.id, quantity: 2, price: 3000 },
      { product: milk.id, quantity: 1, price: 4000 },
    ],
    now,
  );
  await push(till, [
    ...[bread, milk].map(productRecord),
    moved(bread.id, 10, { quantity: 10, unit_cost: 1000 }),
    ...sale.records,
  ]);
  await owner.signIn(email);
  await owner.goto("/");
  await owner.sees("Margen de hoy");
  await owner.sees(/66,7\s?% de lo vendido, sin costo: 1/);
  await owner.goto(`/ventas/${sale.id}`);
  await owner.sees("Costo y margen");
  await owner.sees("Sin costo");
  await owner.goto(`/productos/${bread.id}`);
  await owner.sees("En los últimos 30 días dejó");
  const today = bogotaDate(new Date(minute(now)));
  for (const view of ["day", "product"])
    await expectSoundPage(owner, `/informes?por=margin_${view}&desde=${today}&hasta=${today}`);
  await owner.goto(`/informes?por=margin_product&desde=${today}&hasta=${today}`);
  await owner.link("Pan aliñado").waitFor();
  await expectSoundPage(owner, `/informes?por=stock_value&hasta=${today}`);
  await owner.sees("Inventario al final del");
  expect(owner.complaints).toEqual([]);
});
