import { erased, type Traces } from "../traces.ts";

/** A word of hers in what was asked for may be all of a search for her: who it is about is what the request says. */
export const namingRequests =
  "(path || ' ' || coalesce(query, '') || ' ' || coalesce(request_headers::text, '')) ~* $3";

/** The part of an address that names her may be anywhere in it, coded: nothing of it stays. */
export function cleanAddress(text: string, column: string, { clean }: Traces): string {
  // The first part of a path is the API's own, which may be called as she is.
  const own = column === "path" ? text.replace(/^\/v1\/[^/]*/, "") : text;
  return namesHer(own, (part) => clean(part, true)) || namesHer(text, clean) ? erased : text;
}

/** Neither of a header's name nor of its value does anything stay that names her. */
export function cleanHeaders(headers: object, { clean }: Traces): object {
  const hers = (text: string) => namesHer(text, (part) => clean(part, true));
  const entries = Object.entries(headers).map(([name, value]): [string, unknown] => [
    hers(name) ? erased : name,
    typeof value === "string" && hers(value) ? erased : value,
  ]);
  const isSame = entries.every(([name, value]) => (headers as Record<string, unknown>)[name] === value);
  return isSame ? headers : Object.fromEntries(entries);
}

export function namesHer(text: string, clean: (text: string) => string): boolean {
  const plain = decoded(text);
  return clean(plain) !== plain || clean(text) !== text;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
