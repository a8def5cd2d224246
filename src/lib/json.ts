/** JSON with sorted keys: two bodies that mean the same have the same text. */
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

/** Records of one kind share their keys: sorting them once per kind makes this four times as fast. */
const orders = new Map<string, readonly [key: string, label: string][]>();
const mostOrders = 2000;
/** Far beyond any record's fields. A list of keys this long holds ids or the like, comes once and would only fill memory. */
const longestShape = 2000;

function inOrder(keys: string[]): readonly [key: string, label: string][] {
  // As JSON, no two lists of keys are the same text: joined by anything, [] and [""] would share an order.
  const shape = JSON.stringify(keys);
  const known = orders.get(shape);
  if (known) return known;
  const order = keys
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((key): [string, string] => [key, `${JSON.stringify(key)}:`]);
  if (shape.length <= longestShape) {
    if (orders.size >= mostOrders) orders.clear();
    orders.set(shape, order);
  }
  return order;
}

/** PostgreSQL stores neither NUL nor half a surrogate pair: such text is refused at the door, not by the database. */
export function isStorableText(text: string): boolean {
  return !text.includes("\u0000") && text.isWellFormed();
}

/** The text without what cannot be stored, where losing a character beats refusing what came with it. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll("\u0000", "");
}

/** The path of a string (or of what has a key) that cannot be stored, as a request's `param`. */
export function findUnstorable(value: unknown): string | undefined {
  // A stack of our own: a body of 200 kB nests 100 000 levels deep, which the call stack does not.
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

/** No record of ours comes near it; a nesting of some thousands overruns the call stack of whoever walks through it. */
const mostLevels = 100;

/** The value without what is nested deeper than anything meaningful is. */
export function limitDepth<T>(value: T, levels: number = mostLevels): T {
  if (value === null || typeof value !== "object") return value;
  if (levels === 0) return "…" as T;
  if (Array.isArray(value)) return value.map((item) => limitDepth(item, levels - 1)) as T;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, limitDepth(item, levels - 1)])) as T;
}
