import { expect, test } from "vitest";
import type { Paper } from "../../src/paper/paper.ts";
import { newPress, wholeOf } from "../../src/paper/press.ts";
import { readPdf } from "../support/pdf.ts";

const paper = (text: string): Paper => ({
  fileName: "prueba",
  title: "Prueba",
  color: "#0b6b57",
  foot: "Prueba",
  at: "2026-11-16T19:05:09.120Z",
  blocks: [{ kind: "text", text }],
});

test("an account has a few papers under way, then is refused; another is not, and all that were taken arrive", async () => {
  const press = newPress();
  const one = () => press.print("a", paper("uno"), "80").then(wholeOf);
  const taken = Array.from({ length: 6 }, one);
  await expect(one()).rejects.toMatchObject({ code: "RATE_LIMITED", headers: { "retry-after": "2" } });
  const other = press.print("b", paper("otro"), "58").then(wholeOf);
  for (const bytes of await Promise.all(taken)) expect((await readPdf(bytes)).text).toContain("uno");
  expect((await readPdf(await other)).text).toContain("otro");
  expect((await readPdf(await one())).text).toContain("uno");
  await press.stop();
});

test("papers that were asked for when the thread ends are told so, and the next one starts it again", async () => {
  const press = newPress();
  const lost = press.print("a", paper("perdido"), "a4");
  const refused = expect(lost).rejects.toThrow("thread ended");
  await press.stop();
  await refused;
  expect((await readPdf(await wholeOf(await press.print("a", paper("nuevo"), "a4")))).text).toContain("nuevo");
  await press.stop();
});

test("the same paper has the same bytes", async () => {
  const press = newPress();
  const [first, second] = [await press.print("a", paper("x"), "a4"), await press.print("a", paper("x"), "a4")];
  expect(await wholeOf(first)).toEqual(await wholeOf(second));
  await press.stop();
});

test("a paper with more lines than any sale is cut and says so", async () => {
  const lines = Array.from({ length: 9000 }, (_, i) => ({
    description: `Producto ${i}`,
    quantity: "1",
    price: "$ 1",
    tax: "IVA 19 %",
    total: "$ 1",
  }));
  const press = newPress();
  const bytes = await wholeOf(await press.print("a", { ...paper(""), blocks: [{ kind: "lines", lines }] }, "a4"));
  const pdf = await readPdf(bytes);
  expect(pdf.pages).toBe(80);
  expect(pdf.text).toContain("Incompleto");
  await press.stop();
});

test("a paper brings its typeface, so that every reader shows and prints the same", async () => {
  const press = newPress();
  const text = "Cotización «Ñandú» · $ 1.234.567 – 19 % × 3 = €";
  const bytes = await wholeOf(await press.print("a", paper(text), "a4"));
  await press.stop();
  const written = bytes.toString("latin1");
  expect(new Set(written.match(/(?<=\/BaseFont \/)\S+/g))).toEqual(new Set([expect.stringMatching(/\+Figtree-/)]));
  expect(written.match(/\/FontFile2 /g)).not.toBeNull();
  expect((await readPdf(bytes)).text).toContain(text);
  expect(bytes.length).toBeLessThan(20_000);
});
