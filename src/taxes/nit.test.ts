import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatNit, nitCheckDigit, parseNit } from "./nit.ts";

// Numbers of real institutions, beginning with the authority's own, and of the demo customers.
const known = [
  "800197268-4",
  "890900608-9",
  "899999068-1",
  "890903938-8",
  "860002964-4",
  "860034313-7",
  "900166483-1",
  "900373923-8",
  "89008003-2",
  "213123432-1",
  "900123456-8",
  "901234567-7",
  "830112233-1",
  "811004567-4",
  "805009876-6",
];

test.each(known)("%s has the right check digit", (written) => {
  const [number, digit] = written.split("-") as [string, string];
  expect(nitCheckDigit(number)).toBe(Number(digit));
  expect(formatNit(number)).toBe(written);
  expect(parseNit(written)).toEqual({ kind: "valid", number, checkDigit: Number(digit) });
});

describe("parsing", () => {
  test.each(["900373923-8", "900.373.923-8", " 900 373 923 - 8 ", "900373923–8", "900373923", "900.373.923"])(
    "%s",
    (text) => {
      expect(parseNit(text)).toEqual({ kind: "valid", number: "900373923", checkDigit: 8 });
    },
  );

  test("a wrong check digit is reported with the right one", () => {
    expect(parseNit("900373923-1")).toEqual({
      kind: "wrong_check_digit",
      number: "900373923",
      checkDigit: 8,
      given: 1,
    });
  });

  test("ten digits without a dash whose last is the check digit of the others have it", () => {
    expect(parseNit("9003739238")).toEqual({ kind: "valid", number: "900373923", checkDigit: 8 });
    expect(parseNit("900 166 483 1")).toMatchObject({ kind: "valid", number: "900166483" });
  });

  test("any other ten digits are an identity card, unless they begin like a company's number", () => {
    expect(parseNit("1020456789")).toMatchObject({ kind: "valid", number: "1020456789" });
    expect(parseNit("9003739231")).toEqual({
      kind: "wrong_check_digit",
      number: "900373923",
      checkDigit: 8,
      given: 1,
    });
  });

  test("eleven digits are an identity card with its check digit", () => {
    expect(parseNit(`1020456789${nitCheckDigit("1020456789")}`)).toMatchObject({ kind: "valid", number: "1020456789" });
    expect(parseNit("12345678901")).toMatchObject({ kind: "wrong_check_digit", number: "1234567890", given: 1 });
  });

  test.each(["", "-8", "12345", "123456789012", "900373923-88", "900-373-923", "90037392X-8", "0900373923", "NIT"])(
    "%o is unreadable",
    (text) => {
      expect(parseNit(text)).toEqual({ kind: "unreadable" });
    },
  );
});

test("any single mistyped digit changes the check digit, except where modulo 11 maps 1 and 10 to the same digit", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 100_000, max: 9_999_999_999 }).map(String),
      fc.nat(9),
      fc.integer({ min: 1, max: 9 }),
      (number, place, shift) => {
        const at = place % number.length;
        const mistyped = number.slice(0, at) + ((Number(number[at]) + shift) % 10) + number.slice(at + 1);
        const [right, wrong] = [nitCheckDigit(number), nitCheckDigit(mistyped)];
        expect(right).toBeGreaterThanOrEqual(0);
        expect(right).toBeLessThanOrEqual(9);
        if (right !== 1) expect(wrong).not.toBe(right);
      },
    ),
  );
});

test("anything but 1 to 15 digits has no check digit", () => {
  for (const text of ["", "9003739A3", "1".repeat(16)]) expect(() => nitCheckDigit(text)).toThrow(RangeError);
});
