import { expect, test } from "vitest";
import { derivePin, isPin, may } from "./cashiers.ts";

test("a PIN is recognized by its hash alone, and another one is not", async () => {
  const salt = Uint8Array.from({ length: 16 }, (_, i) => i);
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
  const hash = `pbkdf2-sha256$1000$${text(salt)}$${text(await derivePin("4321", salt, 1000))}`;
  expect(await isPin("4321", hash)).toBe(true);
  expect(await isPin("4322", hash)).toBe(false);
  expect(await isPin("4321", "plain$4321")).toBe(false);
  expect(await isPin("", "")).toBe(false);
});

test("without cashiers everybody may do everything; a cashier may do what the owner allowed", () => {
  expect(may(undefined, "cancel")).toBe(true);
  const ana = { id: "1", name: "Ana", pin_hash: "", permissions: ["discount" as const] };
  expect([may(ana, "discount"), may(ana, "cancel")]).toEqual([true, false]);
});
