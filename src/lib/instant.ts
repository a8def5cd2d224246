/**
 * Normalizes an instant to UTC with milliseconds, as the columns store it. `finer` decides about smaller fractions: the
 * bound of a filter is rounded up, which selects the same records, because those have whole milliseconds.
 */
export function canonicalInstant(text: string, finer: "cut" | "up" = "cut"): string {
  const isFiner = /\.\d{3}\d*[1-9]/.test(text);
  const at = new Date(Date.parse(text) + (isFiner && finer === "up" ? 1 : 0));
  const year = at.getUTCFullYear();
  // PostgreSQL and our clients read years of four digits only: beyond them the original offset stays.
  return year >= 1 && year <= 9999 ? at.toISOString() : text.toUpperCase().replace(/(\.\d{3})\d+/, "$1");
}
