import type { BrowserContext, Page } from "playwright-core";
import { createEnrolmentCode } from "../../src/access/devices/create-enrolment-code.ts";
import type { Bench } from "../support/dataset.ts";

export interface Counted {
  context: BrowserContext;
  url: string;
  accountId: string;
  /** Sales that the device already holds. */
  sales: number;
  rounds: number;
}

export interface CounterTimes {
  readyMs: number;
  scanMs: number;
  searchMs: number;
  chargeMs: number;
}

/** Links a register, fills its store, and times what a cashier does; p95 each. Times are taken inside the page. */
export async function timeCounter(bench: Bench, options: Counted): Promise<CounterTimes> {
  const { context, url, accountId, sales, rounds } = options;
  const page = await context.newPage();
  page.setDefaultTimeout(300_000);
  const { code } = await createEnrolmentCode(bench, { accountId, name: "Caja" });
  await page.goto(`${url}/caja/#codigo=${code}`);
  await page.getByRole("button", { name: "Vincular" }).click();
  await page.getByRole("button", { name: "Abrir turno" }).click();
  await page.locator(".tiles li").first().waitFor();
  if (sales > 0) await page.evaluate(`(${addSales.toString()})(${sales})`);
  const samples = Math.max(20, rounds * 8);
  return {
    readyMs: await p95(samples, () => ready(page)),
    scanMs: await p95(samples, (i) => page.evaluate(`(${scan.toString()})("${7_700_000_000_000 + i * 37}")`)),
    searchMs: await p95(samples, (i) =>
      page.evaluate(`(${search.toString()})("${["cafe", "quesó", "numero 7", "jabon atun"][i % 4]}")`),
    ),
    chargeMs: await p95(samples, () => charge(page)),
  };
}

async function p95(samples: number, take: (i: number) => Promise<unknown>): Promise<number> {
  await take(0);
  const times: number[] = [];
  for (let i = 1; i <= samples; i++) times.push(Number(await take(i)));
  return times.sort((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1]!;
}

/** From the navigation to the first products on the screen. */
async function ready(page: Page): Promise<unknown> {
  await page.reload();
  await page.locator(".tiles li").first().waitFor();
  return page.evaluate(() => performance.now());
}

/* The functions below run in the page, so they are written without anything from here. */

function scan(code: string): Promise<number> {
  // biome-ignore lint/suspicious/noExplicitAny: the page's own globals
  const { document, MutationObserver, KeyboardEvent } = globalThis as any;
  (document.activeElement as { blur(): void }).blur();
  const ticket = document.querySelector(".ticket");
  return new Promise((done) => {
    const begun = performance.now();
    const observer = new MutationObserver(() => {
      observer.disconnect();
      done(performance.now() - begun);
    });
    observer.observe(ticket, { childList: true, subtree: true, characterData: true });
    for (const key of [...code, "Enter"])
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  });
}

function search(text: string): Promise<number> {
  // biome-ignore lint/suspicious/noExplicitAny: the page's own globals
  const { document, MutationObserver, HTMLInputElement, Event } = globalThis as any;
  const input = document.querySelector("input[type=search]");
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!.set!;
  const type = (value: string) => {
    set.call(input, value);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  };
  return new Promise((done) => {
    const begun = performance.now();
    const observer = new MutationObserver(() => {
      if (!document.querySelector(".tiles")) return;
      observer.disconnect();
      const took = performance.now() - begun;
      type("");
      setTimeout(() => done(took), 50);
    });
    observer.observe(document.querySelector(".products"), { childList: true, subtree: true, characterData: true });
    type(text);
  });
}

async function charge(page: Page): Promise<unknown> {
  await page.locator(".tiles button").first().click();
  await page.getByRole("button", { name: /^Cobrar \$/ }).click();
  await page.getByRole("button", { name: "Exacto" }).waitFor();
  const took = await page.evaluate(`new Promise((done) => {
    const begun = performance.now();
    const observer = new MutationObserver(() => {
      if (!document.querySelector("dialog .paper")) return;
      observer.disconnect();
      done(performance.now() - begun);
    });
    observer.observe(document.body, { childList: true, subtree: true });
    [...document.querySelectorAll("dialog button")].find((button) => button.textContent === "Exacto").click();
  })`);
  await page.getByRole("button", { name: "Nueva venta" }).click();
  return took;
}

/** Puts sales of earlier shifts into the page's own store. */
async function addSales(count: number): Promise<void> {
  // biome-ignore lint/suspicious/noExplicitAny: the page's own globals
  const { indexedDB } = globalThis as any;
  // biome-ignore lint/suspicious/noExplicitAny: the browser's own database
  const db = await new Promise<any>((done) => {
    indexedDB.open("caja").onsuccess = (event: { target: { result: unknown } }) => done(event.target.result);
  });
  for (let from = 0; from < count; from += 1000) {
    await new Promise((done) => {
      const tx = db.transaction("sale", "readwrite");
      for (let i = from; i < from + 1000; i++) {
        const items = Array.from({ length: 4 }, () => ({
          id: crypto.randomUUID(),
          description: "Café molido",
          quantity: 1,
        }));
        const value = {
          id: crypto.randomUUID(),
          number: i,
          shift_id: `turno ${i % 300}`,
          data: { items, total: 12_000 },
        };
        tx.objectStore("sale").put({ key: value.id, group: value.shift_id, value });
      }
      tx.oncomplete = done;
    });
  }
  db.close();
}
