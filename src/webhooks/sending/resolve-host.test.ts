import { expect, test } from "vitest";
import { parseFixedAddresses } from "./resolve-host.ts";

test("WEBHOOK_RESOLVE maps hosts to addresses and ports", () => {
  expect([...parseFixedAddresses("Hooks.example.com=127.0.0.1:8443, b.example.com=[::1]:443")!]).toEqual([
    ["hooks.example.com", { address: "127.0.0.1", port: 8443 }],
    ["b.example.com", { address: "::1", port: 443 }],
  ]);
  expect([...parseFixedAddresses(undefined)!]).toEqual([]);
});

test.each(["a.com", "a.com=127.0.0.1", "a.com=localhost:80", "a.com=127.0.0.1:99999", "=127.0.0.1:1"])(
  "%s is malformed",
  (text) => {
    expect(parseFixedAddresses(text)).toBeUndefined();
  },
);
