import { beforeAll, expect, test } from "vitest";
import { bogotaDate } from "../../src/taxes/bogota-time.ts";
import { settled } from "../support/axe.ts";
import { shared, verifiedService } from "../support/fixtures.ts";
import { type Life, liveDays } from "../support/random-days.ts";
import { stopClock } from "../support/time.ts";
import { sharedBrowser, visit } from "../support/visitor.ts";

const service = verifiedService();
const browser = sharedBrowser();
const seen = shared(() => visit(browser, service));
const now = new Date(`${bogotaDate(new Date())}T15:30:00-05:00`);
let life: Life;

/** Some days of sales, returns and cancellations at two registers, with an open shift, tips and money for others. */
beforeAll(async () => {
  stopClock(service, now);
  life = await liveDays(service, 1, { now, dayCount: 4, dayEnded: async () => "", shiftEnded: async () => "" });
  const [name, value] = life.owner.cookie.split("=") as [string, string];
  await seen.context.addCookies([{ name, value, url: service.baseUrl }]);
});

interface Shown {
  name: string;
  value: string;
  to: string;
}

/** The numbers of the page that open a list of sales: figures, lines of a ranking, rows of a table. */
const linked = (): Promise<Shown[]> =>
  seen.page.evaluate<Shown[]>(`
    [...document.querySelectorAll('main a[href^="/ventas?"]')].flatMap((link) => {
      const to = link.getAttribute("href");
      const figure = link.closest(".figure");
      if (figure) return { name: figure.querySelector(".figure-label").textContent, value: link.textContent, to };
      const line = link.closest(".ranking-line");
      if (line) return { name: "Recibido", value: line.querySelector("span").textContent, to };
      const cell = link.closest("tr")?.querySelector('[data-label="Ventas netas"], [data-label="Recibido"]');
      return cell ? { name: cell.dataset.label, value: cell.textContent, to } : [];
    })`);

const pesosOf = (text: string) => Number(text.replaceAll(/[^\d-]/g, ""));

/** What the figures above the list say, and what its rows on all pages add up to. */
async function listed(): Promise<{ figures: Record<string, string>; received: number; net: number }> {
  await settled(seen.page);
  const totals = seen.page.getByRole("region", { name: "Totales de lo filtrado" });
  await totals.or(seen.page.getByText(/Ninguna venta coincide|Todavía no hay ventas/)).waitFor();
  const rowsOf = seen.page.getByRole("table", { name: "Ventas" }).getByRole("row");
  if (await totals.isVisible()) await rowsOf.first().waitFor();
  for (const more = seen.button("Ver más"); (await more.count()) > 0; ) {
    const before = await rowsOf.count();
    await more.click();
    await expect.poll(() => rowsOf.count()).toBeGreaterThan(before);
  }
  const figures = await seen.page.evaluate<[string, string][]>(`
    [...document.querySelectorAll('[aria-label="Totales de lo filtrado"] .figure')].map((one) =>
      [one.querySelector(".figure-label").textContent, one.querySelector(".figure-value").textContent])`);
  const rows = await seen.page.evaluate<[string, string | undefined][]>(`
    [...document.querySelectorAll('table[aria-label="Ventas"] td[data-label="Total"]')].map((cell) =>
      [cell.firstChild.textContent, cell.querySelector(".below")?.textContent])`);
  const counted = rows.filter(([, below]) => below !== "no cuenta");
  const netOf = ([total, below]: [string, string | undefined]) => pesosOf(below?.endsWith("de ventas") ? below : total);
  return {
    figures: Object.fromEntries(figures.map(([label, value]) => [label.split(":")[0]!, value])),
    received: counted.reduce((sum, [total]) => sum + pesosOf(total), 0),
    net: counted.reduce((sum, row) => sum + netOf(row), 0),
  };
}

/** The list behind a number has the same number above it, and its rows add up to it. That of a shift without sales is empty. */
async function expectList({ name, value, to }: Shown): Promise<void> {
  await seen.goto(to);
  const { figures, received, net } = await listed();
  if (Object.keys(figures).length === 0) return expect(pesosOf(value), `${name} at ${to}`).toBe(0);
  const at = `${name} ${value} at ${to}`;
  if (name === "Recibido") expect([figures.Recibido, received], at).toEqual([value, pesosOf(value)]);
  else if (/^(Devoluciones|Ventas (netas|brutas))/.test(name)) {
    // It is the first thing that the list says.
    const label = name.replace(/ (de hoy|del turno)$/, "");
    const sum = name === "Devoluciones" ? 0 - net : net;
    expect([Object.entries(figures)[0], sum], at).toEqual([[label, value], pesosOf(value)]);
  } else expect(figures[name], at).toBe(value);
}

async function numbersAt(path: string): Promise<Shown[]> {
  await seen.goto(path);
  await settled(seen.page);
  await expect.poll(async () => (await linked()).length, { message: path }).toBeGreaterThan(0);
  return linked();
}

test("every number that is clicked, on Hoy, Informes and Turnos, opens the list that adds up to it", async () => {
  const period = `desde=${life.days[0]}&hasta=${life.today}`;
  const views = ["day", "week", "month", "register", "payment_method"].map((by) => `/informes?por=${by}&${period}`);
  const shifts = life.sessions.map(({ id }) => `/turnos/${id}`);
  const known = new Map<string, Shown>();
  for (const path of ["/", ...views, ...shifts])
    for (const one of await numbersAt(path)) known.set(`${one.name} ${one.value} ${one.to}`, one);
  const names = new Set([...known.values()].map(({ name }) => name));
  expect([...names].sort()).toEqual([
    ...["Devoluciones", "Recibido", "Venta promedio", "Ventas", "Ventas brutas", "Ventas netas"],
    ...["Ventas netas de hoy", "Ventas netas del turno"],
  ]);
  for (const one of known.values()) await expectList(one);
  expect(seen.complaints).toEqual([]);
});
