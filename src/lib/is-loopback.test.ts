import { expect, test } from "vitest";
import { isLoopback } from "./is-loopback.ts";

test.each(["127.0.0.1", "127.8.9.10", "::1", "[::1]", "::ffff:127.0.0.1", "localhost", "Caja.LOCALHOST"])(
  "%s is this machine",
  (host) => expect(isLoopback(host)).toBe(true),
);

test.each([
  "0.0.0.0",
  "::",
  "[::]",
  "10.0.0.1",
  "192.168.1.5",
  "tienda.example",
  "localhost.example",
  "127.0.0.1.example",
  "",
])("%s may be reached from elsewhere", (host) => expect(isLoopback(host)).toBe(false));
