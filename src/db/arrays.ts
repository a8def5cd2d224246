// Array parameters, written by us: the driver would look for characters to escape in every element, and PostgreSQL would
// read them one by one.

/** Of what needs no quotes: ids, numbers, instants, booleans, the words of a list of ours. */
export function plainArray(values: readonly (string | number | boolean | null)[]): string {
  return `{${(values.includes(null) ? values.map((value) => value ?? "null") : values).join(",")}}`;
}

type Text = string | readonly string[] | null;

/** A json[]. Stored bodies are sent this way; inside one JSON document each would be parsed twice. */
export function jsonArray(texts: readonly Text[]): Buffer {
  return binaryArray(114, texts);
}

export function textArray(texts: readonly Text[]): Buffer {
  return binaryArray(25, texts);
}

export function intArray(values: readonly number[]): Buffer {
  const words = new Int32Array(headerWords + 2 * values.length);
  words.set([1, 0, 23, values.length, 1]);
  let at = headerWords;
  for (const value of values) {
    words[at++] = 4;
    words[at++] = value;
  }
  return Buffer.from(words.buffer).swap32();
}

const headerWords = 5;
const nullLength = -1;

/** In PostgreSQL's binary format, which neither side escapes or scans. */
function binaryArray(elementType: number, texts: readonly Text[]): Buffer {
  const lengths = texts.map((text) => (text === null ? nullLength : bytesOf(text)));
  const size = lengths.reduce((total, length) => total + 4 + Math.max(0, length), 4 * headerWords);
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  for (const word of [1, texts.includes(null) ? 1 : 0, elementType, texts.length, 1]) at = bytes.writeInt32BE(word, at);
  for (const [i, text] of texts.entries()) {
    at = bytes.writeInt32BE(lengths[i]!, at);
    if (typeof text === "string") at += bytes.write(text, at, "utf8");
    else if (text !== null) for (const piece of text) at += bytes.write(piece, at, "utf8");
  }
  return bytes;
}

/** A text may come in pieces, which are joined only when written. */
export function bytesOf(text: string | readonly string[]): number {
  return typeof text === "string"
    ? Buffer.byteLength(text)
    : text.reduce((total, piece) => total + Buffer.byteLength(piece), 0);
}
