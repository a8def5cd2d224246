/** JSON with sorted keys: two bodies that mean the same have the same text. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(",")}}`;
}

/** PostgreSQL stores neither NUL nor half a surrogate pair: such text is refused at the door, not by the database. */
export function isStorableText(text: string): boolean {
  return !text.includes("\u0000") && text.isWellFormed();
}

/** The path of the first string (or key) that cannot be stored, as a request's `param`. */
export function findUnstorable(value: unknown, path = ""): string | undefined {
  if (typeof value === "string") return isStorableText(value) ? undefined : path;
  if (value === null || typeof value !== "object") return undefined;
  for (const [key, item] of Object.entries(value)) {
    const here = path === "" ? key : `${path}.${key}`;
    const found = isStorableText(key) ? findUnstorable(item, here) : path || "body";
    if (found !== undefined) return found;
  }
  return undefined;
}
