/** A tax identification number, parsed. `number` has neither dots nor the check digit. */
export type NitReading =
  | { kind: "valid"; number: string; checkDigit: number }
  | { kind: "wrong_check_digit"; number: string; checkDigit: number; given: number }
  | { kind: "unreadable" };

/** The authority's prime weights, from the last digit to the first. */
const weights = [3, 7, 13, 17, 19, 23, 29, 37, 41, 43, 47, 53, 59, 67, 71];

/** Companies have 9 digits; people use their identity card number, of 6 to 10. */
const written = /^([1-9]\d{5,9})(?:-(\d))?$/;
const withoutDash = /^([1-9]\d{8,9})(\d)$/;

/** Reads "900373923-8", "900.373.923-8", "900 373 923 – 8", "9003739238" or "900373923". */
export function parseNit(text: string): NitReading {
  const plain = text.replace(/[\s.]/g, "").replace(/[‐‑‒–—−]/g, "-");
  const joined = withoutDash.exec(plain);
  if (joined && endsWithCheckDigit(joined[1]!, Number(joined[2]))) return judged(joined[1]!, Number(joined[2]));
  const match = written.exec(plain);
  return match ? judged(match[1]!, match[2] === undefined ? undefined : Number(match[2])) : { kind: "unreadable" };
}

/**
 * Whether digits typed without a dash end with the check digit. Ten of them whose last is the check digit of the others
 * do. Otherwise ten may be an identity card, unless they begin like a company's number; eleven can be nothing else.
 */
function endsWithCheckDigit(number: string, last: number): boolean {
  return nitCheckDigit(number) === last || number.length === 10 || /^[89]/.test(number);
}

function judged(number: string, given: number | undefined): NitReading {
  const checkDigit = nitCheckDigit(number);
  if (given === undefined || given === checkDigit) return { kind: "valid", number, checkDigit };
  return { kind: "wrong_check_digit", number, checkDigit, given };
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
