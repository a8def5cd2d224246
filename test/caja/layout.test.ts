import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { theOperator } from "../../src/access/accounts/record-audit.ts";
import { createCashier } from "../../src/business/counter/cashiers.ts";
import { allRights } from "../../src/business/counter/rights.ts";
import { furnishShop, newCaja, tablet } from "../support/caja.ts";
import { sharedService } from "../support/fixtures.ts";
import { enrol, remoteEdit } from "../support/register.ts";
import { sharedBrowser } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();

const sizes = [
  [320, 640],
  [375, 812],
  [600, 1024],
  [768, 1024],
  [1024, 600],
  [1366, 768],
  [1920, 1080],
  [2560, 1440],
] as const;
/** 60 letters, a part of them without a space to break at. */
const longName = (i: number) =>
  `${i} Distribuidora_Hermanos_Villavicencio de los Andes número ${i}`.padEnd(60, "x").slice(0, 60);

/** 40 categories, names of 60 letters, thousands of products, of the first ones few left, all made at another register. */
async function hostileShop(): Promise<string> {
  const { accountId } = await service.business();
  const till = await enrol(service, accountId, { capabilities: [remoteEdit] });
  const categories = Array.from({ length: 40 }, (_, i) => ({ id: randomUUID(), name: longName(i) }));
  const push = async (records: object[]) => {
    const answer = await till.push(records as Parameters<typeof till.push>[0]);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  };
  await push(categories.map(({ id, name }) => ({ type: "category", id, data: { name } })));
  const ids: string[] = [];
  const count = process.env.LONG ? 10_000 : 1_000;
  for (let from = 0; from < count; from += 200)
    await push(
      Array.from({ length: 200 }, (_, i) => ({
        type: "product",
        id: ids[ids.push(randomUUID()) - 1]!,
        data: {
          name: longName(from + i),
          sku: `77000${String(from + i).padStart(5, "0")}`,
          category_id: categories[(from + i) % 40]!.id,
          base_price: 999_999_900 - from - i,
          final_price: 999_999_900 - from - i,
          tax_class: "standard",
          base_unit: "und",
          sold_by_weight: false,
          active: true,
          sellable: true,
          variants: [],
        },
      })),
    );
  const ins = ids
    .slice(0, 60)
    .map((product_id) => ({ product_id, type: "in", quantity: 3, origin_type: "adjustment" }));
  await push(ins.map((data) => ({ type: "stock_movement", id: randomUUID(), data })));
  return accountId;
}

/** What is outside the screen, or missing. */
const outside = (selector: string) => `[...document.querySelectorAll(${JSON.stringify(selector)})]
  .filter((one) => one.checkVisibility())
  .map((one) => one.getBoundingClientRect())
  .filter(({ left, top, right, bottom }) => left < 0 || top < 0 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5)
  .map(({ left, top, right, bottom }) => [left, top, right, bottom].map(Math.round).join(" "))`;
/** What does not fit in its own box. */
const cutOff = (selector: string) => `[...document.querySelectorAll(${JSON.stringify(selector)})]
  .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.textContent + ": " + one.scrollWidth + " > " + one.clientWidth)`;
const visible = (selector: string) =>
  `[...document.querySelectorAll(${JSON.stringify(selector)})].some((one) => one.checkVisibility() && one.getBoundingClientRect().width > 0)`;

async function expectInSight(page: Page, place: string): Promise<void> {
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), `${place}: sideways`).toBe(true);
  expect(await page.evaluate("document.documentElement.scrollHeight <= innerHeight"), `${place}: down`).toBe(true);
}

/** The smallest phones, upright and turned. */
const phones = [
  [320, 568],
  [375, 667],
  [568, 320],
] as const;
/** What a finger at its middle would hit is the thing itself: nothing covers it, and it is not outside. */
const touched = (selector: string) => `(() => {
  const one = [...document.querySelectorAll(${JSON.stringify(selector)})].find((one) => one.checkVisibility());
  if (!one) return "missing";
  const { left, top, width, height } = one.getBoundingClientRect();
  const hit = document.elementFromPoint(left + width / 2, top + height / 2);
  return one === hit || one.contains(hit) ? "in sight" : "covered";
})()`;
/** Those of which an end is covered, clipped or outside the screen. */
const unseen = (selector: string) => `[...document.querySelectorAll(${JSON.stringify(selector)})]
  .filter((one) => one.checkVisibility())
  .filter((one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    const is = (x) => { const hit = document.elementFromPoint(x, (top + bottom) / 2); return hit !== null && one.contains(hit); };
    return right - left < 20 || !is(left + 4) || !is(right - 4);
  })
  .map((one) => one.textContent)`;
/** Fields of which the text, or the example in it, is wider than the room for it; and labels of more than two lines. */
const cutFields = (
  form: string,
) => `[...document.querySelectorAll(${JSON.stringify(form)} + " :is(input, select, label > span)")]
  .filter((one) => one.checkVisibility())
  .flatMap((one) => {
    const style = getComputedStyle(one);
    if (one.localName === "span") {
      const lines = one.getBoundingClientRect().height / (Number.parseFloat(style.lineHeight) || 1.5 * Number.parseFloat(style.fontSize));
      return lines < 2.5 ? [] : [one.textContent + ": " + lines.toFixed(1) + " lines"];
    }
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = [style.fontStyle, style.fontWeight, style.fontSize, style.fontFamily].join(" ");
    const arrow = one.localName === "select" ? 16 : 0;
    const text = one.localName === "select" ? one.selectedOptions[0].text : one.value || one.placeholder;
    const needed = pen.measureText(text).width + Number.parseFloat(style.paddingLeft) + Number.parseFloat(style.paddingRight) + arrow;
    return needed <= one.clientWidth + 1 ? [] : [text + ": " + Math.round(needed) + " > " + one.clientWidth];
  })`;
const shownTotals = `[...document.querySelectorAll(".due strong, .ticket-bar strong, .sums .total dd")]
  .filter((one) => one.checkVisibility()).length`;

/** While charging: the total once, what is received and its button, before anything is scrolled; total and button after it too. */
async function expectChargeInSight(page: Page, width: number, height: number): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height });
    await page.keyboard.press("F9");
    await page.getByRole("dialog", { name: "Cobrar" }).waitFor();
    const place = `charging at ${width}×${height}, ${colorScheme}`;
    const expectAll = async (selectors: string[], when: string) => {
      await expectInSight(page, place);
      for (const selector of selectors) {
        expect(await page.evaluate(touched(selector)), `${place}: ${selector}, ${when}`).toBe("in sight");
        expect(await page.evaluate(outside(selector)), `${place}: ${selector}, ${when}`).toEqual([]);
      }
    };
    await expectAll([".charge > .due strong", ".charge .primary", ".charge .cash input"], "at once");
    expect(await page.evaluate(shownTotals), place).toBe(1);
    const folder = process.env.CAJA_PICTURES;
    if (folder) await page.screenshot({ path: `${folder}/charge-${width}-${colorScheme}.png` });
    await page.locator(".panel").evaluate((panel) => panel.scrollTo(0, panel.scrollHeight));
    await page.locator(".charge .buyer").waitFor();
    await expectAll([".charge > .due strong", ".charge .primary"], "scrolled");
    if (folder) await page.screenshot({ path: `${folder}/charge-${width}-${colorScheme}-end.png` });
    await page.keyboard.press("Escape");
  }
}

describe("a shop with 40 categories, names of 60 letters, thousands of products and 30 lines", () => {
  test("fits on every screen, light and dark: total and Cobrar are always in sight", async () => {
    const accountId = await hostileShop();
    await using context = await tablet(browser);
    const caja = await newCaja(context.own, service, accountId);
    const { page } = caja;
    await caja.start();
    await caja.uploaded();
    await page.locator(".tiles button").first().waitFor();
    await page.getByText("Quedan 3").first().waitFor();
    for (let i = 0; i < 30; i++) {
      await page.getByLabel("Buscar o escanear").fill(`77000${String(i).padStart(5, "0")}`);
      await page.getByLabel("Buscar o escanear").press("Enter");
    }
    await expect.poll(() => page.locator(".lines li").count()).toBe(30);
    const sell = [
      ".huge, .ticket-bar .primary",
      ".sums .total dd, .ticket-bar strong",
      ".search-box input",
      ".shelf > .chips",
    ];
    for (const [width, height] of sizes)
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height });
        const place = `${width}×${height}, ${colorScheme}`;
        await expectInSight(page, place);
        for (const selector of sell) {
          expect(await page.evaluate(visible(selector)), `${place}: ${selector}`).toBe(true);
          expect(await page.evaluate(outside(selector)), `${place}: ${selector}`).toEqual([]);
        }
        expect(await page.evaluate(outside(".bar nav button:last-child, .bar .pill")), place).toEqual([]);
        expect(await page.evaluate(cutOff(".tiles .foot strong, .tiles em, .bar nav button")), place).toEqual([]);
        const folder = process.env.CAJA_PICTURES;
        if (folder) await page.screenshot({ path: `${folder}/hostile-${width}-${colorScheme}.png` });
      }
    for (const [width, height] of phones) await expectChargeInSight(page, width, height);
  });

  test("at 768 px the bar is one row, with the keys, however its shop and register are called", async () => {
    const { accountId } = await service.business();
    await using context = await tablet(browser, { width: 768, height: 1024 });
    const caja = await newCaja(context.own, service, accountId);
    const { page } = caja;
    await page.goto(`${service.baseUrl}/caja/`);
    await caja.link("Caja grande del segundo piso");
    await caja.openShift();
    await caja.uploaded();
    await page.getByRole("button", { name: "Teclas" }).waitFor();
    for (const connection of ["online", "offline"]) {
      if (connection === "offline") {
        await context.own.setOffline(true);
        await page.getByText("Sin conexión").waitFor();
      }
      for (const [width, height] of [
        [768, 1024],
        [720, 1024],
        [900, 600],
      ] as const) {
        await page.setViewportSize({ width, height });
        const place = `${width}, ${connection}`;
        const tops = `[...document.querySelectorAll(".bar nav button, .bar .pill, .bar .help, .bar h1")]
          .map((one) => one.getBoundingClientRect()).map(({ top, bottom }) => Math.round((top + bottom) / 2 / 10))`;
        expect(new Set(await page.evaluate<number[]>(tops)).size, place).toBe(1);
        expect(await page.evaluate(outside(".bar nav button, .bar .pill, .bar .help")), place).toEqual([]);
        await expectInSight(page, place);
      }
    }
    const folder = process.env.CAJA_PICTURES;
    await page.setViewportSize({ width: 768, height: 1024 });
    if (folder) await page.screenshot({ path: `${folder}/bar-768.png` });
  });

  test("with orders, long names and much to upload, every section and sign of the head is in sight from 320 to 2560 px", async () => {
    const shop = await service.business();
    const { accountId } = shop;
    await furnishShop(service, accountId, ["Café"]);
    const person = { name: longName(7), pin: "2468", permissions: allRights };
    await createCashier(service.deps, accountId, person, theOperator);
    for (let i = 0; i < 11; i++)
      await shop.api.post("/orders", { source: "Tienda web", items: [{ sku: "7700000000", quantity: 1 }] });
    await using context = await tablet(browser, { width: 1024, height: 600 });
    const caja = await newCaja(context.own, service, accountId);
    const { page } = caja;
    await page.goto(`${service.baseUrl}/caja/`);
    await caja.link(longName(1));
    await page.getByLabel("PIN").fill(person.pin);
    await page.getByRole("button", { name: "Entrar" }).click();
    await caja.openShift();
    await page.locator(".new-orders").getByText("11").waitFor();
    const widths = Array.from({ length: 62 }, (_, i) => 320 + 20 * i).concat([719, 720, 900, 901, 1199, 1920, 2560]);
    for (const connection of ["online", "offline"]) {
      if (connection === "offline") {
        await page.evaluate("navigator.serviceWorker.ready.then(() => undefined)");
        await context.own.setOffline(true);
        await caja.sell("Café");
        await page.getByText("Sin conexión · 1 venta por subir").waitFor();
      }
      for (const width of widths)
        for (const height of width < 720 ? [320, 700] : [600]) {
          await page.setViewportSize({ width, height });
          const place = `${width}×${height}, ${connection}`;
          expect(await page.evaluate(unseen(".bar nav button, .bar .pill, .bar .person, .bar .help")), place).toEqual(
            [],
          );
          await expectInSight(page, place);
        }
    }
    const folder = process.env.CAJA_PICTURES;
    for (const width of folder ? [320, 768, 960, 1024, 1366] : []) {
      await page.setViewportSize({ width, height: 600 });
      await page.screenshot({ path: `${folder}/head-${width}.png` });
    }
  });

  test("a dialog stays alive when the tablet is turned, and every product can be reached", async () => {
    const accountId = await hostileShop();
    await using context = await tablet(browser, { width: 1024, height: 768 });
    const caja = await newCaja(context.own, service, accountId);
    const { page } = caja;
    await caja.start();
    await caja.uploaded();
    const tiles = page.locator(".tiles");
    await tiles.locator("button").first().click();
    for (const [key, name] of [
      ["F9", "Cobrar"],
      ["F6", "Descuento y notas"],
      ["F5", "0 Distribuidora"],
      ["F3", "Consultar precio"],
      ["F4", "Cliente y documento"],
      ["F8", "Cotizar"],
      ["F1", "Teclas"],
    ] as const) {
      await page.keyboard.press(key);
      const dialog = page.getByRole("dialog", { name });
      await dialog.waitFor();
      for (const [width, height] of [
        [600, 1024],
        [375, 812],
        [1024, 600],
      ] as const) {
        await page.setViewportSize({ width, height });
        expect(await dialog.isVisible(), `${name} at ${width}`).toBe(true);
        await expectInSight(page, `${name} at ${width}`);
      }
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
    }
    const shown = await tiles.locator("button").count();
    expect(shown).toBeLessThan(200);
    await page.getByRole("button", { name: "Todo" }).click();
    await tiles.evaluate((box) => box.scrollTo(0, box.scrollHeight));
    // By their names, the last of a thousand; none is left out silently.
    await tiles.getByText(/^999 /).waitFor();
  });
});

test("a payment that is split shows what is typed in each of its fields, on a phone and on a tablet", async () => {
  const { accountId } = await service.business();
  await furnishShop(
    service,
    accountId,
    Array.from({ length: 9 }, (_, i) => `Grano ${i}`),
  );
  await using context = await tablet(browser, { width: 1024, height: 768 });
  const caja = await newCaja(context.own, service, accountId);
  const { page } = caja;
  await caja.start();
  const search = page.getByLabel("Buscar o escanear");
  await search.fill("20*7700000008");
  await search.press("Enter");
  await page.getByRole("button", { name: "Cobrar $180.000" }).first().waitFor();
  for (const [width, height] of [
    [320, 568],
    [375, 812],
    [768, 1024],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.keyboard.press("F9");
    await page.getByRole("button", { name: "Dividir el pago" }).click();
    const form = page.locator("form:has(legend)");
    for (const means of await form.getByLabel("Medio").locator("option").allTextContents()) {
      await form.getByLabel("Medio").selectOption(means);
      await form.getByLabel("Valor").fill("126400");
      await form.getByLabel("Referencia").focus();
      expect(await form.getByLabel("Valor").inputValue()).toBe("126.400");
      expect(await page.evaluate(cutFields("form:has(legend)")), `${width}, ${means}`).toEqual([]);
    }
    await expectInSight(page, `split at ${width}`);
    await page.keyboard.press("Escape");
  }
});
