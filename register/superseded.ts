import type { NewEntry } from "./store.ts";

/**
 * What a new enrolment uploads again. Every sale uploads its shift anew: of the versions of a shift only the last one counts, and
 * the former ones, from another device, would look like edits that lost. Under the numbers they were given, all of them stay.
 */
export function withoutSuperseded<E extends Pick<NewEntry, "type" | "id">>(entries: readonly E[]): E[] {
  const last = new Map(entries.map((entry, i) => [entry.id, i]));
  return entries.filter(({ type, id }, i) => type !== "cash_session" || last.get(id) === i);
}
