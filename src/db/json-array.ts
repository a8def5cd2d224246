const jsonType = 114;
const headerBytes = 20;

/**
 * Texts as a parameter of type json[], in the wire's binary form: neither side escapes or scans them for the array's
 * sake. Stored bodies go this way; within one JSON document each would be lexed twice.
 */
export function jsonArray(texts: readonly (string | readonly string[])[]): Buffer {
  const lengths = texts.map(bytesOf);
  const bytes = Buffer.allocUnsafe(headerBytes + lengths.reduce((total, length) => total + 4 + length, 0));
  bytes.writeInt32BE(1, 0);
  bytes.writeInt32BE(0, 4);
  bytes.writeInt32BE(jsonType, 8);
  bytes.writeInt32BE(texts.length, 12);
  bytes.writeInt32BE(1, 16);
  let at = headerBytes;
  for (const [i, text] of texts.entries()) {
    at = bytes.writeInt32BE(lengths[i]!, at);
    if (typeof text === "string") at += bytes.write(text, at, "utf8");
    else for (const piece of text) at += bytes.write(piece, at, "utf8");
  }
  return bytes;
}

/** A text may come in pieces, which are joined on the wire only. */
export function bytesOf(text: string | readonly string[]): number {
  return typeof text === "string"
    ? Buffer.byteLength(text)
    : text.reduce((total, piece) => total + Buffer.byteLength(piece), 0);
}
