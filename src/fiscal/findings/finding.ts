/** Something in an uploaded record that does not add up. The upload is accepted all the same, and the record is flagged. */
export type Finding = { field: string; expected: Plain; got: Plain; message: string; kind?: ToldKind };
/** What the owner is told in words of its own, not as a sum that does not add up. */
export const toldKinds = [
  "huge_total",
  "foreign_shift",
  "wrong_clock",
  "sale_reduced",
  "shift_rewritten",
  "closed_shift",
  "left_shift",
  "misnamed_line",
  "large_tip",
  "nameless_credit",
  "wrong_tax",
] as const;
export type ToldKind = (typeof toldKinds)[number];
type Plain = string | number | boolean | null;

/** Takes what a check finds. Checks return the value they read, or null when it is unreadable. */
export type Report = (...found: Parameters<typeof finding>) => void;

export function finding(field: string, expected: bigint | Plain, got: unknown, message: string): Finding {
  return { field, expected: plain(expected), got: plain(got), message };
}

/** An uploaded value in a short form that JSON can represent. */
function plain(value: unknown): Plain {
  if (typeof value === "bigint") {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : String(value);
  }
  // JSON has no minus zero.
  if (typeof value === "number") return Number.isFinite(value) ? value || 0 : String(value);
  if (typeof value === "string") return value.slice(0, 100);
  if (typeof value === "boolean" || value === null) return value;
  return Array.isArray(value) ? "array" : typeof value;
}

/** Where findings about what a cashier may do stand: they are no sum that does not add up. */
export const rightsField = "rights.";
export const isAboutRights = ({ field }: Pick<Finding, "field">) => field.startsWith(rightsField);

export type Fields = Record<string, unknown>;

export function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An amount in whole pesos of the record `at` this path. A negative one is reported and still counts in the sums. */
export function pesosIn(report: Report, fields: Fields, key: string, at = ""): bigint | null {
  const value = fields[key];
  const isWhole = typeof value === "number" && Number.isSafeInteger(value);
  if (isWhole && value >= 0) return BigInt(value);
  const path = at === "" ? key : `${at}.${key}`;
  if (isWhole) report(path, 0, value, "No puede ser negativo.");
  else report(path, "integer", value, "No es un valor entero en pesos.");
  return isWhole ? BigInt(value) : null;
}

/** The sum, or null when any part is unknown: a partial sum would blame the wrong field. */
export function sumKnown(values: Iterable<bigint | null>): bigint | null {
  let total = 0n;
  for (const value of values) {
    if (value === null) return null;
    total += value;
  }
  return total;
}
