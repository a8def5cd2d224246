import { ApiError } from "../lib/api.ts";
import { plainText } from "./plain-text.ts";

/** The service's message for each field of a form, and whether every message belongs to one of the fields. */
export function fieldMessages<const K extends string>(
  error: unknown,
  names: readonly K[],
): Partial<Record<K, string>> & { areAllShown: boolean } {
  const errors = error instanceof ApiError ? error.errors : [];
  const own = errors.filter(({ param }) => (names as readonly string[]).includes(param));
  const messages = Object.fromEntries(own.map(({ param, message }) => [param, plainText(message)]));
  return { ...(messages as Partial<Record<K, string>>), areAllShown: own.length > 0 && own.length === errors.length };
}
