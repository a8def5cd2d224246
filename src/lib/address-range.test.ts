import { expect, test } from "vitest";
import { isWithin, readRange } from "./address-range.ts";

const within = (ip: string, ...texts: string[]) =>
  isWithin(
    ip,
    texts.map((text) => readRange(text)!),
  );

test.each([
  ["190.24.7.12", "190.24.7.12", true],
  ["190.24.7.13", "190.24.7.12", false],
  ["190.24.7.200", "190.24.7.0/24", true],
  ["190.24.8.1", "190.24.7.0/24", false],
  ["::ffff:190.24.7.12", "190.24.7.0/24", true],
  ["2001:db8::1", "2001:db8::/32", true],
  ["2001:db9::1", "2001:db8::/32", false],
  ["190.24.7.12", "::/0", false],
  ["2001:db8::1", "0.0.0.0/0", false],
  ["nothing", "0.0.0.0/0", false],
])("%s in %s: %s", (ip, range, expected) => {
  expect(within(ip, range)).toBe(expected);
});

test.each([
  "",
  "x",
  "10",
  "300.1.1.1",
  "10.0.0.0/33",
  "2001:db8::/129",
  "10.0.0.0/",
  "tienda.example",
  "10.0.0.1-10.0.0.9",
])("%j is no range", (text) => {
  expect(readRange(text)).toBeUndefined();
});
