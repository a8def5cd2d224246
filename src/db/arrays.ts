// Array parameters. The driver would search every element for characters to escape.

/** An array of values that need no quotes: ids, numbers, instants, booleans, the words of a list of ours. */
export function plainArray(values: readonly (string | number | boolean | null)[]): string {
  return `{${(values.includes(null) ? values.map((value) => value ?? "null") : values).join(",")}}`;
}

/** A text may come in pieces, which are joined only when written. */
type Element = string | readonly string[] | Uint8Array | null;

/** A json[]. Stored bodies are sent this way; inside one JSON document each would be parsed twice. */
export function jsonArray(texts: readonly Element[], lengths?: readonly number[]): Buffer {
  return binaryArray(114, texts, lengths);
}

export function textArray(texts: readonly Element[]): Buffer {
  return binaryArray(25, texts);
}

/** A bytea[]. */
export function bytesArray(values: readonly Uint8Array[]): Buffer {
  return binaryArray(17, values);
}

/** One int[] of the numbers of all lists. */
export function intArray(lists: readonly (readonly number[])[]): Buffer {
  const count = lists.reduce((total, list) => total + list.length, 0);
  const words = new Int32Array(headerWords + 2 * count);
  words.set([1, 0, 23, count, 1]);
  let at = headerWords;
  for (const list of lists) {
    for (let i = 0; i < list.length; i++) {
      words[at++] = 4;
      words[at++] = list[i]!;
    }
  }
  return Buffer.from(words.buffer).swap32();
}

/** A timestamptz[]. */
export function instantArray(instants: readonly Date[]): Buffer {
  const words = new Int32Array(headerWords + 3 * instants.length);
  words.set([1, 0, 1184, instants.length, 1]);
  let at = headerWords;
  for (const instant of instants) {
    const microseconds = (instant.getTime() - postgresEpochMs) * 1000;
    words[at++] = 8;
    words[at++] = Math.floor(microseconds / 2 ** 32);
    words[at++] = microseconds;
  }
  return Buffer.from(words.buffer).swap32();
}

const postgresEpochMs = Date.UTC(2000, 0, 1);
const headerWords = 5;
const nullLength = -1;

/** In PostgreSQL's binary format, which neither side escapes or scans. `lengths` are in bytes. */
function binaryArray(
  elementType: number,
  elements: readonly Element[],
  lengths: readonly number[] = elements.map((element) => (element === null ? nullLength : bytesOf(element))),
): Buffer {
  const size = lengths.reduce((total, length) => total + 4 + Math.max(0, length), 4 * headerWords);
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  for (const word of [1, elements.includes(null) ? 1 : 0, elementType, elements.length, 1])
    at = bytes.writeInt32BE(word, at);
  for (let i = 0; i < elements.length; i++) {
    const element = elements[i]!;
    at = bytes.writeInt32BE(lengths[i]!, at);
    if (typeof element === "string") at += bytes.write(element, at, "utf8");
    else if (element instanceof Uint8Array) {
      bytes.set(element, at);
      at += element.length;
    } else if (element !== null) for (const piece of element) at += bytes.write(piece, at, "utf8");
  }
  return bytes;
}

function bytesOf(element: NonNullable<Element>): number {
  if (typeof element === "string") return Buffer.byteLength(element);
  if (element instanceof Uint8Array) return element.length;
  return element.reduce((total, piece) => total + Buffer.byteLength(piece), 0);
}
