import { describe, expect, test } from "vitest";
import { isOneLine, isVisible } from "./one-line.ts";
import { labelPattern, linePattern } from "./visible.ts";

test.each(["Pan", "Ñandú «café» – 1×", "", "👩‍🍳 Chef", "👩🏽‍🍳", "❤️‍🔥", "Pan\u00a0dulce"])(
  "%j is one visible line",
  (text) => {
    expect(isOneLine(text)).toBe(true);
  },
);

test.each([
  "a\nb",
  "a\tb",
  "a\rb",
  "a\u2028b",
  "\u001bp",
  "\u007f",
  "\u0085",
  "Pan\u200b",
  "\u202enap",
  "Pan\u00ad",
  "\ufeffPan",
  "Pa\u200dn",
  "👩\u200d",
  "\u200d🍳",
])("%j is not", (text) => {
  expect(isOneLine(text)).toBe(false);
});

const nothing = [
  "\u3164",
  "\u2800",
  "\u034f",
  "\ufe0f",
  "\u115f",
  "\u17b4",
  "\u0301",
  "\uffa0",
  "\u{e0100}",
  " \u3164 \u0301",
];

test.each(nothing)("%j shows nothing", (text) => {
  expect(isVisible(text)).toBe(false);
  expect(isVisible(`a${text}`)).toBe(true);
});

test.each(["a", "1️⃣", "👩‍🍳", "🇨🇴", "❤️‍🔥", "한", "ہ", "\u0301e"])("%j shows something", (text) => {
  expect(isVisible(text)).toBe(true);
});

describe("the patterns of the reference are the server's rule", () => {
  const label = new RegExp(labelPattern, "u");
  const line = new RegExp(linePattern, "u");
  /** As engines read it that know no characters above U+FFFF. */
  const halves = [new RegExp(labelPattern), new RegExp(linePattern)];
  const agrees = (text: string) => {
    const isLabel = isOneLine(text) && isVisible(text);
    const isLine = isLabel || /^\p{Zs}*$/u.test(text);
    return label.test(text) === isLabel && line.test(text) === isLine;
  };

  test("for every character up to U+FFFF, alone and inside a text", () => {
    const codes = Array.from({ length: 0x10000 }, (_, code) => code).filter((code) => code < 0xd800 || code > 0xdfff);
    const texts = codes.flatMap((code) => {
      const one = String.fromCharCode(code);
      return [one, ` ${one}`, `Pan${one}`, `${one}Pan`, `Pa${one}n`, `👩${one}`, `👩${one}🍳`];
    });
    expect(texts.filter((text) => !agrees(text)).slice(0, 20)).toEqual([]);
  });

  test.each([
    "",
    "   ",
    "👩‍🍳 Chef",
    "👩🏽‍🍳",
    "❤️‍🔥",
    "👁️‍🗨️",
    "👩\u200d",
    "\u200d🍳",
    "Pa\u200dn",
    "👩‍🍳\u200d",
    "🏳️‍🌈🏳️‍⚧️",
    ...nothing.slice(0, 8),
  ])("%j, also where a pair is two characters", (text) => {
    expect(agrees(text)).toBe(true);
    expect(halves.map((one) => one.test(text))).toEqual([label.test(text), line.test(text)]);
  });
});
