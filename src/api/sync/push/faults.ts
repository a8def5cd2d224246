import { isUnavailable } from "../../../db/transaction.ts";
import { ApiError } from "../../../lib/errors.ts";

/**
 * The errors of PostgreSQL that name a value of the record being stored, in the owner's words. Every other error is a fault
 * of ours: a wrong owner of a table, an older schema, a bug. A code is added here only if no fault of ours can cause it.
 */
const valueErrors: Readonly<Record<string, string>> = {
  "22001": "un texto es más largo de lo que se puede guardar",
  "22003": "un número es más grande de lo que se puede guardar",
  "22007": "una fecha no se puede leer",
  "22008": "una fecha está fuera de lo que se puede guardar",
  "22009": "una fecha está fuera de lo que se puede guardar",
  "22021": "un texto tiene caracteres que no se pueden guardar",
  "22P02": "un valor no tiene la forma de su campo",
  "22P05": "un texto tiene caracteres que no se pueden guardar",
};

/** Why the record cannot be stored as it is, if its own content is to blame. */
export function valueFault(error: unknown): string | undefined {
  if (error instanceof RangeError && /call stack/.test(error.message)) return "tiene demasiados niveles anidados";
  const { code } = error as { code?: unknown };
  return typeof code === "string" && Object.hasOwn(valueErrors, code) ? `${valueErrors[code]} (${code})` : undefined;
}

/** The request itself is wrong, or the database cannot take it now: trying the records one by one would not help. */
export function concernsWholePush(error: unknown): boolean {
  const { code } = error as { code?: string };
  return error instanceof ApiError || isUnavailable(error) || code === "40001" || code === "40P01";
}
