import { expect, test } from "vitest";
import { legible } from "./legible.ts";

test("a dark colour stays, and a light one is darkened until it can be read on white", () => {
  expect(legible("#0b6b57")).toBe("#0b6b57");
  expect(legible("#000000")).toBe("#000000");
  for (const color of ["#ffff00", "#ffffff", "#7fffd4"]) expect(legible(color)).toMatch(/^#[0-9a-c][0-9a-f]{5}$/);
  expect(legible("#ffff00")).not.toBe("#ffff00");
});
