import { expect, test } from "vitest";
import { canonicalInstant } from "./instant.ts";

test.each([
  ["2026-10-01t08:15:00z", "2026-10-01T08:15:00.000Z"],
  ["2026-10-01T08:15:00-05:00", "2026-10-01T13:15:00.000Z"],
  ["2026-10-01T08:15:00.1+14:59", "2026-09-30T17:16:00.100Z"],
  ["2026-10-01T08:15:00.123999999Z", "2026-10-01T08:15:00.123Z"],
  ["1969-12-31T23:59:59.9999Z", "1969-12-31T23:59:59.999Z"],
  ["9999-12-31t23:59:59.12345-05:00", "9999-12-31T23:59:59.123-05:00"],
  ["0001-01-01t00:00:00+05:00", "0001-01-01T00:00:00+05:00"],
])("%s is stored as %s", (text, kept) => {
  expect(canonicalInstant(text)).toBe(kept);
  expect(canonicalInstant(kept)).toBe(kept);
  expect(Date.parse(kept)).toBe(Date.parse(text));
});

test.each([
  ["2026-10-01T08:15:00.123000Z", "2026-10-01T08:15:00.123Z"],
  ["2026-10-01T08:15:00.123000001Z", "2026-10-01T08:15:00.124Z"],
  ["2026-10-01t08:15:59.9991-05:00", "2026-10-01T13:16:00.000Z"],
])("as the bound of a filter %s is %s", (text, bound) => {
  expect(canonicalInstant(text, "up")).toBe(bound);
});
