import { Problem } from "../lib/api.ts";
import { plain } from "./plain.ts";

/** The service's sentence for each of a form's fields, and whether all that it said stands at one of them. */
export function fieldMessages<const K extends string>(
  error: unknown,
  names: readonly K[],
): Partial<Record<K, string>> & { isTold: boolean } {
  const errors = error instanceof Problem ? error.errors : [];
  const own = errors.filter(({ param }) => (names as readonly string[]).includes(param));
  const messages = Object.fromEntries(own.map(({ param, message }) => [param, plain(message)]));
  return { ...(messages as Partial<Record<K, string>>), isTold: own.length > 0 && own.length === errors.length };
}
