/** A tax identification number, parsed. `number` has neither dots nor the check digit. */
export type NitReading =
  | { kind: "valid"; number: string; checkDigit: number }
  | { kind: "wrong_check_digit"; number: string; checkDigit: number; given: number }
  | { kind: "unreadable" };

/** The authority's prime weights, from the last digit to the first. */
const weights = [3, 7, 13, 17, 19, 23, 29, 37, 41, 43, 47, 53, 59, 67, 71];

/**
 * Companies have 9 digits; people use their identity card number, of 6 to 10. Without a dash every digit belongs to the
 * number: ten digits may be a card or a company with its check digit, and a wrong guess would hash the wrong buyer.
 */
const written = /^([1-9]\d{5,9})(?:-(\d))?$/;

/** Reads "900373923-8", "900.373.923-8", "900 373 923 – 8" or "900373923". */
export function parseNit(text: string): NitReading {
  const match = written.exec(text.replace(/[\s.]/g, "").replace(/[‐‑‒–—−]/g, "-"));
  if (!match) return { kind: "unreadable" };
  const number = match[1]!;
  const checkDigit = nitCheckDigit(number);
  const given = match[2] === undefined ? checkDigit : Number(match[2]);
  if (given !== checkDigit) return { kind: "wrong_check_digit", number, checkDigit, given };
  return { kind: "valid", number, checkDigit };
}

/** For up to 15 digits. Modulo 11; the remainders 0 and 1 are the digit itself. */
export function nitCheckDigit(digits: string): number {
  if (!/^\d{1,15}$/.test(digits)) throw new RangeError("a check digit needs 1 to 15 digits");
  const remainder =
    digits
      .split("")
      .reverse()
      .reduce((total, digit, place) => total + Number(digit) * weights[place]!, 0) % 11;
  return remainder < 2 ? remainder : 11 - remainder;
}

/** As printed on documents: 900373923-8. */
export function formatNit(number: string): string {
  return `${number}-${nitCheckDigit(number)}`;
}
