/** Lower case, without accents, single spaces: the form in which `q` and what it searches are compared. */
export function foldText(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}

// A control character cannot occur in folded text, so it fences the parts that a query must not run across.
const fence = "\u0001";

/**
 * What a record's `search` column holds: its folded fields, then every pair of neighbouring characters, fenced.
 * A trigram index cannot find a two-character infix; as fenced words the pairs become trigrams of their own, so a
 * query of two characters over a million rows is an index look-up like any other.
 */
export function searchText(fields: readonly (string | null | undefined)[]): string {
  const folded = fields.filter((field): field is string => Boolean(field)).map(foldText);
  const pairs = new Set<string>();
  for (const text of folded) {
    const characters = [...text];
    for (let i = 0; i + 1 < characters.length; i++) pairs.add(characters[i]! + characters[i + 1]!);
  }
  return [...folded, "", ...pairs, ""].join(fence);
}

/** The LIKE pattern that finds `q` in a `search` column. */
export function searchPattern(q: string): string {
  const folded = foldText(q);
  const escaped = folded.replace(/[\\%_]/g, (character) => `\\${character}`);
  return [...folded].length === 2 ? `%${fence}${escaped}${fence}%` : `%${escaped}%`;
}
