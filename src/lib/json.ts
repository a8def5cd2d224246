/** JSON with sorted keys: equal values give equal text. */
export function canonicalJson(value: unknown): string {
  if (typeof value === "string") return plainText.test(value) ? `"${value}"` : JSON.stringify(value);
  if (typeof value === "number") return Number.isFinite(value) ? `${value || 0}` : "null";
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  let text = "";
  if (Array.isArray(value)) {
    for (const item of value) text += text === "" ? canonicalJson(item) : `,${canonicalJson(item)}`;
    return `[${text}]`;
  }
  const fields = value as Record<string, unknown>;
  const { keys, labels } = inOrder(Object.keys(fields));
  for (let i = 0; i < keys.length; i++) text += labels[i]! + canonicalJson(fields[keys[i]!]);
  return `{${text}}`;
}

/** Nothing of it needs an escape. Most texts are like this, and to look costs less than to call JSON.stringify. */
const plainText = /^[ !#-[\]-~]*$/;

/** Sorted keys, and the text before the value of each. */
interface Order {
  keys: readonly string[];
  labels: readonly string[];
}

/**
 * Records of one type share their keys; sorting those once per type makes this several times as fast. Orders are found by the
 * first key, and of those few the one with the same keys.
 */
const orders = new Map<string | undefined, readonly { keys: readonly string[]; order: Order }[]>();
const maxFirstKeys = 100;
const maxAlike = 20;
/** Far beyond any record. Longer lists of keys are ids or the like, which never recur and would only fill memory. */
const maxKeysLength = 2000;

function inOrder(keys: readonly string[]): Order {
  const alike = orders.get(keys[0]) ?? [];
  for (const known of alike) if (isSameList(known.keys, keys)) return known.order;
  const sorted = keys.toSorted((a, b) => (a < b ? -1 : 1));
  const order = { keys: sorted, labels: sorted.map((key, i) => `${i === 0 ? "" : ","}${JSON.stringify(key)}:`) };
  if (keys.join().length <= maxKeysLength) {
    if (orders.size >= maxFirstKeys) orders.clear();
    orders.set(keys[0], [{ keys, order }, ...alike].slice(0, maxAlike));
  }
  return order;
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Controls other than tab and line ends. PostgreSQL does not store NUL, and a receipt printer obeys several of the others. */
const control = /[^\P{Cc}\t\n\r]/u;
const controls = new RegExp(control, "gu");

/** Text that may be stored: without such controls, and without lone surrogates, which PostgreSQL does not store either. */
export function isStorableText(text: string): boolean {
  return !control.test(text) && text.isWellFormed();
}

/** Removes what may not be stored, where losing a character is better than refusing the request. */
export function storableText(text: string): string {
  return text.toWellFormed().replace(controls, "");
}

/** The text with everything that may not be stored written as JSON would escape it. */
export function escapedText(text: string): string {
  return text.replace(/[^\P{Cc}\t\n\r]|\p{Cs}/gu, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The escapes and raw characters of JSON that may mean such text: most requests have none, and need no second look. */
const suspect = /\\[ubf]|[\u007f-\u009f]/;

export function mayHoldUnstorable(json: string): boolean {
  return suspect.test(json);
}

/** The same value with all its texts storable, without fields of a name that is not, and nothing nested too deep. */
export function storableJson<T>(value: T, levels: number = maxLevels): T {
  if (typeof value === "string") return storableText(value) as T;
  if (value === null || typeof value !== "object") return value;
  if (levels === 0) return "…" as T;
  if (Array.isArray(value)) return value.map((item) => storableJson(item, levels - 1)) as T;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) =>
      isStorableText(key) ? [[key, storableJson(item, levels - 1)]] : [],
    ),
  ) as T;
}

/** The path of the first string, or of the object with a key, that may not be stored; used as an error's `param`. */
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
