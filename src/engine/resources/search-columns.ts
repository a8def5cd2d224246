import { searchBits, searchKeys, searchText } from "../search/search-text.ts";
import type { DerivedColumn, RecordBody } from "./resource.ts";

export const searchColumnNames = ["search", "search_keys", "search_bits"] as const;

/** The columns that `q` searches: the text, the keys of its index, and the signature that a scan checks. */
export function searchColumns<Body extends RecordBody>(
  fields: (body: Body) => (string | null | undefined)[],
): Record<(typeof searchColumnNames)[number], DerivedColumn<Body>> {
  // The columns of a record are asked for one after another.
  let last: { body: Body; text: string } | undefined;
  const textOf = (body: Body) => {
    if (last?.body !== body) last = { body, text: searchText(fields(body)) };
    return last.text;
  };
  return {
    search: { type: "text", from: textOf },
    search_keys: { type: "int[]", from: (body, accountId) => searchKeys(accountId, textOf(body)) },
    search_bits: { type: "bit(128)", from: (body) => searchBits(textOf(body)) },
  };
}
