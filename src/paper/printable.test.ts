import { expect, test } from "vitest";
import { printable } from "./printable.ts";

test.each([
  ["Panadería Ñandú S.A.S. «El Útil» — 50 % €", "Panadería Ñandú S.A.S. «El Útil» — 50 % €"],
  ["Gaseosa 🥤 fría 👨‍👩‍👧 400 ml", "Gaseosa fría 400 ml"],
  ["Łukasz Őrsi Đorđe Şahin", "Lukasz Orsi Dorde Sahin"],
  ["ﬁdeos № 5 → 2 ≤ 3", "fideos No. 5 -> 2 <= 3"],
  ["王小明", "(en otra escritura)"],
  ["محمد Ahmed", "… Ahmed"],
  ["可口可乐 400 ml", "… 400 ml"],
  ["dos\nlíneas\tcon\u0000ruido\u202e", "dos líneas con ruido"],
  ["e\u0301xito", "éxito"],
  ["1\u00a0000\u2003pesos", "1 000 pesos"],
  ["…", "…"],
  ["\ud83d sola", "sola"],
  ["", ""],
])("%j is printed as %j", (text, shown) => {
  expect(printable(text)).toBe(shown);
});

test("nothing that the fonts lack is left of any character", () => {
  const windows1252 = /^[\x20-\x7e\xa1-\xac\xae-\xffƒ–—‘’‚“”„†‡•…€‰‹›ˆ™ŒœŠš˜ŸŽž]*$/;
  for (let code = 0; code < 0x30000; code += 7) {
    const text = printable(`a${String.fromCodePoint(code)}b`);
    expect(text, code.toString(16)).toMatch(windows1252);
  }
});
