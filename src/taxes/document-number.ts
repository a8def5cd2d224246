/** Fewer digits are still being typed. */
const fewestDigits = 5;

/** Whether two document numbers are one: a check digit and points make no other one. */
export function isSameDocument(one: string, other: string): boolean {
  const digits = plainDigits(one);
  return digits.length >= fewestDigits && digits === plainDigits(other);
}

export function plainDigits(number: string): string {
  return number.trim().replace(/-\d$/, "").replace(/\D/g, "");
}

/** The digits of a column, as `plainDigits` has them, as SQL. */
export function plainDigitsSql(column: string): string {
  return `regexp_replace(regexp_replace(btrim(${column}), '-\\d$', ''), '\\D', '', 'g')`;
}
