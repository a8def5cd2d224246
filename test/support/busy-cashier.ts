import type { Page } from "playwright-core";
import type { Chance } from "../../simulator/chance.ts";

/** What the cashier is doing, or what the screen has just shown her. */
export type Step =
  | { kind: "adding" | "noting" | "charging" | "returning" }
  | { kind: "shown"; note: string; number: number; total: number }
  | { kind: "returned"; reason: string; total: number };

/**
 * Rings up tickets until the browser dies: pieces, weights, variants, discounts, tips, split payments, and returns of what was
 * sold. Every ticket carries a note, and every return a reason, that no other has.
 */
export async function sellOnAndOn(page: Page, chance: Chance, onStep: (step: Step) => void): Promise<void> {
  await page.exposeFunction("told", onStep);
  const failure = await page.evaluate(`(${cashier})(${chance.between(1, 1_000_000)})`).catch((error: Error) => error);
  if (!(failure instanceof Error) || !/closed|crashed/.test(failure.message)) throw failure;
}

const cashier = `async (seed) => {
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const happens = (share) => random() < share;
  const pick = (list) => list[Math.floor(random() * list.length)];
  const all = (selector) => [...document.querySelectorAll(selector)];
  const dialog = () => document.querySelector("dialog, .panel");
  const until = async (find) => {
    for (;;) {
      const found = find();
      if (found) return found;
      await new Promise((done) => setTimeout(done, 4));
    }
  };
  const press = async (text) =>
    (await until(() => all("button").find((one) => one.textContent.startsWith(text) && !one.disabled))).click();
  const closed = () => until(() => !dialog());
  const field = (label) => until(() =>
    all(":is(dialog, .panel) label").find((one) => one.firstChild.textContent.startsWith(label))?.querySelector("input, textarea"));
  const fill = (input, text) => {
    const kind = input instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
    Object.getOwnPropertyDescriptor(kind.prototype, "value").set.call(input, text);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const amount = (text) => Number(text.replace(/[^0-9]/g, ""));

  async function addLine() {
    const tile = pick(await until(() => all(".tiles button").length > 0 && all(".tiles button")));
    const name = tile.textContent;
    tile.click();
    if (name.startsWith("Camiseta")) pick(await until(() => dialog() && all(".panel .choices button"))).click();
    if (name.startsWith("Queso")) {
      fill(await field("Peso"), "0," + String(1 + Math.floor(random() * 999)).padStart(3, "0"));
      await press("Agregar");
    }
    await closed();
  }
  async function discountLine() {
    (await until(() => all(".ticket .lines button")[0])).click();
    fill(await field("Descuento en %"), "12,5");
    await press("Guardar");
    await closed();
  }
  async function writeNote(note) {
    await press("Descuento y notas");
    fill(await field("Notas"), note);
    fill(await field("Descuento"), happens(0.4) ? "10" : "0");
    fill(await field("Propina"), happens(0.3) ? "1500" : "0");
    await press("Guardar");
    await closed();
  }
  async function pay(total) {
    const means = pick(["cash", "card", "split"]);
    if (means === "split") {
      await press("Dividir el pago");
      fill(await field("Valor"), String(Math.floor(total / 3)));
      await press("Agregar");
      await until(() => document.querySelector(".panel .parts"));
    }
    const text = means === "card" ? "Tarjeta" : "Exacto";
    const last = await until(() => all(".panel button").find((one) => one.textContent.startsWith(text) && !one.disabled));
    void told({ kind: "charging" });
    last.click();
  }
  async function sellOne() {
    const note = crypto.randomUUID();
    const lines = 1 + Math.floor(random() * 3);
    for (let i = 0; i < lines; i++) await addLine();
    await told({ kind: "adding" });
    if (happens(0.3)) await discountLine();
    await writeNote(note);
    await told({ kind: "noting" });
    const charge = await until(() => all("button").find((one) => one.textContent.startsWith("Cobrar $")));
    const total = amount(charge.querySelector("span").textContent);
    charge.click();
    await pay(total);
    const paper = await until(() => document.querySelector(".panel .paper"));
    if (!paper.textContent.includes(note)) throw new Error("another ticket");
    await told({ kind: "shown", note, number: amount(document.querySelector(".panel h2").textContent), total });
    await press("Nueva venta");
    await closed();
  }
  async function takeBack() {
    await press("Ventas");
    const whole = (one) => !one.textContent.includes("con devolución");
    const sale = (await until(() => all(".rows button").length > 0 && all(".rows button"))).find(whole);
    if (!sale) return press("Vender");
    sale.click();
    await press("Devolver");
    const line = await until(() => document.querySelector("dialog form .field"));
    const left = /[0-9,.]+$/.exec(line.querySelector("small").textContent)[0];
    fill(line.querySelector("input"), left);
    const reason = crypto.randomUUID();
    fill(await field("Motivo"), reason);
    const total = amount((await until(() => document.querySelector("dialog .due strong"))).textContent);
    void told({ kind: "returning" });
    await press("Devolver");
    await until(() => document.querySelector(".panel .paper")?.textContent.includes("DEVOLUCIÓN"));
    await told({ kind: "returned", reason, total });
    document.querySelector('dialog button[aria-label="Cerrar"]').click();
    await closed();
    await press("Vender");
  }
  for (;;) {
    await sellOne();
    if (happens(0.4)) await takeBack();
  }
}`;
