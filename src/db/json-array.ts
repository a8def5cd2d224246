const jsonType = 114;
const headerBytes = 20;
const nullLength = -1;

/**
 * A json[] parameter in PostgreSQL's binary format, so that neither side escapes or scans the elements. Stored bodies are
 * sent this way; inside one JSON document each would be parsed twice.
 */
export function jsonArray(texts: readonly (string | readonly string[] | null)[]): Buffer {
  const lengths = texts.map((text) => (text === null ? nullLength : bytesOf(text)));
  const bytes = Buffer.allocUnsafe(headerBytes + lengths.reduce((total, length) => total + 4 + Math.max(0, length), 0));
  bytes.writeInt32BE(1, 0);
  bytes.writeInt32BE(texts.includes(null) ? 1 : 0, 4);
  bytes.writeInt32BE(jsonType, 8);
  bytes.writeInt32BE(texts.length, 12);
  bytes.writeInt32BE(1, 16);
  let at = headerBytes;
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
