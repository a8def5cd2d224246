/**
 * One notation for an instant that came in: UTC, to the millisecond, as the columns keep it. `finer` says what becomes of
 * smaller fractions. A bound of a filter is rounded up, which selects the same records of whole milliseconds.
 */
export function canonicalInstant(text: string, finer: "cut" | "up" = "cut"): string {
  const isFiner = /\.\d{3}\d*[1-9]/.test(text);
  const at = new Date(Date.parse(text) + (isFiner && finer === "up" ? 1 : 0));
  const year = at.getUTCFullYear();
  // Four digits of a year are all that PostgreSQL and our clients read: at both ends the offset stays.
  return year >= 1 && year <= 9999 ? at.toISOString() : text.toUpperCase().replace(/(\.\d{3})\d+/, "$1");
}
