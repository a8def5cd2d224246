import { expect, test } from "vitest";
import { readCounterSettings, setCounterSettings } from "../../src/business/counter/business-info.ts";
import { sql } from "../../src/db/sql.ts";
import { scaleLabelOf } from "../../src/lib/scale-label.ts";
import { newCaja, scan, storedSales, tablet } from "../support/caja.ts";
import { authorize, beginAs, supervisedNames, supervisedShop } from "../support/cashiers.ts";
import { sharedService } from "../support/fixtures.ts";
import { enrol, remoteEdit } from "../support/register.ts";
import { sharedBrowser } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();
const dialogName = { name: "Autoriza un supervisor" };

test("a price label of something sold by the piece asks a supervisor, who reads from what price to what", async () => {
  const { accountId } = await supervisedShop(service);
  const settings = await readCounterSettings(service.deps.pool, accountId);
  await setCounterSettings(service.deps, accountId, { ...settings, scale_labels: ["21AAAAAPPPPPC"] });
  const till = await enrol(service, accountId, { capabilities: [remoteEdit] });
  const whisky = {
    ...{ name: "Whisky", sku: "32947", base_price: 250_000, final_price: 250_000, tax_class: "standard" },
    ...{ base_unit: "und", sold_by_weight: false, active: true, sellable: true, variants: [] },
  };
  await till.put("product", whisky);
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  const { page } = caja;
  await beginAs(caja, service, "Ana");
  await scan(page, scaleLabelOf("21AAAAAPPPPPC", "32947", 100));
  const dialog = page.getByRole("dialog", dialogName);
  await dialog.getByText("Ana no puede cambiar precios.", { exact: false }).waitFor();
  await dialog.getByText("1 × Whisky, de $250.000 a $100").waitFor();
  await page.keyboard.press("Escape");
  await page.getByText("Escanee o toque un producto para empezar.").waitFor();
  await scan(page, scaleLabelOf("21AAAAAPPPPPC", "32947", 100));
  await authorize(page);
  await page.getByRole("button", { name: /^Cobrar \$100/ }).waitFor();
});
