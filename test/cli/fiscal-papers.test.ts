import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bogotaDate } from "../../src/taxes/bogota-time.ts";
import { changeSale, ringUp } from "../support/fiscal.ts";
import { shared, sharedFolder, sharedService } from "../support/fixtures.ts";
import { everyClass, openPapers, saleOf, sellOf } from "../support/papers.ts";
import { readPdf } from "../support/pdf.ts";
import { mostrador } from "../support/process.ts";

const service = sharedService();
const folder = sharedFolder("mostrador-papeles-");
const env = shared(() => ({
  DATABASE_URL: service.databaseUrl,
  DATA_DIR: join(folder.path, "data"),
  SECRET_KEY: service.deps.config.secretKey,
}));

test("fiscal pdf writes the paper of a document, and fiscal z shows the day and writes its paper", async () => {
  const owner = await openPapers(service);
  const id = await sellOf(service, owner.accountId, (at) => saleOf(at, everyClass));
  const file = join(folder.path, "ticket.pdf");
  const made = await mostrador(["fiscal", "pdf", id, "--width", "80", "--out", file], env);
  expect([made.code, made.stderr]).toEqual([0, ""]);
  const pdf = await readPdf(await readFile(file));
  expect([Math.round(pdf.width), pdf.text.includes("EPOS1")]).toEqual([227, true]);

  const date = bogotaDate(service.deps.clock.now());
  const out = join(folder.path, "z.pdf");
  const z = await mostrador(["fiscal", "z", date, "--account", owner.accountId, "--out", out], env);
  expect([z.code, z.stderr]).toEqual([0, ""]);
  expect(z.stdout).toMatch(/POS EPOS \(1 pendiente\): desde 1, hasta 1, cantidad 1 +\$/);
  expect(z.stdout).toContain("IVA 19 %");
  expect(z.stdout).toMatch(/INC bolsas \$ 73 c\/u: 2 und +\$ 146/);
  expect(z.stdout).toMatch(/Excluido: \$ 4\.511 +\$ 0/);
  expect(z.stdout).toMatch(/Recaudo para terceros: \$ 10\.000 +\$ 0/);
  expect((await readPdf(await readFile(out))).text).toContain("INFORME Z DEL DÍA");
});

test("fiscal z has the words and the numbers of its paper: tips and money for third parties are no sales", async () => {
  const owner = await openPapers(service);
  const [sold, cancelled] = await ringUp(service, owner.accountId, (at) => [
    saleOf(at, everyClass, { tip: 15_000, discount_percent: 5 }),
    saleOf(at, everyClass, { tip: 1_000 }),
  ]);
  await changeSale(service, owner.accountId, cancelled!.id, { status: "cancelled" });
  const out = join(folder.path, "same.pdf");
  const date = bogotaDate(service.deps.clock.now());
  const { stdout } = await mostrador(["fiscal", "z", date, "--account", owner.accountId, "--out", out], env);
  const { text } = await readPdf(await readFile(out));
  const amounts = (said: string) => (said.replaceAll(/\s+/g, " ").match(/-?\$ [\d.]+/g) ?? []).toSorted();
  expect(amounts(stdout)).toEqual(amounts(text));
  const pesos = new Intl.NumberFormat("de-DE");
  const saidOf = (label: string) =>
    stdout
      .split("\n")
      .filter((line) => line.trim().startsWith(label))
      .map((line) => line.trim().slice(label.length).trim().replaceAll(/\s+/g, " "));
  const { total, tip_amount } = sold!;
  expect(saidOf("VENTAS NETAS")).toEqual([`$ ${pesos.format(total - tip_amount - 10_000)}`]);
  // What was rung up, what the cancellation took back, and what is left.
  expect(saidOf("Propinas")).toEqual(["$ 16.000", "$ 1.000", `$ ${pesos.format(tip_amount)}`]);
  expect(saidOf("Recaudos para terceros")).toEqual(["$ 20.000", "$ 10.000", "$ 10.000"]);
  expect(saidOf("Recibido")).toEqual([`$ ${pesos.format(total)}`]);
});

test("they say what is wrong with an unknown document, width or day", async () => {
  const unknown = await mostrador(["fiscal", "pdf", "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c18"], env);
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("No existe el documento")]);
  const width = await mostrador(["fiscal", "pdf", "x", "--width", "a3"], env);
  expect(width.stderr).toContain("--width a3 no existe: use a4, 80, 58.");
  expect((await mostrador(["fiscal", "z", "ayer"], env)).stderr).toContain('"ayer" no es un día');
});
