import { expect, test } from "vitest";
import { initials } from "./initials.ts";

test.each([
  ["Ana Muñoz", "AM"],
  ["ángela", "Á"],
  ["Beto 🦊", "B🦊"],
  ["Luz 👩‍👧 Díaz", "L👩‍👧"],
  ["", ""],
])("the initials of %j are %j", (name, expected) => {
  expect(initials(name)).toBe(expected);
});
