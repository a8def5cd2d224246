/**
 * How a shop's scales print their labels, as 13 characters for the 13 digits of an EAN-13: digits stand for themselves, A is
 * the article, G its weight in grams, P its price in pesos, X counts for nothing, C is the check digit. A scale that prints
 * prices behind 20 is "20AAAAAPPPPPC".
 */
const shape = /^2\d{0,2}X*(?:A{3,7}X*(?:G{3,6}|P{3,6})|(?:G{3,6}|P{3,6})X*A{3,7})X*C$/;

export function isScaleLabel(format: string): boolean {
  return format.length === 13 && shape.test(format);
}

/**
 * The first two formats by which one label could be read in two ways. Formats differ in their digits at the beginning; of two that
 * fit a label, the one with more of them counts.
 */
export function contradiction(formats: readonly string[]): [earlier: string, later: string] | undefined {
  const byDigits = new Map<string, string>();
  for (const format of formats) {
    const earlier = byDigits.get(fixedDigits(format));
    if (earlier !== undefined) return [earlier, format];
    byDigits.set(fixedDigits(format), format);
  }
  return undefined;
}

export interface ScaleLabel {
  article: string;
  kind: "weight" | "price";
  /** Grams, or pesos. */
  value: number;
}

/** What a label says, if it is one in a format of the shop and its check digit is right. */
export function readScaleLabel(code: string, formats: readonly string[]): ScaleLabel | undefined {
  if (!/^2\d{12}$/.test(code) || code.at(-1) !== checkDigit(code.slice(0, 12))) return undefined;
  // The one that names more digits is meant before the one that takes any.
  const byDigits = formats.filter(isScaleLabel).sort((a, b) => digitsIn(b) - digitsIn(a) || (a < b ? -1 : 1));
  const format = byDigits.find((one) => [...one].every((letter, i) => !/\d/.test(letter) || letter === code[i]));
  if (format === undefined) return undefined;
  const kind = format.includes("G") ? "weight" : "price";
  const value = Number(partOf(code, format, kind === "weight" ? "G" : "P"));
  return value > 0 ? { article: partOf(code, format, "A"), kind, value } : undefined;
}

/** Whether such a scale prints such a price of an article of this code. */
export function printsPriceOf(format: string, code: string, price: number): boolean {
  const digits = (letter: string) => format.split(letter).length - 1;
  if (!isScaleLabel(format) || !/^\d+$/.test(code)) return false;
  return code.length <= digits("A") && price < 10 ** digits("P");
}

/** A label as such a scale would print it. */
export function scaleLabelOf(format: string, article: string, value: number): string {
  const fill = (letters: RegExp, text: string, into: string) =>
    into.replace(letters, (run) => text.padStart(run.length, "0").slice(-run.length));
  const filled = fill(/A+/, article, fill(/[GP]+/, String(value), format))
    .replaceAll("X", "0")
    .slice(0, 12);
  return filled + checkDigit(filled);
}

/** Of the twelve digits before it, counted 1, 3, 1, 3… */
function checkDigit(digits: string): string {
  const sum = [...digits].reduce((total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 1 : 3), 0);
  return String((10 - (sum % 10)) % 10);
}

const fixedDigits = (format: string) => format.replaceAll(/\D/g, "");
const digitsIn = (format: string) => fixedDigits(format).length;

function partOf(code: string, format: string, letter: string): string {
  return code.slice(format.indexOf(letter), format.lastIndexOf(letter) + 1);
}
