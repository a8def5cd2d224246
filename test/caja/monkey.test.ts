import { randomInt } from "node:crypto";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { secondEnterMs } from "../../caja/src/sell/limits.ts";
import { sql } from "../../src/db/sql.ts";
import { type Chance, chance } from "../../src/operations/demo/random.ts";
import { afterScan, furnishShop, newCaja, type ScannerKind, scanAs, tablet, throwAway } from "../support/caja.ts";
import { verifiedService } from "../support/fixtures.ts";
import { longRun, progress } from "../support/long-run.ts";
import { sharedBrowser } from "../support/visitor.ts";

const service = verifiedService();
const browser = sharedBrowser();
/** An hour with LONG=1; a failure names its seed, and MONKEY_SEED repeats it. */
const seconds = longRun("MONKEY_SECONDS", process.env.LONG ? 3600 : 60).value;
const seed = Number(process.env.MONKEY_SEED ?? randomInt(2 ** 31));

const names = Array.from({ length: 12 }, (_, i) => `Artículo ${String.fromCharCode(65 + i)}${i}`);
const codeOf = (i: number) => `770000000${i}`;
const priceOf = (i: number) => 1000 * (i + 1);

/** Products by their place in `names`, with how many of each. */
type Lines = Map<number, number>;
type Place = "selling" | "charging" | "sold" | "line" | "price";

/** What the counter must show, kept apart from it. */
interface Expected {
  place: Place;
  lines: Lines;
  waiting: Lines[];
  sold: Lines[];
}

interface Hand {
  page: Page;
  dice: Chance;
  expected: Expected;
}

const totalOf = (lines: Lines) => [...lines].reduce((sum, [i, units]) => sum + units * priceOf(i), 0);
const textOf = (lines: Lines) => [...lines].map(([i, units]) => `${units} ${names[i]}`).sort();

test(
  `a random hour at the counter: every ticket is what was scanned (seed ${seed})`,
  async () => {
    const { accountId } = await service.business();
    await furnishShop(service, accountId, names);
    await using context = await tablet(browser);
    const caja = await newCaja(context.own, service, accountId);
    await caja.start();
    await caja.uploaded();
    const hand: Hand = {
      page: caja.page,
      dice: chance(seed),
      expected: { place: "selling", lines: new Map(), waiting: [], sold: [] },
    };
    const { expected } = hand;
    const done: string[] = [];
    const quiet = progress(() => `${done.length} acts, ${expected.sold.length} sales, seed ${seed}`);
    const end = Date.now() + seconds * 1000;
    try {
      while (Date.now() < end) {
        const acts = actsAt(expected);
        const wantsToPay = acts.charge && expected.lines.size > 1 && hand.dice.happens(0.3);
        const name = wantsToPay ? "charge" : hand.dice.pick(Object.keys(acts));
        done.push(`${expected.place}: ${name}`);
        await acts[name]!(hand);
        if (hand.dice.happens(0.03)) await context.own.setOffline(hand.dice.happens(0.5));
        await compare(hand);
        // An Enter that comes sooner belongs to the code (lateEndingMs in caja/src/scan/scanner.ts), and nobody is that quick.
        await afterScan(600);
      }
    } catch (error) {
      if (process.env.CAJA_PICTURES)
        await hand.page.screenshot({ path: `${process.env.CAJA_PICTURES}/monkey-${seed}.png` });
      throw new Error(`seed ${seed}, after:\n${done.slice(-12).join("\n")}`, { cause: error });
    } finally {
      quiet();
    }
    await context.own.setOffline(false);
    await caja.uploaded();
    const { rows } = await service.deps.pool.query(sql`select body from sales where account_id = ${accountId}`);
    const stored = rows
      .map(({ body }) => JSON.parse(body) as StoredSale)
      .sort((a, b) => (a.occurred_at < b.occurred_at ? -1 : 1));
    expect(stored.map(itemsOf)).toEqual(expected.sold.map(textOf));
    expect(stored.map(({ total }) => total)).toEqual(expected.sold.map(totalOf));
  },
  (seconds + 240) * 1000,
);

interface StoredSale {
  occurred_at: string;
  total: number;
  items: { description: string; quantity: number }[];
}

const itemsOf = ({ items }: StoredSale) =>
  items.map(({ description, quantity }) => `${quantity} ${description}`).sort();

/** The screen and the expectation agree: the lines, their sum, and what is open. */
async function compare({ page, expected }: Hand): Promise<void> {
  const shown = async () => {
    const rows = await page.locator(".ticket .lines li").all();
    const texts = rows.map(
      async (row) => `${await row.locator("b").textContent()} ${await row.locator(".what > span").textContent()}`,
    );
    return (await Promise.all(texts)).sort();
  };
  await expect.poll(shown, { timeout: 10_000 }).toEqual(textOf(expected.lines));
  const isSold = await page.getByRole("heading", { name: /registrada/ }).count();
  expect(isSold, "a sale nobody asked for").toBe(expected.place === "sold" ? 1 : 0);
  expect(await page.getByRole("dialog", { name: "Cobrar" }).count()).toBe(expected.place === "charging" ? 1 : 0);
  if (expected.place === "selling") expect(await page.getByLabel("Buscar o escanear").inputValue()).toBe("");
}

type Act = (hand: Hand) => Promise<void>;

/** What a hand may do where it is. */
function actsAt({ place, lines, waiting }: Expected): Record<string, Act> {
  const always = { scan, scanAgain: scan, unknown };
  switch (place) {
    case "selling":
      return {
        ...always,
        touch,
        several,
        typed,
        strayEnter,
        strayKeys,
        reload,
        askPrice,
        ...(lines.size > 0 && { openLine, hold, charge, chargeByTouch, remove, discard }),
        ...(lines.size === 0 && waiting.length > 0 && { recall }),
      };
    case "charging":
      return { ...always, leave, payExact, payByTouch, payWithNote, tooLittle, notANumber };
    case "sold":
      return { ...always, next, nextByTouch };
    case "line":
      return { ...always, leave, changeQuantity };
    case "price":
      return { priceScan, leave };
  }
}

function scannerOf(dice: Chance): ScannerKind {
  return { gapMs: dice.pick([2, 8, 20, 60, 120]), ending: dice.pick(["Enter", "Tab", "nothing"] as const) };
}
const any = (dice: Chance) => dice.between(0, names.length - 1);
function count(lines: Lines, i: number, units: number): void {
  lines.set(i, (lines.get(i) ?? 0) + units);
}

async function scan({ page, dice, expected }: Hand): Promise<void> {
  const i = any(dice);
  await scanAs(page, codeOf(i), scannerOf(dice));
  count(expected.lines, i, 1);
  expected.place = "selling";
}
async function unknown({ page, dice, expected }: Hand): Promise<void> {
  // A code that nothing has, key by key without an end, may be somebody who types.
  const scanner = { ...scannerOf(dice), gapMs: dice.pick([2, 8, 20]) };
  const code = `999${dice.between(1_000_000, 9_999_999)}`;
  await scanAs(page, code, scanner);
  await page.getByText(`Ningún producto tiene el código ${code}`).waitFor();
  expected.place = "selling";
}
async function touch({ page, dice, expected }: Hand): Promise<void> {
  const i = any(dice);
  await page.locator(".shelf").getByRole("button", { name: names[i]! }).first().click();
  count(expected.lines, i, 1);
}
async function several({ page, dice, expected }: Hand): Promise<void> {
  const [i, units] = [any(dice), dice.between(2, 9)];
  await page.keyboard.press("F2");
  await page.keyboard.type(`${units}*`, { delay: 150 });
  await scanAs(page, codeOf(i), scannerOf(dice));
  count(expected.lines, i, units);
}
async function typed({ page, dice, expected }: Hand): Promise<void> {
  const i = any(dice);
  await page.keyboard.press("F2");
  await page.keyboard.type(dice.happens(0.5) ? codeOf(i) : names[i]!, { delay: 90 });
  await page.keyboard.press("Enter");
  count(expected.lines, i, 1);
}
async function strayEnter({ page }: Hand): Promise<void> {
  await page.keyboard.press("F2");
  for (let i = 0; i < 3; i++) await page.keyboard.press("Enter", { delay: 60 });
}
async function strayKeys({ page, dice }: Hand): Promise<void> {
  await page.keyboard.press(dice.pick(["Escape", "ArrowUp", "ArrowDown", "Tab", "Shift+Tab"]));
  await page.keyboard.press("F1");
  await page.keyboard.press("Escape");
}
async function reload({ page, dice }: Hand): Promise<void> {
  if (!dice.happens(0.2)) return;
  await page.reload();
  await page.getByLabel("Buscar o escanear").waitFor();
}
async function askPrice({ page, expected }: Hand): Promise<void> {
  await page.keyboard.press("F3");
  await page.getByRole("dialog", { name: "Consultar precio" }).waitFor();
  expected.place = "price";
}
async function priceScan({ page, dice }: Hand): Promise<void> {
  const i = any(dice);
  await scanAs(page, codeOf(i), scannerOf(dice));
  await page.getByRole("dialog", { name: "Consultar precio" }).getByText(names[i]!).first().waitFor();
}
async function openLine({ page, expected }: Hand): Promise<void> {
  await page.keyboard.press("F5");
  await page.getByLabel("Cantidad").waitFor();
  expected.place = "line";
}
async function changeQuantity({ page, dice, expected }: Hand): Promise<void> {
  const title = await page.getByRole("dialog").getByRole("heading").first().textContent();
  const units = dice.between(1, 20);
  await page.getByLabel("Cantidad").fill(String(units));
  expected.lines.set(names.indexOf(title!), units);
  expected.place = "selling";
  if (dice.happens(0.5)) return void (await page.keyboard.press("Enter"));
  const i = any(dice);
  await scanAs(page, codeOf(i), scannerOf(dice));
  count(expected.lines, i, 1);
}
async function remove({ page, dice, expected }: Hand): Promise<void> {
  const i = dice.pick([...expected.lines.keys()]);
  await page.locator(".ticket .lines").getByRole("button", { name: names[i]! }).click();
  await page.getByRole("button", { name: "Quitar" }).click();
  expected.lines.delete(i);
}
async function discard({ page, dice, expected }: Hand): Promise<void> {
  if (!dice.happens(0.3)) return;
  if (dice.happens(0.5)) await throwAway(page);
  else {
    await page.keyboard.press("Control+Delete");
    if (expected.lines.size > 1) await page.getByRole("button", { name: /^Sí, botar/ }).click();
  }
  expected.lines = new Map();
}
async function hold({ page, expected }: Hand): Promise<void> {
  if (expected.waiting.length > 3) return;
  await page.keyboard.press("F7");
  expected.waiting.push(expected.lines);
  expected.lines = new Map();
}
async function recall({ page, expected }: Hand): Promise<void> {
  await page.keyboard.press("F7");
  await page.getByRole("dialog", { name: "En espera" }).waitFor();
  await page.keyboard.press("Enter");
  expected.lines = expected.waiting.pop()!;
}
async function charge({ page, expected }: Hand): Promise<void> {
  await page.keyboard.press("F9");
  await page.getByLabel("Recibido").waitFor();
  expected.place = "charging";
}
async function chargeByTouch({ page, expected }: Hand): Promise<void> {
  await page.getByRole("button", { name: /^Cobrar \$/ }).click();
  expected.place = "charging";
}
async function leave({ page, expected }: Hand): Promise<void> {
  await page.keyboard.press("Escape");
  expected.place = "selling";
}
function sell({ expected }: Hand): void {
  expected.sold.push(expected.lines);
  expected.lines = new Map();
  expected.place = "sold";
}
async function paid(hand: Hand): Promise<void> {
  await hand.page.getByRole("heading", { name: `Venta ${hand.expected.sold.length + 1} registrada` }).waitFor();
  sell(hand);
}
async function payExact(hand: Hand): Promise<void> {
  await hand.page.keyboard.press("Control+Enter");
  await paid(hand);
}
async function payByTouch(hand: Hand): Promise<void> {
  const means = hand.dice.pick(["Exacto", "Tarjeta", "Transferencia"]);
  await hand.page.getByRole("dialog", { name: "Cobrar" }).getByRole("button", { name: means }).first().click();
  await paid(hand);
}
async function payWithNote(hand: Hand): Promise<void> {
  const total = totalOf(hand.expected.lines);
  await hand.page.getByLabel("Recibido").fill(String(total + hand.dice.between(0, 5) * 1000));
  await hand.page.keyboard.press("Enter");
  await paid(hand);
}
async function tooLittle({ page, expected }: Hand): Promise<void> {
  await page.getByLabel("Recibido").fill(String(totalOf(expected.lines) - 1));
  await page.keyboard.press("Enter");
  await page.getByText("Faltan $1.").waitFor();
}
async function notANumber({ page, dice }: Hand): Promise<void> {
  await page.getByLabel("Recibido").fill(dice.pick(["mil", "7700000000123", "-5", "1.5"]));
  await page.keyboard.press("Enter");
  await page.getByText(/Escriba un número (sin decimales|de 0 a 999)/).waitFor();
}
async function next({ page, expected }: Hand): Promise<void> {
  // Somebody who looks at the change first: an Enter that comes sooner is the second one of the charge.
  await page.waitForTimeout(secondEnterMs + 100);
  await page.keyboard.press("Enter");
  expected.place = "selling";
}
async function nextByTouch({ page, expected }: Hand): Promise<void> {
  await page.getByRole("button", { name: "Nueva venta" }).click();
  expected.place = "selling";
}
