import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { newChance } from "../../simulator/chance.ts";
import { sql } from "../../src/db/sql.ts";
import { type MortalBrowser, startMortalBrowser } from "../support/browser.ts";
import { cajaOn, furnishShop } from "../support/caja.ts";
import { sharedService } from "../support/fixtures.ts";
import { longRun } from "../support/long-run.ts";

const service = sharedService();
const names = ["Café molido 250 g", "Pan tajado"];
const { value: rounds } = longRun("CAJA_KILLS", process.env.LONG ? 100 : 2);
const chance = newChance(Number(process.env.FAULT_SEED ?? 1));

test(`every ticket that showed is on the server exactly once after ${rounds} kills of the browser`, async () => {
  const { accountId } = await service.business();
  await furnishShop(service, accountId, names);
  const profile = await mkdtemp(join(tmpdir(), "mostrador-tablet-"));
  const shown: string[] = [];
  let mortal: MortalBrowser | undefined;
  try {
    for (let round = 0; round <= rounds; round++) {
      mortal = await startMortalBrowser(profile);
      const context = mortal.browser.contexts()[0]!;
      const page = await context.newPage();
      page.setDefaultTimeout(120_000);
      const caja = cajaOn(page, service, accountId);
      if (round === 0) {
        await caja.start();
        await page.evaluate("navigator.serviceWorker.ready.then(() => undefined)");
      } else {
        await page.goto(`${service.baseUrl}/caja/`);
        await page.getByLabel("Buscar o escanear").waitFor();
      }
      if (round === rounds) {
        await caja.uploaded();
        break;
      }
      const isOffline = chance.happens(0.5);
      await context.setOffline(isOffline);
      const selling = sellOnAndOn(page, shown);
      await delay(chance.between(300, 2_500));
      await mortal.kill();
      await selling;
    }
    const { rows } = await service.deps.pool.query(sql`
      select body::json->>'total' as total, count(*) over (partition by body::json->>'notes') as same,
        body::json->>'notes' as note from sales where account_id = ${accountId}`);
    const notes = rows.map(({ note }) => note as string);
    expect(new Set(notes).size, "each sale once").toBe(notes.length);
    expect(shown.filter((note) => !notes.includes(note))).toEqual([]);
    // A sale that was stored while the power went is on the server too; one that never was is not.
    const local = await localNotes(mortal!.browser.contexts()[0]!.pages().at(-1)!);
    expect(notes.toSorted()).toEqual(local.toSorted());
    expect(shown.length).toBeGreaterThan(0);
  } finally {
    await mortal?.kill().catch(() => {});
    await rm(profile, { recursive: true, force: true });
  }
});

/** Sells until the browser dies. The note of each ticket that showed is written down. */
async function sellOnAndOn(page: Page, shown: string[]): Promise<void> {
  await page.exposeFunction("wroteDown", (note: string) => void shown.push(note)).catch(() => {});
  const script = `(async () => {
    const pause = () => new Promise((done) => setTimeout(done, 5));
    const button = (text) => [...document.querySelectorAll("button")].find((one) => one.textContent.startsWith(text));
    const until = async (find) => { for (;;) { const found = find(); if (found) return found; await pause(); } };
    const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value").set;
    for (;;) {
      (await until(() => document.querySelector(".tiles button"))).click();
      (await until(() => button("Descuento y notas") && !button("Descuento y notas").disabled && button("Descuento y notas"))).click();
      const area = await until(() => document.querySelector("dialog textarea"));
      const note = crypto.randomUUID();
      set.call(area, note);
      area.dispatchEvent(new Event("input", { bubbles: true }));
      await pause();
      button("Guardar").click();
      await until(() => !document.querySelector("dialog"));
      (await until(() => button("Cobrar $"))).click();
      (await until(() => button("Exacto"))).click();
      const paper = await until(() => document.querySelector("dialog .paper"));
      if (!paper.textContent.includes(note)) throw new Error("another ticket");
      await window.wroteDown(note);
      (await until(() => button("Nueva venta"))).click();
      await until(() => !document.querySelector("dialog"));
    }
  })()`;
  await page.evaluate(script).catch(() => {});
}

async function localNotes(page: Page): Promise<string[]> {
  return page.evaluate(`(async () => {
    const db = await new Promise((done) => { indexedDB.open("caja").onsuccess = (event) => done(event.target.result); });
    const rows = await new Promise((done) => {
      db.transaction("sale").objectStore("sale").getAll().onsuccess = (event) => done(event.target.result);
    });
    db.close();
    return rows.map(({ value }) => value.data.notes);
  })()`);
}
