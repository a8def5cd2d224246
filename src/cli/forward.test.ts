import { expect, test } from "vitest";
import { readForwardTo } from "./forward.ts";

test.each([
  ["http://127.0.0.1:4242/webhooks", "http://127.0.0.1:4242/webhooks"],
  ["HTTPS://ejemplo.com/x", "HTTPS://ejemplo.com/x"],
  ["localhost:4242/webhooks", "http://localhost:4242/webhooks"],
  [undefined, undefined],
])("--forward-to %s", (text, url) => {
  expect(readForwardTo(text)).toBe(url);
});

test.each(["ftp://x", "file:///etc/passwd", "http://ana:clave@x", "http://", "mailto:ana@x", "una dirección", ""])(
  "--forward-to %j is refused",
  (text) => {
    expect(() => readForwardTo(text)).toThrow(`--forward-to ${text} no es una dirección http o https`);
  },
);
