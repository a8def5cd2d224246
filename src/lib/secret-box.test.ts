import { expect, test } from "vitest";
import { open, seal } from "./secret-box.ts";

const key = "a secret of the installation, long enough";

test("a sealed secret opens again, and two boxes of one secret differ", () => {
  const box = seal(key, "pin 1", "12345 ñ");
  expect(open(key, "pin 1", box)).toBe("12345 ñ");
  expect(box.includes("12345")).toBe(false);
  expect(seal(key, "pin 1", "12345 ñ").equals(box)).toBe(false);
});

test("a box opens for no other purpose and with no other key", () => {
  const box = seal(key, "pin 1", "12345");
  expect(() => open(key, "pin 2", box)).toThrow();
  expect(() => open(`${key}!`, "pin 1", box)).toThrow();
});

test("an altered or shortened box does not open", () => {
  const box = seal(key, "pin 1", "12345");
  for (let i = 0; i < box.length; i++) {
    const altered = Buffer.from(box);
    altered[i]! ^= 1;
    expect(() => open(key, "pin 1", altered)).toThrow();
  }
  expect(() => open(key, "pin 1", box.subarray(0, 20))).toThrow();
});
