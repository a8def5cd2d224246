import { expect, test } from "vitest";
import { isOneLine } from "./one-line.ts";

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
