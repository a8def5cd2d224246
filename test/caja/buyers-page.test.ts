import { createCanvas, loadImage } from "@napi-rs/canvas";
import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { furnishShop, newCaja, tablet } from "../support/caja.ts";
import { fiscalBusiness } from "../support/fiscal.ts";
import { sharedService } from "../support/fixtures.ts";
import { decideAll } from "../support/issuing.ts";
import { qrIn } from "../support/pdf.ts";
import { sharedBrowser } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();
const buyersCode = "Código QR de la página del comprador";

test("a ticket that was sold without a connection carries the buyer's page, which fills in by itself", async () => {
  const { accountId } = await fiscalBusiness(service);
  await furnishShop(service, accountId, ["Pan tajado"]);
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  const { page } = caja;
  await caja.start();
  await caja.uploaded();
  await context.own.setOffline(true);
  await page.getByRole("button", { name: "Pan tajado" }).first().click();
  await page.getByRole("button", { name: /^Cobrar \$/ }).click();
  await page.getByRole("button", { name: "Exacto" }).click();
  await page.getByText("Vea y descargue su documento electrónico con este código").waitFor();
  const link = (await scanned(page.getByRole("img", { name: buyersCode })))!;
  const [, token] = link.split("/d/");
  const seen = async () => (await fetch(`${service.baseUrl}/d/${token}`)).text();
  expect(await seen()).toContain("Su compra todavía no ha llegado");

  await page.evaluate("window.open = (address) => { window.opened = address; }");
  await page.getByRole("button", { name: "Por WhatsApp" }).click();
  const chat = new URL(await page.evaluate<string>("window.opened"));
  expect([chat.origin, chat.searchParams.get("text")]).toEqual(["https://wa.me", expect.stringContaining(link)]);

  await context.own.setOffline(false);
  await page.getByText("La DIAN todavía no ha respondido", { exact: false }).waitFor();
  expect(await seen()).toContain("Pan tajado");
  await decideAll(service);
  // From the verdict on the paper has the authority's own.
  await page.getByRole("img", { name: "Código QR del documento" }).waitFor();
  expect(await page.getByRole("img", { name: buyersCode }).count()).toBe(0);
  expect(await seen()).toContain("EPOS1");
});

test("a shop that issues no documents prints no such code", async () => {
  const { accountId } = await service.business();
  await furnishShop(service, accountId, ["Pan tajado"]);
  await using context = await tablet(browser);
  const caja = await newCaja(context.own, service, accountId);
  const { page } = caja;
  await caja.start();
  await page.getByRole("button", { name: "Pan tajado" }).first().click();
  await page.getByRole("button", { name: /^Cobrar \$/ }).click();
  await page.getByRole("button", { name: "Exacto" }).click();
  await page.getByText("Comprobante de venta").waitFor();
  await caja.uploaded();
  expect(await page.getByRole("img", { name: buyersCode }).count()).toBe(0);
  expect(await page.getByRole("button", { name: "Por WhatsApp" }).count()).toBe(0);
});

/** What the buyer's phone reads. */
async function scanned(code: Locator): Promise<string | undefined> {
  const image = await loadImage(await code.screenshot());
  const canvas = createCanvas(image.width, image.height);
  const drawing = canvas.getContext("2d");
  drawing.drawImage(image, 0, 0);
  const { data } = drawing.getImageData(0, 0, image.width, image.height);
  return qrIn({ width: image.width, height: image.height, png: Buffer.alloc(0), pixels: data });
}
