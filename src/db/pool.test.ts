import fc from "fast-check";
import { expect, test } from "vitest";
import { parseInstant } from "./create-pool.ts";

test.each([
  ["2026-11-15 14:05:09.123+00", "2026-11-15T14:05:09.123Z"],
  ["2026-11-15 14:05:09+00", "2026-11-15T14:05:09.000Z"],
  ["10000-01-01 13:59:59.999+00", "+010000-01-01T13:59:59.999Z"],
  ["0001-12-31 10:00:00+00 BC", "0000-12-31T10:00:00.000Z"],
  ["4713-01-01 00:00:00+00 BC", "-004712-01-01T00:00:00.000Z"],
])("%s is %s", (text, instant) => {
  expect(parseInstant(text).toISOString()).toBe(instant);
});

test("an instant of any year comes back as PostgreSQL wrote it", () => {
  const dates = fc.date({ min: new Date("-004000-01-01"), max: new Date("+200000-01-01"), noInvalidDate: true });
  fc.assert(
    fc.property(dates, (at) => {
      expect(parseInstant(asPostgres(at)).getTime()).toBe(at.getTime());
    }),
  );
});

test("text that is no instant becomes an invalid date", () => {
  for (const text of ["infinity", "-infinity", ""]) expect(parseInstant(text).getTime()).toBeNaN();
});

function asPostgres(at: Date): string {
  const year = at.getUTCFullYear();
  const rest = at
    .toISOString()
    .replace(/^[+-]?\d+/, "")
    .replace("T", " ")
    .replace("Z", "+00");
  return `${String(year > 0 ? year : 1 - year).padStart(4, "0")}${rest}${year > 0 ? "" : " BC"}`;
}
