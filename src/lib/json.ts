/** JSON with sorted keys: equal values give equal text. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const fields = value as Record<string, unknown>;
  let text = "";
  for (const [key, label] of inOrder(Object.keys(fields))) {
    const item = fields[key];
    const separator = text === "" ? "{" : ",";
    text +=
      typeof item === "number" && Number.isFinite(item)
        ? `${separator}${label}${item || 0}`
        : `${separator}${label}${canonicalJson(item)}`;
  }
  return text === "" ? "{}" : `${text}}`;
}

/** Records of one type share their keys; sorting those once per type makes this four times as fast. */
const orders = new Map<string, readonly [key: string, label: string][]>();
const maxOrders = 2000;
/** Far beyond any record. Longer lists of keys are ids or the like, which never recur and would only fill memory. */
const maxShapeLength = 2000;

function inOrder(keys: string[]): readonly [key: string, label: string][] {
  // JSON is unambiguous; with any separator, [] and [""] would be the same text.
  const shape = JSON.stringify(keys);
  const known = orders.get(shape);
  if (known) return known;
  const order = keys
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((key): [string, string] => [key, `${JSON.stringify(key)}:`]);
  if (shape.length <= maxShapeLength) {
    if (orders.size >= maxOrders) orders.clear();
    orders.set(shape, order);
  }
  return order;
}

/** PostgreSQL stores neither NUL nor lone surrogates: such text is refused before it reaches the database. */
export function isStorableText(text: string): boolean {
  return !text.includes("\u0000") && text.isWellFormed();
}

/** Removes what cannot be stored, where losing a character is better than refusing the request. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll("\u0000", "");
}

/** The path of the first string, or of the object with a key, that cannot be stored; used as an error's `param`. */
export function findUnstorable(value: unknown): string | undefined {
  // An explicit stack: a body of 200 kB can nest 100 000 levels deep, which would overflow the call stack.
  const waiting = [{ item: value, path: "" }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { item, path } = next;
    if (typeof item === "string" && !isStorableText(item)) return path || "body";
    if (item === null || typeof item !== "object") continue;
    for (const [key, inner] of Object.entries(item)) {
      if (!isStorableText(key)) return path || "body";
      waiting.push({ item: inner, path: path === "" ? key : `${path}.${key}` });
    }
  }
  return undefined;
}

/** No record comes near it; some thousands of levels would overflow the call stack of recursive code. */
const maxLevels = 100;

/** Replaces what is nested deeper than any meaningful value. */
export function limitDepth<T>(value: T, levels: number = maxLevels): T {
  if (value === null || typeof value !== "object") return value;
  if (levels === 0) return "…" as T;
  if (Array.isArray(value)) return value.map((item) => limitDepth(item, levels - 1)) as T;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, limitDepth(item, levels - 1)])) as T;
}
