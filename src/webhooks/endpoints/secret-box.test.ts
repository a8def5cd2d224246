import { expect, test } from "vitest";
import { secretBox } from "./secret-box.ts";

const box = secretBox("a key of the installation, long enough");

test("a sealed secret opens again, is never sealed the same twice, and does not contain its text", () => {
  const sealed = box.seal("whsec_abc", "endpoint");
  expect(box.open(sealed, "endpoint")).toBe("whsec_abc");
  expect(box.seal("whsec_abc", "endpoint").equals(sealed)).toBe(false);
  expect(sealed.toString("latin1")).not.toContain("whsec");
});

test("it does not open for another endpoint, under another key, or after a changed bit", () => {
  const sealed = box.seal("whsec_abc", "endpoint");
  expect(() => box.open(sealed, "other")).toThrow();
  expect(() => secretBox("another key of the installation").open(sealed, "endpoint")).toThrow();
  for (const at of [0, 5, 20, sealed.length - 1]) {
    const changed = Buffer.from(sealed);
    changed[at]! ^= 1;
    expect(() => box.open(changed, "endpoint")).toThrow();
  }
});
